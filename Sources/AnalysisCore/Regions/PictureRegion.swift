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
}
