// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The averages of a few parts of a picture, of which nothing else can be restored.
package struct PixelSamples: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Red, green and blue of each sample, row after row.
    package let colors: [UInt8]

    /// The most samples along an edge of a cover or a thumbnail: enough to recognise a scene that one knows, and nothing
    /// more.
    package static let edgeOfCover = 12

    /// Averages a picture.
    ///
    /// - Parameter maximumEdge: the most samples along an edge; fewer where they would stand for less than four by four
    ///   pixels, so that a tiny picture is no exception.
    package init(_ image: PixelImage, maximumEdge: Int = edgeOfCover) {
        let longest = max(image.width, image.height)
        let edge = max(1, min(maximumEdge, longest / 4))
        width = max(1, image.width * edge / longest)
        height = max(1, image.height * edge / longest)
        var colors: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                colors += Self.average(
                    image, x: Blocks.range(column, of: width, in: image.width),
                    y: Blocks.range(row, of: height, in: image.height))
            }
        }
        self.colors = colors
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
