// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The facts that are read about a picture beside its scores.
package struct ScoringOptions: Sendable {
    /// Whether the scores of all labels are read.
    package var readsLabels = false
    /// Whether the scores of the places in the map are read.
    package var readsPlaces = false
    package var innerPictures = InnerPictures.none
    /// Whether the picture is one of many frames, so that fewer inner pictures are judged.
    package var isFrame = false

    /// The pictures in which pictures are searched and judged.
    package enum InnerPictures: Sendable {
        case none
        /// Pictures in whose map something may be.
        case whereWarm
        case everywhere
    }

    package init(readsLabels: Bool = false) {
        self.readsLabels = readsLabels
    }
}
