// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import ViewerAgreement

/// The picture on which Pillow draws the layers of a Photoshop file, each at its place.
///
/// Pillow keeps the picture that it showed before, if the next layer has as many channels, and begins anew otherwise.
final class PhotoshopCanvas {
    /// A picture that Pillow may show.
    struct Step {
        /// The layers that are drawn, by their numbers.
        let layers: [Int]
        /// Whether the merged picture is below them.
        let isOverMerged: Bool
    }

    private let structure: PhotoshopStructure
    private var drawn: Step?
    private var samples = PhotoshopPixels.Samples(width: 0, height: 0, bandCount: 0, levels: [])

    init(_ structure: PhotoshopStructure) {
        self.structure = structure
    }

    /// The pictures that Pillow shows if a program goes through all layers, or directly to one.
    var steps: [Step] {
        let mergedCount = min(structure.channelCount, structure.colours.channelCount + 1)
        var steps: [Step] = []
        var (layers, isOverMerged, bandCount): ([Int], Bool, Int) = ([], true, mergedCount)
        for (number, layer) in structure.layers.enumerated() where layer.isInOrdinaryList {
            let count = layer.channels.count
            if count != bandCount { (layers, isOverMerged, bandCount) = ([], false, count) }
            let coversAll =
                layer.x <= 0 && layer.y <= 0 && layer.x + layer.width >= structure.width
                && layer.y + layer.height >= structure.height
            if coversAll { (layers, isOverMerged) = ([], false) }
            layers.append(number)
            // The layer alone is judged by itself.
            guard !coversAll else { continue }
            steps.append(Step(layers: layers, isOverMerged: isOverMerged))
            guard layers.count > 1 || isOverMerged != (count == mergedCount) else { continue }
            steps.append(Step(layers: [number], isOverMerged: count == mergedCount))
        }
        return steps
    }

    /// Returns the picture of a step; steps in order cost least.
    func picture(_ step: Step, _ pixels: PhotoshopPixels, _ limits: AnalysisLimits) throws(DecodingFailure)
        -> VipsPicture
    {
        try limits.checkPicture(width: structure.width, height: structure.height, isStreamed: false)
        let isNext =
            drawn.map { drawn in
                drawn.isOverMerged == step.isOverMerged && !drawn.layers.isEmpty
                    && step.layers.starts(with: drawn.layers)
            } ?? false
        let start = isNext ? drawn?.layers.count ?? 0 : 0
        drawn = nil
        if start == 0 {
            samples =
                if step.isOverMerged { try pixels.merged(limits) } else {
                    PhotoshopPixels.Samples(
                        width: structure.width, height: structure.height,
                        bandCount: structure.layers[step.layers[0]].channels.count)
                }
        }
        for number in step.layers.dropFirst(start) {
            let layer = structure.layers[number]
            draw(try pixels.layer(layer, limits), atColumn: layer.x, row: layer.y)
        }
        drawn = step
        return try pixels.picture(samples)
    }

    /// Puts the samples of a layer in the place of those below it, as far as they lie in the picture.
    private func draw(_ layer: PhotoshopPixels.Samples, atColumn x: Int, row y: Int) {
        guard layer.bandCount == samples.bandCount else { return }
        let columns = max(x, 0)..<max(min(x + layer.width, samples.width), max(x, 0))
        for row in max(y, 0)..<max(min(y + layer.height, samples.height), max(y, 0)) where !columns.isEmpty {
            let target = (row * samples.width + columns.lowerBound) * samples.bandCount
            let source = ((row - y) * layer.width + columns.lowerBound - x) * layer.bandCount
            let count = columns.count * layer.bandCount
            samples.levels.replaceSubrange(target..<(target + count), with: layer.levels[source..<(source + count)])
        }
    }
}
