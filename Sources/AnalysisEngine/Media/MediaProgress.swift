// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The progress of an analysis.
package struct MediaProgress: Sendable, Hashable {
    /// The finished share of the analysis, from 0 to 1; it never decreases.
    package var share: Double
    /// The moment in the video that is being analysed.
    package var position: Duration
    /// The length of the video, or nil if it is unknown.
    package var duration: Duration?

    package init(share: Double, position: Duration, duration: Duration?) {
        self.share = share
        self.position = position
        self.duration = duration
    }
}
