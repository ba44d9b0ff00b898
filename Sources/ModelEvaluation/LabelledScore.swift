// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The score of one file of a labelled set.
package struct LabelledScore: Sendable, Hashable {
    /// Whether a person has labelled the file as sensitive.
    package var isPositive: Bool
    /// The score from 0 to 1; nil if the file could not be judged.
    package var score: Double?
    /// The origin of the file, such as a photographer or a film; nil for an origin of its own.
    ///
    /// Files of one source resemble each other, so they say less than files of as many sources.
    package var source: String?

    package init(isPositive: Bool, score: Double?, source: String? = nil) {
        self.isPositive = isPositive
        self.score = score
        self.source = source
    }
}
