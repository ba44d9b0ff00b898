// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The score of the picture that is shown during a stretch of time.
package struct ScorePoint: Sendable, Hashable {
    package var start: Duration
    package var end: Duration
    package var score: Float
    /// The samples of a small picture; nil if they were not requested.
    package var thumbnail: PixelSamples?
}
