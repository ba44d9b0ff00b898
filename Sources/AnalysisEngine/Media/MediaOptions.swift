// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// How a file with any number of pictures is analysed.
package struct MediaOptions: Sendable {
    /// Under the descriptive policy, every preset becomes the protective one.
    package var preset: SamplingPreset
    /// Whether to go on after it is clear that the file is sensitive, and to keep scores.
    package var keepsTimeline: Bool
    package var keepsThumbnails: Bool
    /// Whether to find out from when on what is sensitive is shown, to a fraction of a second.
    package var locatesEdges: Bool
    /// Called with how far the analysis is, at least once a second.
    package var reportProgress: @Sendable (MediaProgress) -> Void

    package init(
        preset: SamplingPreset = .balanced, keepsTimeline: Bool = false, keepsThumbnails: Bool = false,
        locatesEdges: Bool = false,
        reportProgress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
    ) {
        self.preset = preset
        self.keepsTimeline = keepsTimeline
        self.keepsThumbnails = keepsThumbnails
        self.locatesEdges = locatesEdges
        self.reportProgress = reportProgress
    }
}

/// How far an analysis is.
package struct MediaProgress: Sendable, Hashable {
    /// From 0 to 1; it never goes back.
    package var share: Double
    /// The moment in the video that is being looked at.
    package var position: Duration
    /// The length of the video, where it is known.
    package var duration: Duration?

    package init(share: Double, position: Duration, duration: Duration?) {
        self.share = share
        self.position = position
        self.duration = duration
    }
}
