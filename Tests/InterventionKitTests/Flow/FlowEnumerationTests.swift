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

    @Test("never shows or sends what the person has not decided to under the policy in force", arguments: starts)
    func undecided(start: Start) {
        let enumeration = FlowEnumeration(start.policy, start.direction)
        #expect(enumeration.fault == nil)
        let depth = enumeration.layers.count - 1
        // Longer sequences lead to no other states, so all sequences of eight events are among those seen.
        #expect(depth <= 8)
        print(
            "\(start.policy), \(start.direction): \(enumeration.nodeCount) states, all reached by \(depth) of",
            "\(FlowEnumeration.events.count) events")
    }

    @Test("is the same for an app that can do nothing of itself", arguments: MediaDirection.allCases)
    func withoutAbilities(direction: MediaDirection) {
        #expect(FlowEnumeration(.descriptiveInterventions, direction, abilities: []).fault == nil)
    }

    @Test("offers each choice once, and no key or closing that lets anything through", arguments: starts)
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
                #expect(flow.presentation.cover == .full && !flow.presentation.maySend && !bold.contains(closing))
            }
            // A pane that interrupts can always be left, and has a key; only children are interrupted.
            if presentation.style == .modal {
                #expect(presentation.closingAction != nil && presentation.defaultAction != nil)
                #expect(node.flow.policy == .descriptiveInterventions)
            }
            #expect(presentation.pane != nil || presentation.actions.isEmpty)
        }
    }

    /// Each row of the table, with each way to be wrong that could show or send something.
    static let faults: [(what: String, table: TransitionTable)] = {
        let standard = TransitionTable.standard
        var faults: [(String, TransitionTable)] = []
        for stage in Stage.decided.union([.open]) {
            for index in standard.transitions.indices where standard.transitions[index].target != .stage(stage) {
                // Where nothing is asked for any more, the entry is the same stage.
                if standard.transitions[index].condition.policies == [.disabled], stage == .open { continue }
                var table = standard
                table.transitions[index].target = .stage(stage)
                faults.append(("\(standard.transitions[index].trigger), row \(index), leads to \(stage)", table))
            }
            for index in standard.entries.indices where standard.entries[index].stage != stage {
                var table = standard
                table.entries[index].stage = stage
                faults.append(("entry \(index) is \(stage)", table))
            }
        }
        for index in standard.transitions.indices {
            for request in [nil] + InterventionRequest.allCases where request != standard.transitions[index].request {
                var table = standard
                table.transitions[index].request = request
                faults.append(("\(standard.transitions[index].trigger), row \(index), asks for another thing", table))
            }
            var table = standard
            table.transitions.remove(at: index)
            faults.append(("\(standard.transitions[index].trigger), row \(index), is missing", table))
        }
        return faults
    }()

    @Test("is found to do so where any row of the table is wrong")
    func plantedFaults() {
        var missed: [String] = []
        for (what, table) in Self.faults {
            let isFound = Self.starts.contains {
                FlowEnumeration($0.policy, $0.direction, table: table).fault != nil
            }
            if !isFound { missed.append(what) }
        }
        print("\(Self.faults.count) faults planted, \(Self.faults.count - missed.count) found")
        #expect(missed == [])
    }
}
