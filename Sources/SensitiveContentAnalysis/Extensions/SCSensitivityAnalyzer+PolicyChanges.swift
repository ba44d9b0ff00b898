// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension SCSensitivityAnalyzer {
    /// The policy in force now, and then each new policy after a change by a parent, the person or the app.
    ///
    /// The sequence ends when the task that iterates is cancelled. A slow listener gets the newest policy only.
    ///
    /// Not in Apple's framework.
    public var analysisPolicyChanges: some AsyncSequence<SCSensitivityAnalysisPolicy, Never> & Sendable {
        backing.policyChanges()
    }
}
