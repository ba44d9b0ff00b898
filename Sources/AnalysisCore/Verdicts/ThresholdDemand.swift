// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A threshold that a person or an app asks for, in place of the thresholds of the model's manifest.
package struct ThresholdDemand: Sendable, Hashable {
    package let value: Float
    /// Whether the demand counts only where it makes a verdict stricter, because somebody else has set the policy.
    package let canOnlyTighten: Bool

    package init(value: Float, canOnlyTighten: Bool) {
        self.value = value
        self.canOnlyTighten = canOnlyTighten
    }

    /// Returns the thresholds that are in force.
    package func applied(to thresholds: Thresholds) -> Thresholds {
        var result = thresholds
        result.simple = canOnlyTighten ? min(thresholds.simple, value) : value
        result.descriptive = canOnlyTighten ? min(thresholds.descriptive, value) : value
        // A brief frame of a video needs at least the score of a picture.
        result.strong = max(thresholds.strong, result.simple)
        return result
    }

    /// - Throws: `invalidArgument` for a threshold that no score or every score reaches.
    package func validate() throws(AnalysisFailure) {
        guard value > 0, value <= 1 else {
            throw AnalysisFailure(
                .invalidArgument, "The threshold is \(value). Use a number above 0 and up to 1.")
        }
    }
}
