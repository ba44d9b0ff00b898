// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis

/// Enumerates all states that a flow can reach by any events, each with the permissions of the oracle.
struct FlowEnumeration {
    struct Node: Hashable {
        var flow: InterventionFlow
        var oracle: DecisionOracle
    }

    struct Fault: CustomStringConvertible {
        let events: [InterventionEvent]
        let what: String

        var description: String { "\(what) after \(events)" }
    }

    /// The nodes, grouped by the length of the shortest sequence of events that leads to them.
    private(set) var layers: [[Node]] = []
    private(set) var fault: Fault?
    private let table: TransitionTable
    private var origins: [Node: (Node, InterventionEvent)?] = [:]

    static let policies: [SCSensitivityAnalysisPolicy] = [.disabled, .simpleInterventions, .descriptiveInterventions]
    static let verdicts: [MediaVerdict] = [
        .notSensitive, .unknown, .sensitive([]), .sensitive([.sexuallyExplicit]), .sensitive([.goreOrViolence]),
        .sensitive([.sexuallyExplicit, .goreOrViolence]),
    ]
    static let events: [InterventionEvent] =
        [.checkBegan, .checkAdvanced(0.5), .checkAbandoned, .closed] + policies.map { .policyChanged($0) }
        + verdicts.flatMap { verdict in policies.map { .checkEnded(verdict, policy: $0) } }
        + InterventionAction.allCases.map { .chosen($0) }

    var nodeCount: Int { origins.count }

    /// Visits all reachable states, and stops at the first fault.
    init(
        _ policy: SCSensitivityAnalysisPolicy, _ direction: MediaDirection,
        abilities: Set<InterventionAbility> = Set(InterventionAbility.allCases), table: TransitionTable = .standard
    ) {
        self.table = table
        let start = Node(
            flow: InterventionFlow(policy: policy, direction: direction, abilities: abilities, table: table),
            oracle: DecisionOracle(policy: policy, direction: direction))
        origins[start] = .some(nil)
        var layer = [start]
        check(start)
        while !layer.isEmpty, fault == nil {
            layers.append(layer)
            var next: [Node] = []
            for node in layer {
                for event in Self.events {
                    var following = node
                    following.oracle.note(event, presented: node.flow.presentation)
                    let request = following.flow.handle(event, by: table)
                    if request != following.oracle.request(by: event, presented: node.flow.presentation) {
                        fault = Fault(
                            events: path(to: node) + [event], what: "\(String(describing: request)) is asked for")
                        return
                    }
                    if case .policyChanged(let new) = event, new.rawValue > node.flow.policy.rawValue,
                        following.flow.presentation.pane == .help
                    {
                        fault = Fault(events: path(to: node) + [event], what: "a stricter policy says nothing new")
                        return
                    }
                    if event == .chosen(.leaveHelp), node.flow.presentation.pane == .help,
                        following.flow.presentation.pane == .explanation
                    {
                        fault = Fault(
                            events: path(to: node) + [event], what: "a child who looked for help is asked at once")
                        return
                    }
                    guard origins[following] == nil else { continue }
                    origins[following] = .some((node, event))
                    check(following)
                    if fault != nil { return }
                    next.append(following)
                }
            }
            layer = next
        }
    }

    private mutating func check(_ node: Node) {
        let presentation = node.flow.presentation
        if presentation.cover != node.oracle.cover {
            fault = Fault(
                events: path(to: node),
                what: "the cover is \(presentation.cover) where it should be \(node.oracle.cover)")
        } else if presentation.maySend != node.oracle.maySend {
            fault = Fault(events: path(to: node), what: "sending is \(presentation.maySend ? "" : "not ")possible")
        } else if !Self.fits(presentation, node.flow.policy) {
            fault = Fault(events: path(to: node), what: "the pane is \(presentation) under \(node.flow.policy)")
        } else if presentation.pane == .checking, node.flow.situation.standing != .unjudged {
            fault = Fault(events: path(to: node), what: "a check is waited for that has ended")
        } else if Self.asks(presentation), node.flow.situation.standing == .unjudged, !node.oracle.hasSaidNo {
            fault = Fault(events: path(to: node), what: "something is asked about media of which nothing is known")
        } else if presentation.cover == .full, presentation.pane == nil, !presentation.maySend {
            fault = Fault(events: path(to: node), what: "nothing is shown, said or sent")
        } else if let action = (presentation.actions + presentation.menu).first(where: { !hasEffect($0, node.flow) }) {
            fault = Fault(events: path(to: node), what: "\(action) is offered and does nothing")
        }
    }

    /// Whether the pane is about the verdict of a check.
    private static func asks(_ presentation: InterventionPresentation) -> Bool {
        switch presentation.pane {
        case .notice, .explanation, .confirmation, .declined, .degree: true
        case .checking, .help, nil: false
        }
    }

    private func hasEffect(_ action: InterventionAction, _ flow: InterventionFlow) -> Bool {
        var following = flow
        return following.handle(.chosen(action), by: table) != nil || following != flow
    }

    /// Whether a pane fits the policy: adults are not interrupted, and children get their own panes.
    private static func fits(
        _ presentation: InterventionPresentation, _ policy: SCSensitivityAnalysisPolicy
    ) -> Bool {
        switch presentation.pane {
        case .explanation, .confirmation: presentation.style == .modal && policy == .descriptiveInterventions
        case .declined: policy == .descriptiveInterventions
        case .notice: presentation.style == .inline && policy == .simpleInterventions
        case .help:
            // A child who needs help gets a modal pane, so nothing around it distracts the child.
            policy != .disabled && (presentation.style == .modal) == (policy == .descriptiveInterventions)
        case .checking, .degree, nil: policy != .disabled || presentation.pane == nil
        }
    }

    private func path(to node: Node) -> [InterventionEvent] {
        var events: [InterventionEvent] = []
        var node = node
        while let origin = origins[node], let (previous, event) = origin {
            events.insert(event, at: 0)
            node = previous
        }
        return events
    }
}
