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

    /// Returns the samples of the picture over white, by way of a small picture of averages.
    private static func samples(of original: SealedPicture) throws -> PixelSamples {
        let layout = original.layout
        let (width, height) = (min(layout.width, mostAverages), min(layout.height, mostAverages))
        var sums = [Int](repeating: 0, count: width * height * 3)
        var counts = [Int](repeating: 0, count: width * height)
        var row = [UInt8](repeating: 0, count: layout.width * PixelImage.bytesPerPixel)
        unsafe original.memory.withBytes { pixels in
            for y in 0..<layout.height {
                unsafe row.withUnsafeMutableBytes {
                    unsafe BackgroundComposer.compose(y, of: layout, in: pixels, over: 255, into: $0)
                }
                let line = y * height / layout.height * width
                for x in 0..<layout.width {
                    let place = line + x * width / layout.width
                    for channel in 0..<3 { sums[place * 3 + channel] += Int(row[x * 3 + channel]) }
                    counts[place] += 1
                }
            }
        }
        let averages = sums.indices.map { UInt8(sums[$0] / max(1, counts[$0 / 3])) }
        let image = try PixelImage(
            width: width, height: height, bytesPerRow: width * PixelImage.bytesPerPixel,
            storage: ArrayPixelStorage(averages), originalSize: (layout.width, layout.height))
        return PixelSamples(image, .cover)
    }

    /// The most averages along an edge: a multiple of the samples of a cover.
    private static let mostAverages = 36
}
