// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import InterventionKit
import SensitiveContentAnalysis

/// Decides without the transition table whether media may be shown and sent after a history of events.
///
/// The oracle keeps the history and not the stage of a flow, so a fault in the table is no fault of the oracle.
struct DecisionOracle: Hashable {
    let direction: MediaDirection
    private(set) var policy: SCSensitivityAnalysisPolicy
    private var judged: Judgement?
    private var decision = Decision.none
    private var pause = Pause.none

    /// The reason why nothing is shown or sent: the person looks for help, or a child has refused.
    private enum Pause: Hashable {
        case none
        case forHelp
        case byNo
    }

    private struct Judgement: Hashable {
        let verdict: MediaVerdict
        let policy: SCSensitivityAnalysisPolicy
    }

    private enum Decision: Hashable {
        case none
        case isSure
        case seeing(MediaVerdict, degree: Int)
        case sending(MediaVerdict)
    }

    init(policy: SCSensitivityAnalysisPolicy, direction: MediaDirection) {
        self.policy = policy
        self.direction = direction
    }

    /// Whether a child has refused, and has not reconsidered since.
    var hasSaidNo: Bool { pause == .byNo }

    private var needsNoDecision: Bool {
        if policy == .disabled || policy == .simpleInterventions && direction == .sending { return true }
        guard let judged, judged.verdict == .notSensitive else { return false }
        return judged.policy.rawValue >= policy.rawValue
    }

    /// The least cover that the media must have.
    var cover: InterventionPresentation.Cover {
        if pause != .none { return .full }
        if needsNoDecision { return .none }
        guard case .seeing(_, let degree) = decision else { return .full }
        return [.coarse, .fine, .none][degree]
    }

    var maySend: Bool {
        guard direction == .sending, pause == .none else { return false }
        if case .sending = decision { return true }
        return needsNoDecision
    }

    /// - Parameter presentation: the presentation of the flow before the event.
    mutating func note(_ event: InterventionEvent, presented presentation: InterventionPresentation) {
        switch event {
        case .checkAdvanced, .checkAbandoned: break
        case .checkBegan: if !isInterrupted { forget(nil) }
        case .checkEnded(let verdict, let policy): note(Judgement(verdict: verdict, policy: policy))
        case .policyChanged(let new):
            if new != policy { pause = .none }
            if case .seeing = decision, new.rawValue <= policy.rawValue, new != .disabled {
            } else if new != policy {
                decision = .none
            }
            policy = new
        case .closed:
            if presentation.closingAction != nil {
                (decision, pause) = (.none, policy == .descriptiveInterventions ? .byNo : .none)
            }
        case .chosen(let action):
            if presentation.offers(action) { note(action) }
        }
    }

    private mutating func note(_ new: Judgement) {
        // The check was unnecessary, because analysis was disabled.
        if new.verdict == .unknown, new.policy == .disabled { return }
        if isInterrupted, new.verdict == .notSensitive || new.verdict == judged?.verdict { return }
        switch decision {
        case .seeing(let known, _) where Self.isNoNews(new.verdict, to: known): return
        case .sending(let known) where Self.isNoNews(new.verdict, to: known): return
        default: break
        }
        guard direction == .live, case .sensitive(let old) = judged?.verdict else { return forget(new) }
        // A stream may have shown all types that were found since it was last harmless.
        switch new.verdict {
        case .notSensitive: forget(new)
        case .unknown where isInterrupted: break
        case .unknown: forget(Judgement(verdict: .sensitive(old), policy: new.policy))
        case .sensitive(let types) where types.isSubset(of: old) && (isInterrupted || hasDecided(on: old)): break
        case .sensitive(let types): forget(Judgement(verdict: .sensitive(old.union(types)), policy: new.policy))
        }
    }

    private mutating func forget(_ new: Judgement?) {
        (judged, decision) = (new, .none)
    }

    private func hasDecided(on types: Set<SCSensitivityAnalysis.ContentType>) -> Bool {
        if case .seeing(.sensitive(types), _) = decision { true } else { false }
    }

    /// Whether a stream was covered because of a verdict, and the person has not decided to continue.
    private var isInterrupted: Bool {
        if case .seeing = decision { return false }
        return direction == .live && policy != .disabled && judged != nil && judged?.verdict != .notSensitive
    }

    /// Returns the request to the app that an event may cause.
    func request(
        by event: InterventionEvent, presented presentation: InterventionPresentation
    ) -> InterventionRequest? {
        guard case .chosen(let action) = event, presentation.offers(action) else { return nil }
        switch action {
        case .send:
            if case .sending = decision { return .send }
            return nil
        case .contactGrownUp: return .contactGrownUp
        case .blockContact: return .blockContact
        case .leaveStream: return .leaveStream
        default: return nil
        }
    }

    private mutating func note(_ action: InterventionAction) {
        switch action {
        case .help: pause = .forHelp
        case .leaveHelp where policy == .simpleInterventions: pause = .none
        case .decline, .leaveHelp, .contactGrownUp, .cover, .blockContact, .leaveStream:
            pause = policy == .descriptiveInterventions ? .byNo : .none
        case .reconsider, .tryAgain: pause = .none
        case .show, .showMore, .proceed, .view, .send: break
        }
        let isGory: Bool
        if case .sensitive(let types) = judged?.verdict {
            isGory = types.contains(.goreOrViolence)
        } else {
            isGory = false
        }
        switch (action, decision) {
        case (.show, .none) where policy == .simpleInterventions, (.view, .isSure):
            if let judged { decision = .seeing(judged.verdict, degree: isGory ? 0 : 2) }
        case (.showMore, .seeing(let verdict, let degree)) where degree < 2:
            decision = .seeing(verdict, degree: degree + 1)
        case (.proceed, .none) where policy == .descriptiveInterventions: decision = .isSure
        case (.send, .isSure): if let judged { decision = .sending(judged.verdict) }
        case (.tryAgain, _): (judged, decision) = (nil, .none)
        default: decision = .none
        }
    }

    private static func isNoNews(_ verdict: MediaVerdict, to known: MediaVerdict) -> Bool {
        switch (known, verdict) {
        case (.sensitive(let old), .sensitive(let new)): old == new || !new.isEmpty && new.isStrictSubset(of: old)
        case (.sensitive, .unknown), (.unknown, .unknown): true
        default: false
        }
    }
}
