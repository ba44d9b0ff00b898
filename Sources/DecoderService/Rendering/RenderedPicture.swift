// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// A decoded picture, reduced and upright, as it is handed to the host.
package struct RenderedPicture {
    /// The opaque views, each of `width` × `height` RGB pixels without padding.
    package var views: [[UInt8]]
    package var width: Int
    package var height: Int
    /// The size of the whole upright picture before reduction, in pixels.
    package var originalWidth: Int
    package var originalHeight: Int
    package var testPatterns: Set<ContentType> = []
    /// Whether the decoder has noticed that parts of the picture differ from the original.
    package var isDamaged = false

    package init(views: [[UInt8]], width: Int, height: Int, originalWidth: Int, originalHeight: Int) {
        self.views = views
        self.width = width
        self.height = height
        self.originalWidth = originalWidth
        self.originalHeight = originalHeight
    }

    /// Looks for test patterns in the views, or in a larger picture if the views are reduced.
    ///
    /// The larger picture has enough pixels to read a code that is a fifth as wide as the picture's shorter edge.
    ///
    /// - Parameters:
    ///   - budget: the time for the pictures of this file.
    ///   - large: decodes the larger picture; it is not called if the views are not reduced.
    /// - Throws: `internalError` if the search fails.
    package mutating func findTestPatterns(
        _ budget: inout SearchBudget, large: () throws(DecodingFailure) -> RenderedPicture
    ) throws(DecodingFailure) {
        let isReduced = width < originalWidth || height < originalHeight
        testPatterns = try (isReduced ? large() : self).foundTestPatterns(&budget)
    }

    /// Returns the test patterns in any of the views.
    ///
    /// - Throws: `internalError` if the search fails.
    package func foundTestPatterns(_ budget: inout SearchBudget) throws(DecodingFailure) -> Set<ContentType> {
        try TestPatternScanner.patterns(in: views, width: width, height: height, &budget)
    }

    /// Writes the views to the pixel memory, and returns the reply.
    ///
    /// - Throws: `libraryLimit` if the pixel memory lacks room for the views.
    func reply(_ format: MediaFormat, in memory: MappedPixelMemory) throws(DecodingFailure) -> ImageReply {
        guard memory.write(views) else {
            throw DecodingFailure(.libraryLimit, format: format, detail: "the reduced picture is too large")
        }
        return ImageReply(
            format: format, originalWidth: UInt32(originalWidth), originalHeight: UInt32(originalHeight),
            pixels: PixelDescription(
                width: UInt32(width), height: UInt32(height),
                bytesPerRow: UInt32(width * PixelImage.bytesPerPixel)),
            viewCount: UInt8(views.count), testPatterns: testPatterns, isDamaged: isDamaged)
    }
}
