// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import SensitiveContentAnalysis

/// The state of one intervention: covers, panes and choices for one piece of media, from arrival to decision.
///
/// ```swift
/// var flow = InterventionFlow(policy: analyzer.analysisPolicy, direction: .receiving)
/// _ = flow.handle(.checkBegan)
/// do {
///     _ = flow.handle(.checkEnded(try await analyzer.analyzeImage(at: fileURL)))
/// } catch is CancellationError {
///     _ = flow.handle(.checkAbandoned)
/// } catch {
///     _ = flow.handle(.checkEnded(.unknown, policy: flow.policy))
/// }
/// view.draw(flow)
/// ```
///
/// The value has no clocks, threads or pixels. Give it events in order, and show its ``presentation``. Media stays
/// covered until it is judged harmless under the policy in force, or until the person decides to see it under that
/// policy. A covered stream continues only after a decision. Findings in the covered stream add up. A check does not
/// close the help pane. One decision covers one piece of media and one sending: make a flow for each.
///
/// The rules are those of Apple's article "Detecting nudity in media and providing intervention options";
/// docs/interventions.md lists them one by one.
public struct InterventionFlow: Sendable, Hashable {
    /// The direction in which the media travels.
    public let direction: MediaDirection
    /// The abilities of the app, on which some actions depend.
    public let abilities: Set<InterventionAbility>
    /// The policy in force.
    public private(set) var policy: SCSensitivityAnalysisPolicy
    package private(set) var stage: Stage
    private var check = Check.waiting
    /// A number that grows when the file may have been replaced, so that choices about earlier media do not count.
    package var mediaNumber = 0
    /// The verdict at the time of the person's decision; nil if the person has not decided.
    private var decidedVerdict: MediaVerdict?

    private enum Check: Sendable, Hashable {
        case waiting
        case running(fractionCompleted: Double?)
        case ended(MediaVerdict, policy: SCSensitivityAnalysisPolicy)
    }

    /// Creates the flow of media that was not checked yet.
    ///
    /// - Parameters:
    ///   - policy: the policy in force; report changes with ``InterventionEvent/policyChanged(_:)``.
    ///   - direction: the direction in which the media travels.
    ///   - abilities: the abilities of the app; an action that needs a missing ability is not offered.
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

    /// The verdict of the last check under any policy; nil before and during a check.
    ///
    /// The findings in a stream add up until it looks harmless, and a failed check does not remove them. A stream that
    /// waits for the person keeps its verdict during a check.
    public var verdict: MediaVerdict? {
        if case .ended(let verdict, _) = check { verdict } else { nil }
    }

    /// Whether the app should begin a check now and report it with ``InterventionEvent/checkBegan``.
    public var needsCheck: Bool {
        if case .running = check { return false }
        return stage == .checking
    }

    /// The share of the check that is done, from 0 to 1; nil without a check, or if the share is unknown.
    public var fractionCompleted: Double? {
        if case .running(let fraction) = check { fraction } else { nil }
    }

    /// Whether both flows present the same media with the same findings, policy and choices.
    func isSame(as other: InterventionFlow) -> Bool {
        presentation == other.presentation && verdict == other.verdict && policy == other.policy
            && mediaNumber == other.mediaNumber
    }

    /// Handles a choice that the person made in a flow on the screen.
    ///
    /// - Returns: the request to the app, or nil. If the flow has changed since, a choice to see or to send is ignored,
    ///   because it was about other findings.
    public mutating func choose(_ action: InterventionAction, in seen: InterventionFlow) -> InterventionRequest? {
        // An action that covers, asks for help or leaves counts also after a change.
        action.isSafe || isSame(as: seen) ? handle(.chosen(action)) : nil
    }

    /// Handles an event.
    ///
    /// - Returns: the request to the app that follows from a choice of the person, or nil.
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

    /// Stores the facts of an event, and returns its trigger for the transition table; nil if the stage cannot change.
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
            // The check was refused under a disabled policy, so it has no finding about the media.
            if case .running = check { check = .waiting }
            return nil
        case .checkEnded(let verdict, let judgedPolicy):
            if decidedVerdict?.includes(verdict) == true || isInterrupted && verdict == .notSensitive { return nil }
            let known = direction == .live ? self.verdict?.united(with: verdict) ?? verdict : verdict
            // A person who has seen, postponed or answered the question is not asked again about the same content.
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

    /// Whether a stream waits for the person; a harmless moment alone does not resume it.
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
        // The thresholds of a stricter policy are lower, so a new check might find something.
        case .notSensitive: return judgedPolicy.isAtLeastAsStrict(as: policy) ? .harmless : .unjudged
        }
    }
}
