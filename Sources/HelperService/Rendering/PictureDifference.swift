// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// The difference between two pictures of the same size, measured in 64 × 64 parts.
package struct PictureDifference {
    /// Whether so many parts differ by so much that a person sees it.
    package let isVisible: Bool
    /// Whether scores would be the same: few parts are lighter or darker, and hardly any have other details.
    package let isNegligible: Bool

    /// - Parameters:
    ///   - one: `width` × `height` RGB pixels without padding.
    ///   - other: the pixels of another picture in the same form.
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

    /// The bound of the difference of a mean over four parts, in levels.
    ///
    /// It applies after planes have become colours. Signatures have a bound of two levels for blocks of the same size.
    private static let negligibleMean = 4.0
    /// The bound of the number of moved parts, of 4,096 parts.
    ///
    /// Encoders move some parts of a still picture with grain by four levels.
    private static let mostMovedParts = 409
    private static let mostDetailedParts = 8
}

extension RenderedPicture {
    /// Whether each view looks like the same view of another picture, so that scores would be the same.
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
