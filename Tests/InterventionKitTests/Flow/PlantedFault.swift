// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis

/// The table of transitions with one fault.
struct PlantedFault {
    let what: String
    let table: TransitionTable
    /// The trigger of the row with the fault; nil if the fault is not in a row.
    private let trigger: TransitionTable.Trigger?

    private init?(
        _ what: String, trigger: TransitionTable.Trigger? = nil, _ change: (inout TransitionTable) -> Void
    ) {
        var table = TransitionTable.standard
        change(&table)
        guard table != .standard else { return nil }
        (self.what, self.table, self.trigger) = (what, table, trigger)
    }

    private init?(
        _ what: String, row index: Int, _ change: (inout TransitionTable.Transition) -> Void
    ) {
        let trigger = Self.standard.transitions[index].trigger
        self.init("\(trigger), row \(index), \(what)", trigger: trigger) { change(&$0.transitions[index]) }
    }

    private static let standard = TransitionTable.standard
    private static let rows = Array(standard.transitions.enumerated())

    /// Rows and entries with a wrong target, at which something is shown or sent.
    static let inTargets: [PlantedFault] = Stage.decided.union([.open]).flatMap { stage in
        rows.compactMap { index, row in
            // Under a disabled policy, the entry leads to the same stage, so this change is no fault.
            if row.condition.policies == [.disabled], stage == .open { return nil }
            return PlantedFault("leads to \(stage)", row: index) { $0.target = .stage(stage) }
        }
            + standard.entries.indices.compactMap { index in
                PlantedFault("entry \(index) is \(stage)") { $0.entries[index].stage = stage }
            }
    }

    static let inRequests: [PlantedFault] = ([nil] + InterventionRequest.allCases).flatMap { request in
        rows.compactMap { index, _ in
            PlantedFault("asks for \(String(describing: request))", row: index) { $0.request = request }
        }
    }

    static let missingRows: [PlantedFault] = rows.compactMap { index, row in
        PlantedFault("\(row.trigger), row \(index), is missing") { $0.transitions.remove(at: index) }
    }

    /// Rows that hold in one stage too many or too few.
    static let inStages: [PlantedFault] = Stage.allCases.flatMap { stage in
        rows.compactMap { index, row in
            PlantedFault("\(row.stages.contains(stage) ? "lacks" : "has") \(stage)", row: index) {
                $0.stages.formSymmetricDifference([stage])
            }
        }
    }

    /// Rows and entries whose condition lacks a part, or has the opposite of it.
    static let inConditions: [PlantedFault] = changes.flatMap { name, change in
        rows.compactMap { index, _ in PlantedFault(name, row: index) { change(&$0.condition) } }
            + standard.entries.indices.compactMap { index in
                PlantedFault("entry \(index), \(name)") { change(&$0.entries[index].condition) }
            }
    }

    private typealias Change = (name: String, change: @Sendable (inout Condition) -> Void)

    private static let changes: [Change] = {
        var changes: [Change] = [
            ("for every policy", { $0.policies = nil }), ("in every direction", { $0.directions = nil }),
            ("whatever was found", { $0.standings = nil }), ("gory or not", { $0.isRevealedByDegrees = nil }),
            ("gory the other way round", { $0.isRevealedByDegrees = $0.isRevealedByDegrees.map { !$0 } }),
        ]
        for policy in FlowEnumeration.policies {
            changes.append(("not under \(policy)", { remove(policy, of: &$0.policies, FlowEnumeration.policies) }))
        }
        for direction in MediaDirection.allCases {
            changes.append(
                ("not when \(direction)", { remove(direction, of: &$0.directions, MediaDirection.allCases) }))
        }
        for standing in Standing.allCases {
            changes.append(("not where \(standing)", { remove(standing, of: &$0.standings, Standing.allCases) }))
        }
        return changes
    }()

    private static func remove<Value>(_ value: Value, of values: inout Set<Value>?, _ all: [Value]) {
        values = (values ?? Set(all)).subtracting([value])
    }

    /// Whether every flow behaves the same with this table, for all events.
    var changesNothing: Bool {
        Self.reachableFlows.allSatisfy { flow in
            flow.situation.standing != .unjudged
                || table.entry(in: flow.situation) == Self.standard.entry(in: flow.situation)
        }
            && Self.reachableFlows.allSatisfy { flow in
                events.allSatisfy { event in
                    var (one, other) = (flow, flow)
                    return one.handle(event) == other.handle(event, by: table) && one == other
                }
            }
    }

    private var events: [InterventionEvent] {
        FlowEnumeration.events.filter { event in
            switch (trigger, event) {
            case (nil, _), (.action, .closed), (.checkBegan, .checkBegan), (.judged, .checkEnded): true
            case (.policyTightened, .policyChanged), (.policyRelaxed, .policyChanged): true
            case (.action(let action), .chosen(let chosen)): action == chosen
            default: false
            }
        }
    }

    private static let reachableFlows: Set<InterventionFlow> = FlowEnumerationTests.starts.reduce(into: []) {
        $0.formUnion(FlowEnumeration($1.policy, $1.direction).layers.joined().map(\.flow))
    }
}
