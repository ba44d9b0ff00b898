// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension SCSensitivityAnalyzer {
    /// The policy in force now, and then each new policy after a change by a parent, the person or the app.
    ///
    /// ```swift
    /// for await policy in analyzer.analysisPolicyChanges {
    ///     view.isCovered = policy != .disabled
    ///     guard policy != .disabled else { continue }
    ///     // A verdict under an earlier policy says nothing, and a failure leaves the view covered.
    ///     if let analysis = try? await analyzer.analyzeImage(at: fileURL) { view.isCovered = analysis.isSensitive }
    /// }
    /// ```
    ///
    /// The sequence ends when the task that iterates is cancelled. A slow listener gets the newest policy only.
    ///
    /// Not in Apple's framework.
    public var analysisPolicyChanges: some AsyncSequence<SCSensitivityAnalysisPolicy, Never> & Sendable {
        backing.policyChanges()
    }
}
