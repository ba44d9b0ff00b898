// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What is read about a picture beside its scores.
package struct ScoringOptions: Sendable {
    /// Whether the scores of all labels are needed as well.
    package var readsLabels: Bool
    package var innerPictures: InnerPictures

    /// The pictures in which pictures are searched and judged.
    package enum InnerPictures: Sendable {
        case none
        /// Pictures in whose map something may be.
        case whereWarm
        case everywhere
    }

    package init(readsLabels: Bool = false, innerPictures: InnerPictures = .none) {
        (self.readsLabels, self.innerPictures) = (readsLabels, innerPictures)
    }
}
