// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension SCSensitivityAnalyzer {
    /// The policy in force: first what it is now, and then every other that a parent, the person or the app makes of it.
    ///
    /// The sequence ends when the task that iterates is cancelled. Who is slow gets the newest policy only.
    ///
    /// Not in Apple's framework.
    public var analysisPolicyChanges: some AsyncSequence<SCSensitivityAnalysisPolicy, Never> & Sendable {
        backing.policyChanges()
    }
}
