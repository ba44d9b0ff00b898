// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import SensitiveContentAnalysis

/// What is covered, said and asked of one piece of media, from its arrival to the person's decision.
///
/// A value without clocks, threads or pixels: give it what happens, in order, and show what it presents. Media is
/// covered until it has been judged harmless under the policy in force, or the person has decided to see it under
/// that policy. A stream that was covered goes on only after a decision, and what is found in it meanwhile adds to what
/// was found before. Who looks for help is not called away from it by a check. Nobody can decide for several pieces of
/// media at once, nor for sending one again: make a flow for each.
///
/// The rules are those of Apple's article "Detecting nudity in media and providing intervention options";
/// docs/interventions.md lists them one by one.
public struct InterventionFlow: Sendable, Hashable {
    /// The way that the media takes.
    public let direction: MediaDirection
    /// What the app can do if the person asks for it.
    public let abilities: Set<InterventionAbility>
    /// The policy in force.
    public private(set) var policy: SCSensitivityAnalysisPolicy
    package private(set) var stage: Stage
    private var check = Check.waiting
    /// Which media the flow is about, where another can come in the place of the first.
    package var mediaNumber = 0
    /// What was known of the media when the person decided; nil where nothing has been decided.
    private var decidedVerdict: MediaVerdict?

    private enum Check: Sendable, Hashable {
        case waiting
        case running(fractionCompleted: Double?)
        case ended(MediaVerdict, policy: SCSensitivityAnalysisPolicy)
    }

    /// Creates the flow of media of which nothing is known yet.
    ///
    /// - Parameters:
    ///   - policy: the policy in force; tell changes with ``InterventionEvent/policyChanged(_:)``.
    ///   - direction: the way that the media takes.
    ///   - abilities: what the app can do if the person asks for it; what it cannot do is not offered.
    public init(
        policy: SCSensitivityAnalysisPolicy, direction: MediaDirection, abilities: Set<InterventionAbility> = []
    ) {
        self.init(policy: policy, direction: direction, abilities: abilities, table: .standard)
    }

    package init(
        policy: SCSensitivityAnalysisPolicy, direction: MediaDirection, abilities: Set<InterventionAbility>,
        table: TransitionTable
    ) {
        self.policy = policy
        self.direction = direction
        self.abilities = abilities
        stage = .checking
        stage = table.entry(in: situation)
    }

    /// What has been found, under whatever policy; nil while no check has ended.
    ///
    /// Of a stream, all that was found since it last looked harmless; a check that fails does not take it back.
    public var verdict: MediaVerdict? {
        if case .ended(let verdict, _) = check { verdict } else { nil }
    }

    /// Whether the app should begin a check now, and say so with ``InterventionEvent/checkBegan``.
    public var needsCheck: Bool {
        if case .running = check { return false }
        return stage == .checking
    }

    /// How far the check is, from 0 to 1; nil where none is under way or it cannot tell.
    public var fractionCompleted: Double? {
        if case .running(let fraction) = check { fraction } else { nil }
    }

    /// Whether a person who has seen one has seen the other.
    func isSame(as other: InterventionFlow) -> Bool {
        presentation == other.presentation && verdict == other.verdict && policy == other.policy
            && mediaNumber == other.mediaNumber
    }

    /// Takes what the person has chosen in a flow that they have seen.
    ///
    /// - Returns: what the app is to do now, or nil. Where something else was found meanwhile, a choice to see or to send
    ///   was not about that, and is ignored.
    public mutating func choose(_ action: InterventionAction, in seen: InterventionFlow) -> InterventionRequest? {
        // An action that covers, asks for help or leaves is never too late.
        action.isSafe || isSame(as: seen) ? handle(.chosen(action)) : nil
    }

    /// Takes what has happened.
    ///
    /// - Returns: what the app is to do now because the person has chosen it, or nil.
    public mutating func handle(_ event: InterventionEvent) -> InterventionRequest? {
        handle(event, by: .standard)
    }

    package mutating func handle(_ event: InterventionEvent, by table: TransitionTable) -> InterventionRequest? {
        guard let trigger = note(event),
            let transition = table.transition(from: stage, on: trigger, in: situation)
        else { return nil }
        switch transition.target {
        case .stage(let next): stage = next
        case .entry: stage = table.entry(in: situation)
        }
        if !Stage.decided.contains(stage) {
            decidedVerdict = nil
        } else if decidedVerdict == nil {
            decidedVerdict = verdict
        }
        return transition.request
    }

    /// Keeps what has become known, and tells what that means for the table; nil where it means nothing.
    private mutating func note(_ event: InterventionEvent) -> TransitionTable.Trigger? {
        switch event {
        case .checkBegan:
            if isInterrupted { return nil }
            check = .running(fractionCompleted: nil)
            return .checkBegan
        case .checkAdvanced(let fraction):
            if case .running = check, fraction.isFinite {
                check = .running(fractionCompleted: min(max(fraction, 0), 1))
            }
            return nil
        case .checkAbandoned, .checkEnded(.unknown, policy: .disabled):
            // What was refused because nobody wanted it says nothing of the media.
            if case .running = check { check = .waiting }
            return nil
        case .checkEnded(let verdict, let judgedPolicy):
            if decidedVerdict?.includes(verdict) == true || isInterrupted && verdict == .notSensitive { return nil }
            let known = direction == .live ? self.verdict?.united(with: verdict) ?? verdict : verdict
            // Whoever thinks about it, has put it off or has decided is not asked again for the same.
            if known == self.verdict, isInterrupted || decidedVerdict == known { return nil }
            check = .ended(known, policy: judgedPolicy)
            return .judged
        case .policyChanged(let new):
            guard new != policy else { return nil }
            defer { policy = new }
            return policy.isAtLeastAsStrict(as: new) ? .policyRelaxed : .policyTightened
        case .chosen(let action):
            guard presentation.offers(action) else { return nil }
            if action == .tryAgain { check = .waiting }
            return .action(action)
        case .closed:
            return presentation.closingAction.map { .action($0) }
        }
    }

    /// Whether a stream waits for the person: it goes on after a decision, not because it looks harmless for a moment.
    private var isInterrupted: Bool { direction == .live && Stage.interrupted.contains(stage) }

    package var situation: Situation {
        Situation(
            policy: policy, direction: direction, standing: standing,
            isRevealedByDegrees: verdict?.ruledTypes.contains(where: \.isRevealedByDegrees) == true)
    }

    private var standing: Standing {
        guard case .ended(let verdict, let judgedPolicy) = check else { return .unjudged }
        switch verdict {
        case .sensitive: return .sensitive
        case .unknown: return .unknown
        // A stricter policy has lower thresholds, and might find something.
        case .notSensitive: return judgedPolicy.isAtLeastAsStrict(as: policy) ? .harmless : .unjudged
        }
    }
}
