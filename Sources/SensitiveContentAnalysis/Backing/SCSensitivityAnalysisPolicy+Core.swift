// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension SCSensitivityAnalysisPolicy {
    init(_ policy: AnalysisPolicy) {
        self =
            switch policy {
            case .disabled: .disabled
            case .simple: .simpleInterventions
            case .descriptive: .descriptiveInterventions
            }
    }
}

extension AnalysisPolicy {
    init(_ policy: SCSensitivityAnalysisPolicy) {
        self =
            switch policy {
            case .disabled: .disabled
            case .simpleInterventions: .simple
            case .descriptiveInterventions: .descriptive
            }
    }
}
