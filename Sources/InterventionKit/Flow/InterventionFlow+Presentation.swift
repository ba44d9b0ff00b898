// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import SensitiveContentAnalysis

extension InterventionFlow {
    /// The presentation that the app shows now.
    public var presentation: InterventionPresentation {
        switch stage {
        case .checking: pane(.checking)
        case .open: pane(nil, cover: .none)
        case .covered:
            pane(
                .notice, actions: [.show] + ifUnknown(.tryAgain) + able(.leaveStream),
                menu: [.help] + able(.blockContact))
        case .explaining:
            pane(
                .explanation, actions: [.decline] + able(.leaveStream) + [.help] + ifUnknown(.tryAgain) + [.proceed],
                menu: able(.contactGrownUp) + able(.blockContact), isModal: true, closing: .decline)
        case .confirming:
            pane(
                .confirmation, actions: [.decline] + able(.contactGrownUp) + [direction == .sending ? .send : .view],
                menu: [.help] + able(.leaveStream) + able(.blockContact), isModal: true, closing: .decline)
        case .declined:
            pane(
                .declined, actions: ifUnknown(.tryAgain) + able(.leaveStream) + [.reconsider],
                menu: [.help] + able(.contactGrownUp) + able(.blockContact))
        case .helping:
            policy == .descriptiveInterventions
                ? pane(
                    .help, actions: [.leaveHelp] + able(.contactGrownUp) + [.decline], isModal: true, closing: .decline)
                : pane(.help, actions: [.leaveHelp], closing: .leaveHelp)
        case .revealedCoarsely: revealed(.coarse)
        case .revealedFinely: revealed(.fine)
        case .revealed: revealed(.none)
        case .sendingAllowed: pane(nil)
        }
    }

    private func revealed(_ cover: InterventionPresentation.Cover) -> InterventionPresentation {
        let menu = [InterventionAction.help] + able(.contactGrownUp) + able(.blockContact) + able(.leaveStream)
        return cover == .none
            ? pane(nil, cover: cover, menu: [.cover] + menu)
            : pane(.degree, cover: cover, actions: [.cover, .showMore], menu: menu)
    }

    private func pane(
        _ pane: InterventionPresentation.Pane?, cover: InterventionPresentation.Cover = .full,
        actions: [InterventionAction] = [], menu: [InterventionAction] = [], isModal: Bool = false,
        closing: InterventionAction? = nil
    ) -> InterventionPresentation {
        InterventionPresentation(
            cover: cover, pane: pane, style: isModal ? .modal : .inline, actions: actions, menu: menu,
            // A modal pane starts with its safe choice. An inline pane must not take keys of other views.
            defaultAction: isModal ? actions.first : nil, closingAction: closing,
            maySend: direction == .sending && (stage == .open || stage == .sendingAllowed))
    }

    /// Returns the action if the app can do it and the situation allows it, or else an empty list.
    private func able(_ action: InterventionAction) -> [InterventionAction] {
        let isPossible =
            switch action {
            case .contactGrownUp: abilities.contains(.contactGrownUp) && policy == .descriptiveInterventions
            case .blockContact: abilities.contains(.blockContact) && direction != .sending
            case .leaveStream: abilities.contains(.leaveStream) && direction == .live
            default: true
            }
        return isPossible ? [action] : []
    }

    private func ifUnknown(_ action: InterventionAction) -> [InterventionAction] {
        verdict == .unknown ? [action] : []
    }
}
