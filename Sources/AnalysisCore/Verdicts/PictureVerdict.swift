// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The decision about one picture, made from the scores of all its views.
package struct PictureVerdict: Sendable, Hashable {
    /// The kinds of content that were found; the picture is sensitive if there is any.
    package let detectedTypes: Set<ContentType>
    /// The highest score of any view and content type, 1 if the test pattern was found.
    package let score: Float

    package var isSensitive: Bool { !detectedTypes.isEmpty }

    /// Decides about a picture.
    ///
    /// A picture is sensitive if any view is sensitive. One background shows content that another background hides, and
    /// the app may draw the picture over any background.
    ///
    /// - Parameters:
    ///   - views: the scores of each view, at least one view with at least one score.
    ///   - testPatterns: the content types whose test pattern was found; they can only add to the verdict.
    /// - Throws: `analysisDisabled` under a disabled policy, and `internalFailure` if a view has no score or a score is
    ///   not from 0 to 1. Neither failure may ever count as "not sensitive".
    package init(
        views: [[ContentScore]], testPatterns: Set<ContentType> = [], policy: AnalysisPolicy
    ) throws(AnalysisFailure) {
        guard policy != .disabled else {
            throw AnalysisFailure(.analysisDisabled, "No policy asks for analysis.")
        }
        guard !views.isEmpty, views.allSatisfy({ !$0.isEmpty }) else {
            throw AnalysisFailure(.internalFailure, "The model gave no score.")
        }
        var detected = testPatterns
        var highest: Float = testPatterns.isEmpty ? 0 : 1
        for score in views.joined() {
            guard score.value >= 0, score.value <= 1 else {
                throw AnalysisFailure(.internalFailure, "The model gave a score that is not between 0 and 1.")
            }
            highest = max(highest, score.value)
            if score.value >= score.thresholds.threshold(under: policy) {
                detected.insert(score.contentType)
            }
        }
        detectedTypes = detected
        self.score = highest
    }
}
