// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

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
