// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// A cover of few samples, marked with the places of the model's map and with the pictures that were found inside.
struct MarkedCover {
    let samples: PixelSamples
    var places: PlaceScores?
    var regions: [PictureRegion] = []

    /// Creates the cover of a file with one picture; nil if no samples were kept.
    init?(_ analysis: MediaAnalysis) {
        guard analysis.duration == nil, let samples = analysis.points.first?.thumbnail else { return nil }
        self.samples = samples
        (places, regions) = (analysis.places, analysis.regions)
    }

    /// Returns SVG elements that fill a rectangle from the top left.
    ///
    /// - Parameter unit: the size of text and of the lines around regions, as a multiple of those of a page.
    func elements(width: Double, height: Double, unit: Double) -> [String] {
        // The red of places must not be mixed up with that of the picture.
        let colors = places == nil ? samples.colors : Self.grey(samples.colors)
        let png = PNGPicture(width: samples.width, height: samples.height, pixels: colors)
        var parts = [
            """
            <image width="\(n(width))" height="\(n(height))" preserveAspectRatio="none" \
            style="image-rendering: pixelated" href="data:image/png;base64,\(Data(png.encoded()).base64EncodedString())"/>
            """
        ]
        parts += placeElements(width, height, unit)
        for region in regions {
            let (x, y) = (Double(region.rectangle.left) * width, Double(region.rectangle.top) * height)
            let size =
                "x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(Double(region.rectangle.right) * width - x))\""
                + " height=\"\(n(Double(region.rectangle.bottom) * height - y))\" fill=\"none\""
            // Two colours, because a cover may have any colour.
            parts.append("<rect \(size) stroke=\"#000000\" stroke-width=\"\(n(4 * unit))\"/>")
            parts.append(
                """
                <rect \(size) stroke="#ffffff" stroke-width="\(n(2 * unit))" stroke-dasharray="\(n(8 * unit)) \(n(4 * unit))">\
                <title>\(region.contentType.rawValue) \(Self.text(region.score))</title></rect>
                """)
        }
        return parts
    }

    private static func grey(_ colors: [UInt8]) -> [UInt8] {
        stride(from: 0, to: colors.count, by: 3).flatMap { start in
            let level = (77 * Int(colors[start]) + 150 * Int(colors[start + 1]) + 29 * Int(colors[start + 2])) / 256
            return [UInt8](repeating: UInt8(level), count: 3)
        }
    }

    private func placeElements(_ width: Double, _ height: Double, _ unit: Double) -> [String] {
        guard let places else { return [] }
        let map = places.rectangle
        let (across, down) = (
            Double(map.right - map.left) * width / Double(places.columns),
            Double(map.bottom - map.top) * height / Double(places.rows)
        )
        let size = min(15 * unit, across / 3, down / 2)
        return places.scores.enumerated().map { index, score in
            let x = Double(map.left) * width + Double(index % places.columns) * across
            let y = Double(map.top) * height + Double(index / places.columns) * down
            return """
                <rect x="\(n(x))" y="\(n(y))" width="\(n(across))" height="\(n(down))" fill="#d1101e" \
                fill-opacity="\(n(Double(score) * 0.8, 2))"/><text x="\(n(x + across / 2))" y="\(n(y + down / 2 + size / 3))" \
                font-size="\(n(size))" text-anchor="middle" fill="#ffffff" stroke="#000000" stroke-width="\(n(size / 5))" \
                paint-order="stroke">\(Self.text(score))</text>
                """
        }
    }

    static func text(_ score: Float) -> String { String(format: "%.2f", score) }

    private func n(_ value: Double, _ decimals: Int = 1) -> String { MarkupText.number(value, decimals: decimals) }
}
