// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

extension SCSensitivityAnalysis {
    /// The pictures inside the image, such as the photograph in a screenshot, whose score reaches a threshold of the model.
    ///
    /// It is empty for videos and streams, and for an image that is judged as a whole only.
    public var regions: [Region] { backing.regions }

    /// A picture inside an image, in shares of the upright image's width and height from its top left corner.
    public struct Region: Sendable, Hashable {
        /// The left edge, from 0 to 1.
        public let x: Double
        /// The upper edge, from 0 to 1.
        public let y: Double
        /// The width, up to 1.
        public let width: Double
        /// The height, up to 1.
        public let height: Double
        /// The kind of content that the score is about.
        public let contentType: ContentType
        /// The score of the inner picture by itself, from 0 to 1.
        public let score: Float

        package init(_ region: PictureRegion) {
            (x, y) = (Double(region.rectangle.left), Double(region.rectangle.top))
            width = Double(region.rectangle.right - region.rectangle.left)
            height = Double(region.rectangle.bottom - region.rectangle.top)
            contentType = ContentType(rawValue: region.contentType.rawValue)
            score = region.score
        }
    }
}
