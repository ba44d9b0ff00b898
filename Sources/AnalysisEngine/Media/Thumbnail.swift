// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A picture of at most 12 × 12 samples: enough to recognise a scene that one knows, and nothing more.
package struct Thumbnail: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Red, green and blue of each sample, row after row.
    package let samples: [UInt8]

    /// The most samples along an edge.
    package static let side = 12

    /// Averages a picture.
    package init(_ image: PixelImage) {
        let longest = max(image.width, image.height)
        width = max(1, image.width * Self.side / longest)
        height = max(1, image.height * Self.side / longest)
        var samples: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                samples += Self.average(
                    image, x: Blocks.range(column, of: width, in: image.width),
                    y: Blocks.range(row, of: height, in: image.height))
            }
        }
        self.samples = samples
    }

    private static func average(_ image: PixelImage, x: Range<Int>, y: Range<Int>) -> [UInt8] {
        unsafe image.storage.withBytes { bytes in
            var sums = [0, 0, 0]
            for row in y {
                for column in x {
                    let position = image.offset + row * image.bytesPerRow + column * PixelImage.bytesPerPixel
                    for band in 0..<3 { sums[band] += Int(unsafe bytes[position + band]) }
                }
            }
            return sums.map { UInt8($0 / (x.count * y.count)) }
        }
    }
}
