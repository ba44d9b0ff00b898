// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import SensitiveContentAnalysis

/// A verdict, and the policy under which it was made.
public struct MediaJudgement: Sendable, Hashable {
    /// What was found.
    public let verdict: MediaVerdict
    /// The policy whose thresholds were compared with.
    public let policy: SCSensitivityAnalysisPolicy

    /// Creates a judgement, for an app that checks by its own means.
    public init(verdict: MediaVerdict, policy: SCSensitivityAnalysisPolicy) {
        self.verdict = verdict
        self.policy = policy
    }
}
