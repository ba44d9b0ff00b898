// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis
import Testing

@Suite("The flow of a stream")
struct StreamFlowTests {
    static let nudity = MediaVerdict.sensitive([.sexuallyExplicit])
    static let gore = MediaVerdict.sensitive([.goreOrViolence])
    static let both = MediaVerdict.sensitive([.sexuallyExplicit, .goreOrViolence])

    /// Returns the flow of a stream after verdicts about its frames and choices of the person, in this order.
    static func flow(
        _ policy: SCSensitivityAnalysisPolicy, _ steps: [Step]
    ) -> InterventionFlow {
        var flow = InterventionFlow(policy: policy, direction: .live)
        for step in steps {
            switch step {
            case .frame(let verdict): _ = flow.handle(.checkEnded(verdict, policy: policy))
            case .choice(let action):
                #expect(flow.presentation.offers(action), "\(action)")
                _ = flow.handle(.chosen(action))
            }
        }
        return flow
    }

    enum Step {
        case frame(MediaVerdict)
        case choice(InterventionAction)
    }

    @Test("The flow of a stream asks once about each type of content, in whatever order frames show them")
    func alternatingTypes() {
        var child = Self.flow(
            .descriptiveInterventions, [.frame(Self.nudity), .choice(.decline), .frame(Self.gore)])
        #expect(child.presentation.pane == .declined && child.verdict == Self.both)
        for verdict in [Self.nudity, Self.gore, Self.both, .unknown, .notSensitive, Self.gore] {
            _ = child.handle(.checkEnded(verdict, policy: .descriptiveInterventions))
            #expect(child.presentation.pane == .declined && child.verdict == Self.both)
        }
        // A child on the second pane is not sent back to the first pane.
        let sure = Self.flow(
            .descriptiveInterventions,
            [.frame(Self.both), .choice(.proceed), .frame(Self.gore), .frame(.unknown), .frame(Self.nudity)])
        #expect(sure.presentation.pane == .confirmation)
        let adult = Self.flow(
            .simpleInterventions,
            [
                .frame(Self.gore), .choice(.show), .frame(Self.nudity), .choice(.show), .frame(Self.gore),
                .frame(Self.nudity),
            ])
        // Gore is revealed by degrees, and the person has not asked for more.
        #expect(adult.presentation.cover == .coarse && adult.verdict == Self.both)
        // An app's own analysis may report the content types of some frames only.
        let untyped = Self.flow(
            .simpleInterventions,
            [.frame(Self.nudity), .choice(.show), .frame(.sensitive([])), .frame(Self.nudity), .frame(.sensitive([]))])
        #expect(untyped.presentation.isUncovered)
    }

    @Test("The flow of a stream has no verdict about frames while analysis is disabled")
    func disabled() {
        var flow = InterventionFlow(policy: .disabled, direction: .live)
        _ = flow.handle(.checkEnded(.unknown, policy: .disabled))
        #expect(flow.verdict == nil && flow.presentation.isUncovered)
        _ = flow.handle(.policyChanged(.descriptiveInterventions))
        #expect(flow.presentation.pane == .checking && flow.presentation.cover == .full)
        _ = flow.handle(.checkEnded(.notSensitive, policy: .descriptiveInterventions))
        #expect(flow.presentation.isUncovered)
    }

    @Test("The flow of a stream keeps a finding if a later check fails")
    func failedCheck() {
        let adult = Self.flow(.simpleInterventions, [.frame(Self.gore), .choice(.show), .frame(.unknown)])
        #expect(adult.verdict == Self.gore && adult.presentation.pane == .degree)
        let again = Self.flow(
            .simpleInterventions,
            [.frame(Self.gore), .choice(.show), .frame(.unknown), .choice(.cover), .choice(.show)])
        #expect(again.presentation.cover == .coarse)
        // Another check of a picture is about the same picture.
        var picture = InterventionFlow(policy: .simpleInterventions, direction: .receiving)
        for event in [
            InterventionEvent.checkEnded(Self.gore, policy: .simpleInterventions), .chosen(.show),
            .checkEnded(.unknown, policy: .simpleInterventions), .chosen(.cover), .chosen(.show),
        ] {
            _ = picture.handle(event)
        }
        #expect(picture.presentation.cover == .coarse && picture.verdict == Self.gore)
    }

    @Test("The ways to get help stay open during later findings")
    func help() {
        let child = Self.flow(.descriptiveInterventions, [.frame(.unknown), .choice(.help), .frame(Self.nudity)])
        #expect(child.presentation.pane == .help && child.verdict == Self.nudity)
        let back = Self.flow(
            .descriptiveInterventions, [.frame(.unknown), .choice(.help), .frame(Self.nudity), .choice(.leaveHelp)])
        #expect(back.presentation.pane == .declined && back.presentation.cover == .full)
    }

    @Test func `A refusal stays in force after a later check, also while help is open`() {
        var flow = InterventionFlow(
            policy: .descriptiveInterventions, direction: .sending, abilities: [.contactGrownUp])
        for event in [
            InterventionEvent.checkEnded(Self.nudity, policy: .descriptiveInterventions), .chosen(.help), .checkBegan,
        ] {
            _ = flow.handle(event)
        }
        #expect(flow.presentation.pane == .help)
        let harmless = InterventionEvent.checkEnded(.notSensitive, policy: .descriptiveInterventions)
        for no in [InterventionEvent.chosen(.decline), .chosen(.leaveHelp), .closed, .chosen(.contactGrownUp)] {
            for events in [[harmless, no], [no, harmless]] {
                var declined = flow
                for event in events { _ = declined.handle(event) }
                #expect(declined.presentation.pane == .declined && !declined.presentation.maySend, "\(events)")
                #expect(declined.presentation.cover == .full)
                _ = declined.handle(.chosen(.reconsider))
                #expect(declined.presentation.maySend)
            }
        }
        // Before the check has ended, the person has no question to answer.
        _ = flow.handle(.chosen(.leaveHelp))
        _ = flow.handle(.chosen(.reconsider))
        #expect(flow.presentation.pane == .checking && flow.presentation.cover == .full)
    }

    @Test("A choice to see applies only to content that the person has seen, and a safe choice always applies")
    func seen() {
        let unknown = Self.flow(.simpleInterventions, [.frame(.unknown)])
        var flow = unknown
        _ = flow.handle(.checkEnded(Self.nudity, policy: .simpleInterventions))
        #expect(flow.choose(.show, in: unknown) == nil && flow.presentation.cover == .full)
        let seen = flow
        #expect(flow.choose(.show, in: seen) == nil && flow.presentation.isUncovered)
        var child = InterventionFlow(
            policy: .descriptiveInterventions, direction: .live, abilities: [.leaveStream])
        _ = child.handle(.checkEnded(Self.gore, policy: .descriptiveInterventions))
        let before = child
        _ = child.handle(.checkEnded(Self.nudity, policy: .descriptiveInterventions))
        #expect(child.choose(.proceed, in: before) == nil && child.presentation.pane == .explanation)
        #expect(child.choose(.leaveStream, in: before) == .leaveStream && child.presentation.pane == .declined)
    }
}
