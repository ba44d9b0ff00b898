// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Everything on which a verdict depends; compared before each analysis.
struct StreamConditions: Sendable, Hashable {
    let policy: AnalysisPolicy
    let isProtected: Bool
    let findsTestPatterns: Bool
    let threshold: ThresholdDemand?
    let configuration: SCSensitivityAnalyzer.Configuration
}
