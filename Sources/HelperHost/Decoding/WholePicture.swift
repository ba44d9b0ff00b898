// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// A picture at the size at which the app displays it, in sealed memory.
package struct WholePicture: Sendable {
    package let format: MediaFormat
    package let picture: SealedPicture
    /// The size of the upright picture in the file, in pixels.
    package let originalWidth: Int
    package let originalHeight: Int
    /// Whether parts of the picture are missing or made up.
    package let isDamaged: Bool

    /// Checks the size that a decoder names against the request.
    ///
    /// - Throws: `HelperLie` if it is impossible.
    static func check(
        _ reply: WholePictureReply, answering request: WholePictureRequest
    ) throws(HelperLie) -> PixelLayout {
        let limits = request.limits
        let longest = max(reply.width, reply.height)
        let isWhole = reply.width == reply.originalWidth && reply.height == reply.originalHeight
        guard let layout = reply.layout, reply.originalWidth >= reply.width, reply.originalHeight >= reply.height,
            isWhole || longest <= request.maximumEdge,
            max(reply.originalWidth, reply.originalHeight) <= limits.maximumEdge,
            UInt64(reply.originalWidth) * UInt64(reply.originalHeight)
                <= max(limits.maximumPixelCount, limits.maximumStreamedPixelCount)
        else { throw HelperLie() }
        return layout
    }
}
