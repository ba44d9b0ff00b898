// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The expected scores of generated pictures, by which a model's process is checked.
package struct KnownAnswers: Sendable, Hashable, Codable {
    /// For each drawing, the score of each output, from 0 to 1.
    package var scores: [[Float]]
    /// The largest accepted difference between a measured and an expected score.
    package var tolerance: Float

    package init(scores: [[Float]], tolerance: Float = KnownAnswers.defaultTolerance) {
        self.scores = scores
        self.tolerance = tolerance
    }

    /// The default tolerance: instruction sets differ by less than 1e-8, and a wrong filter by 0.006 or more.
    package static let defaultTolerance: Float = 0.001
    /// The largest allowed tolerance, because a wrong filter changes a score by 0.006 or more.
    package static let largestTolerance: Float = 0.005
    /// The number of drawings, which are the generated pictures.
    package static let drawingCount = 2

    /// Whether measured scores equal the expected scores within the tolerance.
    package func agree(with measured: [[Float]]) -> Bool {
        measured.count == scores.count
            && zip(measured, scores).allSatisfy { measured, expected in
                measured.count == expected.count
                    && zip(measured, expected).allSatisfy { abs($0 - $1) <= tolerance }
            }
    }
}
