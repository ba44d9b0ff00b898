// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The rules of the flow as data: the diagram in the documentation is made of it, and tests plant faults in it.
package struct TransitionTable: Sendable, Hashable {
    /// Where media stands when nothing has been decided; the first row whose condition holds.
    package var entries: [Entry]
    /// Where media goes from a stage: the first row that fits, or nowhere without one.
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
        /// A check has ended with something on which the person has not decided.
        case judged
        case policyTightened
        case policyRelaxed
        case action(InterventionAction)
    }

    package enum Target: Sendable, Hashable {
        case stage(Stage)
        /// Where media stands when nothing has been decided.
        case entry
    }

    package func entry(in situation: Situation) -> Stage {
        // Covered, whatever a table may lack.
        entries.first { $0.condition.holds(in: situation) }?.stage ?? .checking
    }

    package func transition(from stage: Stage, on trigger: Trigger, in situation: Situation) -> Transition? {
        transitions.first {
            $0.trigger == trigger && $0.stages.contains(stage) && $0.condition.holds(in: situation)
        }
    }
}
