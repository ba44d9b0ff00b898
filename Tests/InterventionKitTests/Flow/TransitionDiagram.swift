// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis

/// Draws the table of transitions as a state diagram of Mermaid, for the documentation.
enum TransitionDiagram {
    static func mermaid(of table: TransitionTable) -> String {
        var lines = ["stateDiagram-v2", "    state entry <<choice>>", "    [*] --> entry"]
        for entry in table.entries {
            lines.append("    entry --> \(entry.stage.rawValue) : \(text(of: entry.condition) ?? "otherwise")")
        }
        // All transitions from one stage to another share an arrow.
        var labels: [[String]: [String]] = [:]
        var order: [[String]] = []
        for transition in table.transitions {
            guard case .action(let action) = transition.trigger else { continue }
            for stage in Stage.allCases where transition.stages.contains(stage) {
                let arrow = [stage.rawValue, name(of: transition.target)]
                if labels[arrow] == nil { order.append(arrow) }
                let condition = text(of: transition.condition).map { " (\($0))" } ?? ""
                labels[arrow, default: []].append("\(action)\(condition)")
            }
        }
        lines += order.map { "    \($0[0]) --> \($0[1]) : \((labels[$0] ?? []).joined(separator: ", "))" }
        return lines.joined(separator: "\n")
    }

    /// Returns the transitions that no action of the person triggers, as a Markdown table.
    static func facts(of table: TransitionTable) -> String {
        let rows = table.transitions.compactMap { transition -> String? in
            if case .action = transition.trigger { return nil }
            let stages =
                transition.stages == Stage.all
                ? "any" : Stage.allCases.filter(transition.stages.contains).map(\.rawValue).joined(separator: ", ")
            let condition = text(of: transition.condition).map { ", \($0)" } ?? ""
            return "| \(transition.trigger)\(condition) | \(stages) | \(name(of: transition.target)) |"
        }
        return (["| what happens | from | to |", "| - | - | - |"] + rows).joined(separator: "\n")
    }

    private static func name(of target: TransitionTable.Target) -> String {
        switch target {
        case .stage(let stage): stage.rawValue
        case .entry: "entry"
        }
    }

    private static func text(of condition: Condition) -> String? {
        var parts: [String] = []
        if let policies = condition.policies {
            parts += ["policy \(policies.map { "\($0)" }.sorted().joined(separator: " or "))"]
        }
        if let directions = condition.directions {
            parts += [directions.map { "\($0)" }.sorted().joined(separator: " or ")]
        }
        if let standings = condition.standings {
            parts += [standings.map { "\($0)" }.sorted().joined(separator: " or ")]
        }
        if let isRevealedByDegrees = condition.isRevealedByDegrees {
            parts += [isRevealedByDegrees ? "gore" : "no gore"]
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
