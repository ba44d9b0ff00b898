// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A length cut into a number of blocks that are as equal as whole samples allow.
package enum Blocks {
    /// The samples of a block; where there are fewer samples than blocks, the nearest one.
    ///
    /// - Parameter count: the number of blocks, more than `index`.
    package static func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = length * index / count
        return start..<max(start + 1, length * (index + 1) / count)
    }
}

/// The averages of a few parts of a picture, of which nothing else can be restored.
package struct PixelSamples: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Red, green and blue of each sample, row after row.
    package let colors: [UInt8]

    /// How much samples tell.
    package struct Detail: Sendable, Hashable {
        /// The most samples along an edge.
        package let maximumEdge: Int
        /// To how many levels each colour is rounded, from 2 to 256.
        package let levels: Int

        package init(maximumEdge: Int, levels: Int = 256) {
            self.maximumEdge = maximumEdge
            self.levels = levels
        }

        /// The samples of a cover or a thumbnail, at most 9 along an edge and of 64 colours.
        ///
        /// Enough to recognise a scene that one knows, and nothing more. With 12 of all colours, soft pictures (a flower
        /// that fills the picture) could be enlarged to something that a classifier finds as sensitive as the picture
        /// itself. `IntegrationTests/conformance/covers.py` measures it.
        package static let cover = Detail(maximumEdge: 9, levels: 4)

        /// The length in pixels from which on an edge has as many samples as it may.
        package var fullEdge: Int { maximumEdge * Self.pixelsPerSample }

        /// A sample stands for as many by as many pixels at least, so that a tiny picture is no exception.
        fileprivate static let pixelsPerSample = 4
    }

    /// Averages a picture.
    ///
    /// - Parameters:
    ///   - originalWidth: the width in pixels of the picture that was reduced to this one, perhaps to other proportions.
    ///   - originalHeight: the same for the height.
    package init(_ image: PixelImage, _ detail: Detail, originalWidth: Int? = nil, originalHeight: Int? = nil) {
        let (fullWidth, fullHeight) = (max(1, originalWidth ?? image.width), max(1, originalHeight ?? image.height))
        let longest = max(fullWidth, fullHeight)
        let edge = max(1, min(detail.maximumEdge, longest / Detail.pixelsPerSample))
        width = min(image.width, max(1, fullWidth * edge / longest))
        height = min(image.height, max(1, fullHeight * edge / longest))
        var colors: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                colors += Self.average(
                    image, x: Blocks.range(column, of: width, in: image.width),
                    y: Blocks.range(row, of: height, in: image.height))
            }
        }
        let step = 255.0 / Double(detail.levels - 1)
        self.colors = colors.map { UInt8(((Double($0) / step).rounded() * step).rounded()) }
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
