// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The rules of the flow as data; the documentation's diagram is made from them, and tests insert faults into them.
package struct TransitionTable: Sendable, Hashable {
    /// The rows that give the stage of media on which the person has not decided; the first row that fits applies.
    package var entries: [Entry]
    /// The transitions between stages; the first row that fits applies; without a row the stage stays.
    package var transitions: [Transition]

    package struct Entry: Sendable, Hashable {
        package var condition: Condition
        package var stage: Stage
    }

    package struct Transition: Sendable, Hashable {
        package var stages: Set<Stage>
        package let trigger: Trigger
        package var condition: Condition
        package var target: Target
        package var request: InterventionRequest?
    }

    package enum Trigger: Sendable, Hashable {
        case checkBegan
        /// A check has ended with a finding on which the person has not decided.
        case judged
        case policyTightened
        case policyRelaxed
        case action(InterventionAction)
    }

    package enum Target: Sendable, Hashable {
        case stage(Stage)
        /// The stage that ``entries`` give for media on which the person has not decided.
        case entry
    }

    package func entry(in situation: Situation) -> Stage {
        // A table without a fitting row must still cover the media.
        entries.first { $0.condition.holds(in: situation) }?.stage ?? .checking
    }

    package func transition(from stage: Stage, on trigger: Trigger, in situation: Situation) -> Transition? {
        transitions.first {
            $0.trigger == trigger && $0.stages.contains(stage) && $0.condition.holds(in: situation)
        }
    }
}
