// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A part of a picture that has a score of its own, because it is a picture inside the picture.
package struct PictureRegion: Sendable, Hashable {
    package let rectangle: UnitRectangle
    package let contentType: ContentType
    package let score: Float

    package init(rectangle: UnitRectangle, contentType: ContentType, score: Float) {
        (self.rectangle, self.contentType, self.score) = (rectangle, contentType, score)
    }

    /// Returns the regions with the highest scores first, without those that mostly show the same as a higher one.
    ///
    /// A picture with transparent parts is searched over white and over black, and a rectangle can have surroundings.
    package static func distinct(_ regions: [PictureRegion]) -> [PictureRegion] {
        var kept: [PictureRegion] = []
        for region in regions.sorted(by: { $0.score > $1.score }) {
            let isKnown = kept.contains { other in
                other.contentType == region.contentType
                    && other.rectangle.overlap(with: region.rectangle) > Self.sameOverlap
            }
            if !isKnown { kept.append(region) }
        }
        return kept
    }

    /// Of rectangles that overlap less, each may be a picture: a rectangle with its surroundings scores higher at times.
    private static let sameOverlap: Float = 0.7
}
