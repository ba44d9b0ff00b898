// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The options of the analysis of a file with any number of pictures.
package struct MediaOptions: Sendable {
    /// The sampling preset; under the descriptive policy, the protective preset replaces every other preset.
    package var preset: SamplingPreset
    /// Whether the analysis goes on after a sensitive verdict is certain, and keeps scores.
    package var keepsTimeline: Bool
    package var keepsThumbnails: Bool
    /// Whether the scores of all labels are kept for the picture with the highest score.
    package var keepsLabels: Bool
    /// Whether the edges of sensitive stretches are located, to a fraction of a second.
    package var locatesEdges: Bool
    /// Whether each frame of a video that differs from the last scored one is scored, whatever the preset and the policy.
    package var scoresEveryFrame = false
    /// Whether pictures inside a picture are searched in every picture, and not only where something may be.
    package var searchesEveryPicture = false
    /// Whether the scores of the places in a picture are kept.
    package var keepsPlaces = false
    /// Called with the progress of the analysis, at least once a second.
    package var reportProgress: @Sendable (MediaProgress) -> Void

    package init(
        preset: SamplingPreset = .balanced, keepsTimeline: Bool = false, keepsThumbnails: Bool = false,
        keepsLabels: Bool = false, locatesEdges: Bool = false,
        reportProgress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
    ) {
        self.preset = preset
        self.keepsTimeline = keepsTimeline
        self.keepsThumbnails = keepsThumbnails
        self.keepsLabels = keepsLabels
        self.locatesEdges = locatesEdges
        self.reportProgress = reportProgress
    }

    /// Returns the options for the scores of a picture, or of one of many frames.
    func scoring(under policy: AnalysisPolicy, isFrame: Bool) -> ScoringOptions {
        var scoring = ScoringOptions(readsLabels: keepsLabels)
        scoring.readsPlaces = keepsPlaces && !isFrame
        scoring.isFrame = isFrame
        scoring.innerPictures = policy == .descriptive || searchesEveryPicture ? .everywhere : .whereWarm
        return scoring
    }
}
