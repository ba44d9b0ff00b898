// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import SensitiveContentAnalysis

/// Something that happens to media or is done by the person.
public enum InterventionEvent: Sendable, Hashable {
    /// A check has begun, for the first time or anew; whatever was known and decided before is void.
    case checkBegan
    /// A check has come so far, from 0 to 1.
    case checkAdvanced(Double)
    /// A check was given up, for example because the media is no longer in sight; nothing is known.
    case checkAbandoned
    /// A check has ended with a verdict, judged under this policy; a stream may be judged many times.
    ///
    /// One that fails under a disabled policy says nothing, since nobody wanted it.
    case checkEnded(MediaVerdict, policy: SCSensitivityAnalysisPolicy)
    /// The policy in force is now this one.
    case policyChanged(SCSensitivityAnalysisPolicy)
    /// The person has chosen an action; one that is not offered is ignored.
    case chosen(InterventionAction)
    /// The person has closed the pane without choosing an action, which means no.
    case closed

    /// A check has ended with an analysis, which carries the policy under which it was made.
    public static func checkEnded(_ analysis: SCSensitivityAnalysis) -> InterventionEvent {
        .checkEnded(MediaVerdict(analysis), policy: analysis.policy)
    }
}

/// The way that media takes, seen from the person who is protected.
public enum MediaDirection: String, Sendable, Hashable, CaseIterable {
    /// A picture or a video that has come from somebody else.
    case receiving
    /// A picture or a video that the person is about to send.
    case sending
    /// A stream, such as a video call, that is judged while it runs.
    case live
}
