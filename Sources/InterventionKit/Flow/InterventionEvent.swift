// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import SensitiveContentAnalysis

/// An event that can change a flow: a step of a check, a new policy, or an act of the person.
public enum InterventionEvent: Sendable, Hashable {
    /// A check has begun, for the first time or again, which voids earlier findings and decisions.
    case checkBegan
    /// A check has done this share of its work, from 0 to 1.
    case checkAdvanced(Double)
    /// A check was abandoned without a result, for example because the media is no longer visible.
    case checkAbandoned
    /// A check has ended with a verdict, judged under this policy; a stream may be judged many times.
    ///
    /// A check that fails under a disabled policy has no result, because the analysis was refused.
    case checkEnded(MediaVerdict, policy: SCSensitivityAnalysisPolicy)
    /// The policy in force has changed to this policy.
    case policyChanged(SCSensitivityAnalysisPolicy)
    /// The person has chosen an action; an action that is not offered is ignored.
    case chosen(InterventionAction)
    /// The person has closed the pane, which stands for ``InterventionPresentation/closingAction``.
    case closed

    /// Returns the event that a check has ended with an analysis, under the policy of the analysis.
    public static func checkEnded(_ analysis: SCSensitivityAnalysis) -> InterventionEvent {
        .checkEnded(MediaVerdict(analysis), policy: analysis.policy)
    }
}
