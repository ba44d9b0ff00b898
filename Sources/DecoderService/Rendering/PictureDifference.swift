// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// The difference between two pictures of the same size, measured in a grid of 64 × 64 cells.
package struct PictureDifference {
    /// Whether so many cells differ by so much that a person sees it.
    package let isVisible: Bool
    /// Whether scores would be the same: few cells are lighter or darker, and hardly any have other details.
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

    /// The mean of four neighbouring cells must differ by less than this in similar pictures, in levels of 0 to 255.
    ///
    /// It is for RGB pixels. Frame signatures, made before the conversion to RGB, have a bound of two levels.
    private static let negligibleMean = 4.0
    /// Similar pictures have fewer cells of the 4,096 than this whose mean differs by four levels or more.
    ///
    /// Encoders change some cells of a still picture with film grain by four levels.
    private static let mostMovedParts = 409
    private static let mostDetailedParts = 8
}

extension RenderedPicture {
    /// Whether each view looks like the view with the same index of another picture, so that scores would be the same.
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
