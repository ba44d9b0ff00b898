// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import HelperProtocol

/// A picture of coarse squares that covers another: few samples, each the mean of many pixels.
struct CoveredPicture {
    let picture: SealedPicture

    /// - Throws: `limitExceeded` if the system has no memory for the cover.
    init(_ original: SealedPicture) throws {
        let layout = original.layout
        let samples = try Self.samples(of: original)
        let rowLength = layout.width * PixelImage.bytesPerPixel
        guard
            let cover = PixelLayout(
                width: layout.width, height: layout.height, bytesPerRow: rowLength, format: .rgb24)
        else { throw AnalysisFailure(.internalFailure, "A cover has no pixels. Please report it.") }
        let memory = try unsafe SealedMemory.filled(byteCount: cover.byteCount) { target in
            for y in 0..<layout.height {
                let row = y * samples.height / layout.height * samples.width
                for x in 0..<layout.width {
                    let sample = (row + x * samples.width / layout.width) * 3
                    let place = y * rowLength + x * 3
                    for channel in 0..<3 { unsafe target[place + channel] = samples.colors[sample + channel] }
                }
            }
        }
        picture = try SealedPicture(layout: cover, memory: memory)
    }

    /// Returns the samples of the picture over white.
    private static func samples(of original: SealedPicture) throws -> PixelSamples {
        let layout = original.layout
        guard layout.format.hasOpacity else {
            return PixelSamples(
                try PixelImage(
                    width: layout.width, height: layout.height, bytesPerRow: layout.bytesPerRow,
                    storage: original.memory), .cover)
        }
        let views = unsafe original.memory.withBytes { unsafe BackgroundComposer.views(of: layout, in: $0) }
        return PixelSamples(
            try PixelImage(
                width: layout.width, height: layout.height, bytesPerRow: layout.width * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(views[0])), .cover)
    }
}
