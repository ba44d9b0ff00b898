// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

/// A verdict, and the policy under which it was made.
package struct MediaJudgement: Sendable, Hashable {
    /// What was found.
    package let verdict: MediaVerdict
    /// The policy whose thresholds were compared with.
    package let policy: SCSensitivityAnalysisPolicy

    package init(verdict: MediaVerdict, policy: SCSensitivityAnalysisPolicy) {
        self.verdict = verdict
        self.policy = policy
    }

    /// Whether it holds under a policy; what is harmless under a laxer one, whose thresholds are higher, may not be.
    func holds(under policy: SCSensitivityAnalysisPolicy) -> Bool {
        verdict != .notSensitive || self.policy.isAtLeastAsStrict(as: policy)
    }
}
