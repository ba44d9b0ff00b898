// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A picture inside a picture, such as the photograph in a screenshot, with the scores of a model.
package struct InnerPicture: Sendable, Hashable {
    package var rectangle: UnitRectangle
    /// The scores of the inner picture, judged as a picture of its own.
    package var scores: [Float]
    /// The scores of its places in the map of the whole picture; empty for a model without a map.
    package var mapScores: [Float]

    package init(rectangle: UnitRectangle, scores: [Float], mapScores: [Float]) {
        (self.rectangle, self.scores, self.mapScores) = (rectangle, scores, mapScores)
    }
}
