// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

/// A verdict, and the policy under which it was made.
package struct MediaJudgement: Sendable, Hashable {
    /// The finding.
    package let verdict: MediaVerdict
    /// The policy whose thresholds were applied.
    package let policy: SCSensitivityAnalysisPolicy

    package init(verdict: MediaVerdict, policy: SCSensitivityAnalysisPolicy) {
        self.verdict = verdict
        self.policy = policy
    }

    /// Whether the judgement holds under a policy; harmless media may exceed the lower thresholds of a stricter policy.
    func holds(under policy: SCSensitivityAnalysisPolicy) -> Bool {
        verdict != .notSensitive || self.policy.isAtLeastAsStrict(as: policy)
    }
}
