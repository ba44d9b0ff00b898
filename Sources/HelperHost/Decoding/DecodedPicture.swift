// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// A picture from a decoder, after every number in the answer has been checked.
package struct DecodedPicture: Sendable {
    package let format: MediaFormat
    /// The opaque views to be judged, at least one.
    package let views: [PixelImage]
    /// The width in pixels before reduction, by which proportions may have changed.
    package let originalWidth: Int
    package let originalHeight: Int
    package let testPatterns: Set<ContentType>
    /// Whether parts of it could not be decoded as they were meant, so that other programs may show something else.
    package let isDamaged: Bool

    /// Checks an answer against the request, and copies its pixels.
    ///
    /// - Throws: `HelperLie` where the answer is impossible.
    init(_ reply: ImageReply, _ memory: PixelMemory, answering request: ImageRequest) throws(HelperLie) {
        let pixels = reply.pixels
        guard (1...ImageReply.maximumViewCount).contains(Int(reply.viewCount)),
            reply.originalWidth > 0, reply.originalHeight > 0,
            max(reply.originalWidth, reply.originalHeight) <= request.limits.maximumEdge,
            UInt64(reply.originalWidth) * UInt64(reply.originalHeight)
                <= max(request.limits.maximumPixelCount, request.limits.maximumStreamedPixelCount),
            Self.isPlausible(pixels.width, of: reply.originalWidth, minimum: request.minimumWidth),
            Self.isPlausible(pixels.height, of: reply.originalHeight, minimum: request.minimumHeight),
            reply.testPatterns.isEmpty || request.findsTestPatterns,
            UInt64(pixels.bytesPerRow) == UInt64(pixels.width) * UInt64(PixelImage.bytesPerPixel)
        else { throw HelperLie() }
        // Below 2 to the power of 52, since no edge has more than eight times what was asked for.
        let viewSize = Int(pixels.bytesPerRow) * Int(pixels.height)
        // A copy, so that nothing changes after this check.
        guard let storage = memory.copy(byteCount: viewSize * Int(reply.viewCount)) else { throw HelperLie() }
        do {
            views = try (0..<Int(reply.viewCount)).map { index in
                try PixelImage(
                    width: Int(pixels.width), height: Int(pixels.height), bytesPerRow: Int(pixels.bytesPerRow),
                    offset: index * viewSize, storage: storage,
                    originalSize: (Int(reply.originalWidth), Int(reply.originalHeight)))
            }
        } catch {
            throw HelperLie()
        }
        format = reply.format
        (originalWidth, originalHeight) = (Int(reply.originalWidth), Int(reply.originalHeight))
        testPatterns = reply.testPatterns
        isDamaged = reply.isDamaged
    }

    /// The averages of a few parts, in the proportions in which the picture is shown.
    package func samples(_ detail: PixelSamples.Detail) -> PixelSamples {
        PixelSamples(views[0], detail, originalWidth: originalWidth, originalHeight: originalHeight)
    }

    /// A decoder reduces no further than it was asked to, and never so little that the host must take huge pictures.
    private static func isPlausible(_ length: UInt32, of original: UInt32, minimum: UInt32) -> Bool {
        length > 0 && length <= original && length >= min(original, minimum) && length / 8 <= minimum
    }
}
