// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A coarse grid of the average colours of a picture, from which nothing else of the picture can be restored.
package struct PixelSamples: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Red, green and blue of each sample, row after row.
    package let colors: [UInt8]

    /// The bounds for the detail of samples.
    package struct Detail: Sendable, Hashable {
        /// The largest number of samples along an edge.
        package let maximumEdge: Int
        /// The number of levels to which each colour is rounded, from 2 to 256.
        package let levels: Int

        package init(maximumEdge: Int, levels: Int = 256) {
            self.maximumEdge = maximumEdge
            self.levels = levels
        }

        /// The detail of a cover or a thumbnail: at most 9 samples along an edge, and 64 colours.
        ///
        /// A person recognises a familiar scene in it, and nothing more. With 12 samples and all colours, enlarged soft
        /// pictures (a flower that fills the picture) could be as sensitive for a classifier as the picture itself.
        /// `IntegrationTests/conformance/covers.py` measures it.
        package static let cover = Detail(maximumEdge: 9, levels: 4)

        /// The shortest edge of a picture that gets ``maximumEdge`` samples, in pixels.
        package var fullEdge: Int { maximumEdge * Self.pixelsPerSample }

        /// The least number of pixels along each edge of a sample, so a tiny picture is not shown in full detail.
        fileprivate static let pixelsPerSample = 4
    }

    /// Averages a picture, in the proportions that it had before its reduction.
    package init(_ image: PixelImage, _ detail: Detail) {
        let (fullWidth, fullHeight) = (image.originalWidth, image.originalHeight)
        let longest = max(fullWidth, fullHeight)
        let edge = max(1, min(detail.maximumEdge, longest / Detail.pixelsPerSample))
        width = min(image.width, max(1, fullWidth * edge / longest))
        height = min(image.height, max(1, fullHeight * edge / longest))
        var colors: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                colors += Self.average(
                    image, x: Self.block(column, of: width, in: image.width),
                    y: Self.block(row, of: height, in: image.height))
            }
        }
        let step = 255.0 / Double(detail.levels - 1)
        self.colors = colors.map { UInt8(((Double($0) / step).rounded() * step).rounded()) }
    }

    /// Returns the range of pixels that a sample averages; ranges along an edge differ in length by at most one.
    private static func block(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        (length * index / count)..<(length * (index + 1) / count)
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
