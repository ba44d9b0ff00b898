// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// How far two pictures of the same size are apart, by 64 × 64 parts.
package struct PictureDifference {
    /// Whether enough parts differ by enough for a person to see it.
    package let isVisible: Bool
    /// Whether a score would be the same: hardly a part is lighter or darker, and none has other details.
    package let isNegligible: Bool

    /// - Parameters:
    ///   - one: `width` × `height` RGB pixels without padding.
    ///   - other: the same of another picture.
    /// - Throws: `outOfMemory`.
    package init(_ one: [UInt8], _ other: [UInt8], width: Int, height: Int) throws(DecodingFailure) {
        precondition(width > 0 && height > 0 && one.count == width * height * 3 && other.count == one.count)
        var difference = CPixelLoops_Difference()
        let found = unsafe CPixelLoops_compare_pictures(one, other, Int32(width), Int32(height), &difference)
        guard found >= 0 else { throw DecodingFailure(.outOfMemory) }
        isVisible = found != 0
        isNegligible =
            difference.largest < Self.negligibleMean && !isVisible && difference.moved_parts < Self.mostMovedParts
            && difference.detailed_parts < Self.mostDetailedParts
    }

    /// The bound of a mean over four parts, in levels.
    ///
    /// Signatures have the same bound. It applies after planes have become colours.
    private static let negligibleMean = 4.0
    /// The bound of moved parts, of 4,096.
    ///
    /// Encoders move some parts of a still picture with grain by four levels.
    private static let mostMovedParts = 409
    private static let mostDetailedParts = 8
}

extension RenderedPicture {
    /// Whether each view looks like that of another picture, so that its scores would be the same.
    ///
    /// - Throws: `outOfMemory`.
    package func looksLike(_ other: RenderedPicture) throws(DecodingFailure) -> Bool {
        guard width == other.width, height == other.height, views.count == other.views.count else { return false }
        for (view, known) in zip(views, other.views) {
            guard try PictureDifference(view, known, width: width, height: height).isNegligible else { return false }
        }
        return true
    }
}
