// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// A picture from a decoder, after a check of every number in the reply.
package struct DecodedPicture: Sendable {
    package let format: MediaFormat
    /// The opaque views that the model scores, at least one.
    package let views: [PixelImage]
    package let testPatterns: Set<ContentType>
    /// Whether parts of the picture could not be decoded as intended, so that other programs may show something else.
    package let isDamaged: Bool

    /// Checks a reply against the request, and copies its pixels.
    ///
    /// - Throws: `HelperLie` if the reply is impossible.
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
        // The product cannot overflow, because `isPlausible` limits each edge to about eight times its minimum.
        let viewSize = Int(pixels.bytesPerRow) * Int(pixels.height)
        // The pixels are copied, because the helper can still change the shared memory after this check.
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
        testPatterns = reply.testPatterns
        isDamaged = reply.isDamaged
    }

    /// Returns the average colours of a coarse grid over the first view, with the proportions of the unreduced picture.
    package func samples(_ detail: PixelSamples.Detail) -> PixelSamples {
        PixelSamples(views[0], detail)
    }

    /// Checks that an edge has at least the requested pixels, and is not so long that a helper could flood the host.
    private static func isPlausible(_ length: UInt32, of original: UInt32, minimum: UInt32) -> Bool {
        length > 0 && length <= original && length >= min(original, minimum) && length / 8 <= minimum
    }
}
