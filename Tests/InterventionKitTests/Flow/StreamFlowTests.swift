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

    /// The flow of a stream after its frames were judged, and the person has chosen, in this order.
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

    @Test("asks once about each type of content, in whatever order frames show them")
    func alternatingTypes() {
        var child = Self.flow(
            .descriptiveInterventions,
            [.frame(Self.nudity), .choice(.decline), .frame(Self.gore), .choice(.decline)])
        #expect(child.verdict == Self.both)
        for verdict in [Self.nudity, Self.gore, Self.both, .unknown, .notSensitive, Self.gore] {
            _ = child.handle(.checkEnded(verdict, policy: .descriptiveInterventions))
            #expect(child.presentation.pane == .declined && child.verdict == Self.both)
        }
        // Who is about to decide is not put back to the first pane.
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
        // By degrees, since gore was found and nobody has asked for more.
        #expect(adult.presentation.cover == .coarse && adult.verdict == Self.both)
    }

    @Test("keeps what was found where a later check fails")
    func failedCheck() {
        let adult = Self.flow(.simpleInterventions, [.frame(Self.gore), .choice(.show), .frame(.unknown)])
        #expect(adult.verdict == Self.gore && adult.presentation.pane == .degree)
        let again = Self.flow(
            .simpleInterventions,
            [.frame(Self.gore), .choice(.show), .frame(.unknown), .choice(.cover), .choice(.show)])
        #expect(again.presentation.cover == .coarse)
        // A picture that is judged once more is no other.
        var picture = InterventionFlow(policy: .simpleInterventions, direction: .receiving)
        for event in [
            InterventionEvent.checkEnded(Self.gore, policy: .simpleInterventions), .chosen(.show),
            .checkEnded(.unknown, policy: .simpleInterventions), .chosen(.cover), .chosen(.show),
        ] {
            _ = picture.handle(event)
        }
        #expect(picture.presentation.cover == .coarse && picture.verdict == Self.gore)
    }

    @Test("leaves the ways to get help open, whatever is found meanwhile")
    func help() {
        let child = Self.flow(.descriptiveInterventions, [.frame(.unknown), .choice(.help), .frame(Self.nudity)])
        #expect(child.presentation.pane == .help && child.verdict == Self.nudity)
        let back = Self.flow(
            .descriptiveInterventions, [.frame(.unknown), .choice(.help), .frame(Self.nudity), .choice(.leaveHelp)])
        #expect(back.presentation.pane == .declined && back.presentation.cover == .full)
    }

    @Test("asks for nothing that is void by then, when a picture is checked anew while help is open")
    func newCheckDuringHelp() {
        var flow = InterventionFlow(policy: .descriptiveInterventions, direction: .sending)
        for event in [
            InterventionEvent.checkEnded(Self.nudity, policy: .descriptiveInterventions), .chosen(.help), .checkBegan,
        ] {
            _ = flow.handle(event)
        }
        #expect(flow.presentation.pane == .help)
        var (checking, declined) = (flow, flow)
        _ = checking.handle(.chosen(.leaveHelp))
        #expect(checking.presentation.pane == .checking && checking.presentation.cover == .full)
        // Who says no there is not shown, nor sends, what turns out to be harmless only then.
        _ = declined.handle(.checkEnded(.notSensitive, policy: .descriptiveInterventions))
        _ = declined.handle(.chosen(.decline))
        #expect(declined.presentation.pane == .declined && !declined.presentation.maySend)
        _ = declined.handle(.chosen(.reconsider))
        #expect(declined.presentation.maySend)
    }

    @Test("takes a choice for what the person has seen only")
    func seen() {
        let unknown = Self.flow(.simpleInterventions, [.frame(.unknown)])
        var flow = unknown
        _ = flow.handle(.checkEnded(Self.nudity, policy: .simpleInterventions))
        #expect(flow.choose(.show, in: unknown) == nil && flow.presentation.cover == .full)
        let seen = flow
        #expect(flow.choose(.show, in: seen) == nil && flow.presentation.isUncovered)
    }
}
