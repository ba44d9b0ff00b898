// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import SensitiveContentAnalysis

extension SCSensitivityAnalysisPolicy {
    /// Whether what is harmless under this policy is harmless under the other as well; raw values grow with strictness.
    func isAtLeastAsStrict(as other: SCSensitivityAnalysisPolicy) -> Bool { rawValue >= other.rawValue }
}
