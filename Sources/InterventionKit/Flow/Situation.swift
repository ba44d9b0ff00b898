// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

/// The facts besides the stage on which a transition can depend.
package struct Situation: Sendable, Hashable {
    package let policy: SCSensitivityAnalysisPolicy
    package let direction: MediaDirection
    package let standing: Standing
    /// Whether the media shows content that is revealed by degrees, such as gore.
    package let isRevealedByDegrees: Bool
}

extension SCSensitivityAnalysisPolicy {
    /// Whether media that is harmless under this policy is harmless under the other; raw values grow with strictness.
    func isAtLeastAsStrict(as other: SCSensitivityAnalysisPolicy) -> Bool { rawValue >= other.rawValue }
}
