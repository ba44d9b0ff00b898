// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis
import Testing

@Suite("All that can happen to media")
struct FlowEnumerationTests {
    typealias Start = (policy: SCSensitivityAnalysisPolicy, direction: MediaDirection)

    static let starts: [Start] = FlowEnumeration.policies.flatMap { policy in
        MediaDirection.allCases.map { (policy, $0) }
    }

    @Test(
        "No sequence of events shows or sends content without the person's decision under the policy in force",
        arguments: starts)
    func undecided(start: Start) {
        let enumeration = FlowEnumeration(start.policy, start.direction)
        #expect(enumeration.fault == nil)
        let depth = enumeration.layers.count - 1
        // Longer sequences lead to no further states, so the enumeration covers all sequences of eight events.
        #expect(depth <= 6 && enumeration.nodeCount <= 186, "docs/interventions.md says so")
        #expect(FlowEnumeration.events.count == 39 && enumeration.nodeCount > 100 && depth >= 4)
        print(
            "\(start.policy), \(start.direction): \(enumeration.nodeCount) states, all reached by \(depth) of",
            "\(FlowEnumeration.events.count) events")
    }

    @Test("The enumeration has as many states and events as docs/interventions.md says")
    func extent() {
        let all = Self.starts.map { FlowEnumeration($0.policy, $0.direction) }
        #expect(all.map(\.nodeCount).max() == 186 && all.map { $0.layers.count - 1 }.max() == 6)
    }

    @Test("Each action of the table of transitions is offered in each of its stages")
    func rows() {
        let flows = Set(Self.starts.flatMap { FlowEnumeration($0.policy, $0.direction).layers.joined().map(\.flow) })
        for transition in TransitionTable.standard.transitions {
            guard case .action(let action) = transition.trigger else { continue }
            for stage in transition.stages {
                let isOffered = flows.contains { flow in
                    flow.stage == stage && transition.condition.holds(in: flow.situation)
                        && flow.presentation.offers(action)
                }
                #expect(isOffered, "\(action) is offered nowhere in \(stage)")
            }
        }
    }

    @Test(
        "Actions that the app cannot do are not offered, and nothing more is let through without them",
        arguments: starts)
    func withoutAbilities(start: Start) {
        let enumeration = FlowEnumeration(start.policy, start.direction, abilities: [])
        #expect(enumeration.fault == nil && enumeration.nodeCount > 100)
        for node in enumeration.layers.joined() {
            for action in [InterventionAction.contactGrownUp, .blockContact, .leaveStream] {
                #expect(!node.flow.presentation.offers(action))
            }
        }
    }

    @Test("Each choice is offered once, and no key or closing lets content through", arguments: starts)
    func offers(start: Start) {
        let enumeration = FlowEnumeration(start.policy, start.direction)
        let bold: Set<InterventionAction> = [.show, .showMore, .proceed, .view, .send]
        for node in enumeration.layers.joined() {
            let presentation = node.flow.presentation
            let offered = presentation.actions + presentation.menu
            #expect(Set(offered).count == offered.count, "\(presentation)")
            if let standard = presentation.defaultAction {
                #expect(!bold.contains(standard) && presentation.actions.first == standard)
            }
            if let closing = presentation.closingAction {
                var flow = node.flow
                _ = flow.handle(.closed)
                // A picture that was found harmless while the person looked for help needs no decision.
                let isHarmless = node.flow.situation.standing == .harmless && closing == .leaveHelp
                #expect(isHarmless || flow.presentation.cover == .full && !flow.presentation.maySend)
                #expect(!bold.contains(closing))
            }
            if node.flow.policy != .descriptiveInterventions { #expect(presentation.defaultAction == nil) }
            // A modal pane can always be closed and has a default action; only children get modal panes.
            if presentation.style == .modal {
                #expect(presentation.closingAction != nil && presentation.defaultAction != nil)
                #expect(node.flow.policy == .descriptiveInterventions)
            }
            #expect(presentation.pane != nil || presentation.actions.isEmpty)
        }
    }
}
