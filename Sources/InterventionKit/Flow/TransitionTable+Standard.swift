// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import SensitiveContentAnalysis

extension TransitionTable {
    /// The rules of this package; docs/interventions.md has the source of each rule.
    package static let standard = TransitionTable(entries: entries, transitions: facts + decisions + departures)

    private static let entries = [
        Entry(condition: Condition([.disabled]), stage: .open),
        // Adults may send unchecked media.
        Entry(condition: Condition([.simpleInterventions], [.sending]), stage: .open),
        Entry(condition: Condition(standings: [.unjudged]), stage: .checking),
        Entry(condition: Condition(standings: [.harmless]), stage: .open),
        Entry(condition: Condition([.simpleInterventions]), stage: .covered),
        Entry(condition: Condition(), stage: .explaining),
    ]

    /// The stages that a check can change; a person who looks for help or has declined is not disturbed.
    private static let concerned = Stage.all.subtracting([.helping, .declined])

    /// The rows for new facts; each fact voids a decision to see the media, except a change to a laxer, enabled policy.
    private static let facts = [
        row(concerned, .checkBegan, to: .entry),
        row(concerned, .judged, to: .entry),
        row(Stage.all, .policyTightened, to: .entry),
        row(Stage.all.subtracting(Stage.revealing), .policyRelaxed, to: .entry),
        row(Stage.revealing, .policyRelaxed, if: Condition([.disabled]), to: .entry),
    ]

    private static let decisions = [
        row([.covered], .action(.show), if: Condition(isRevealedByDegrees: true), to: .stage(.revealedCoarsely)),
        row([.covered], .action(.show), to: .stage(.revealed)),
        row([.explaining], .action(.proceed), to: .stage(.confirming)),
        row([.confirming], .action(.view), if: Condition(isRevealedByDegrees: true), to: .stage(.revealedCoarsely)),
        row([.confirming], .action(.view), to: .stage(.revealed)),
        row([.revealedCoarsely], .action(.showMore), to: .stage(.revealedFinely)),
        row([.revealedFinely], .action(.showMore), to: .stage(.revealed)),
        row([.confirming], .action(.send), to: .stage(.sendingAllowed), asking: .send),
        row([.explaining, .confirming, .helping], .action(.decline), to: .stage(.declined)),
        row([.declined], .action(.reconsider), if: Condition(standings: undecidable), to: .entry),
        row([.declined], .action(.reconsider), to: .stage(.explaining)),
        row([.covered, .explaining, .declined], .action(.tryAgain), to: .entry),
    ]

    /// The standings that leave nothing to decide for a person who has looked for help or has declined.
    private static let undecidable: Set<Standing> = [.unjudged, .harmless]

    private static let adults: Set<Stage> = [.covered]
    private static let children: Set<Stage> = [.explaining, .confirming, .declined]

    /// The rows of safe actions, which cover the media, unless it became harmless while an adult looked for help.
    private static let departures =
        [
            row(adults.union(children).union(Stage.revealing), .action(.help), to: .stage(.helping)),
            // A child who has looked for help is not asked again at once, and going back sends nothing.
            row([.helping], .action(.leaveHelp), if: Condition([.descriptiveInterventions]), to: .stage(.declined)),
            row(
                [.helping], .action(.leaveHelp), if: Condition([.simpleInterventions], standings: undecidable),
                to: .entry),
            row([.helping], .action(.leaveHelp), if: Condition([.simpleInterventions]), to: .stage(.covered)),
            row(
                children.union(Stage.revealing).union([.helping]), .action(.contactGrownUp), to: .stage(.declined),
                asking: .contactGrownUp),
            row(Stage.revealing, .action(.cover), if: Condition([.simpleInterventions]), to: .stage(.covered)),
            row(Stage.revealing, .action(.cover), to: .stage(.declined)),
        ]
        + leaving(.blockContact, asking: .blockContact)
        + leaving(.leaveStream, asking: .leaveStream)

    /// Returns the rows of an action that covers the media: `covered` for an adult, `declined` for a child.
    private static func leaving(_ action: InterventionAction, asking request: InterventionRequest) -> [Transition] {
        let revealed = Stage.revealing
        return [
            row(
                adults.union(revealed), .action(action), if: Condition([.simpleInterventions]), to: .stage(.covered),
                asking: request),
            row(children.union(revealed), .action(action), to: .stage(.declined), asking: request),
        ]
    }

    private static func row(
        _ stages: Set<Stage>, _ trigger: Trigger, if condition: Condition = Condition(), to target: Target,
        asking request: InterventionRequest? = nil
    ) -> Transition {
        Transition(stages: stages, trigger: trigger, condition: condition, target: target, request: request)
    }
}
