// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

extension SeedRequirementTests {
    // MARK: Tailor User Interface for the Communication Safety Parental Control

    @Test("CS1: children are asked when something comes in and before something goes out")
    func bothWays() {
        let (received, sent) = (Self.child(.receiving).presentation, Self.child(.sending).presentation)
        #expect(received.cover == .full && received.pane == .explanation)
        #expect(!sent.maySend && sent.pane == .explanation)
        #expect(!Self.child(.sending, nil).presentation.maySend && !Self.child(.sending, .unknown).presentation.maySend)
    }

    @Test("CS2: children are asked in a modal view, in words that they can read")
    func modal() throws {
        for direction in MediaDirection.allCases {
            for verdict in FlowEnumeration.verdicts where verdict != .notSensitive {
                for choices in [[], [InterventionAction.proceed], [.help], [.decline], [.proceed, .view]] {
                    let flow = Self.flow(.descriptiveInterventions, direction, verdict, choices)
                    let isAsking = [.explanation, .confirmation].contains(flow.presentation.pane)
                    if isAsking || flow.presentation.pane == .help { #expect(flow.presentation.style == .modal) }
                    for language in Self.languages { try Self.checkWords(for: flow, language) }
                }
            }
        }
    }

    static func checkWords(for flow: InterventionFlow, _ language: String) throws {
        for kind in MediaKind.allCases where flow.presentation.pane != nil {
            let text = try #require(InterventionWords(languages: [language]).text(for: flow, about: kind))
            let all = ([text.title] + text.paragraphs).joined(separator: " ")
            let grade = try #require(Readability.grade(of: all, in: language))
            #expect(grade <= Readability.gradeOfEightYearOlds, "\(all)")
            if kind != .image { #expect(all.firstMatch(of: /photo|Foto|foto/) == nil, "\(all)") }
        }
    }

    @Test("CS3: what was found is described in terms that everybody knows")
    func terms() {
        let flow = Self.child(.receiving, Self.nudity)
        let words = Self.texts(of: flow).map { $0.paragraphs.joined(separator: " ").lowercased() }
        for (text, term) in zip(words, ["naked", "nackt", "sin ropa"]) { #expect(text.contains(term)) }
    }

    @Test("CS4: the flow of the app is interrupted, without the child having to do anything first")
    func interrupted() {
        // No event lies between the verdict and the pane, also if the child has already watched.
        for direction in MediaDirection.allCases {
            var flow = Self.child(direction, .notSensitive)
            #expect(flow.presentation.pane == nil && flow.presentation.style == .inline)
            _ = flow.handle(.checkEnded(Self.nudity, policy: .descriptiveInterventions))
            #expect(flow.presentation.pane == .explanation && flow.presentation.style == .modal)
            #expect(flow.presentation.cover == .full && !flow.presentation.maySend)
        }
    }

    @Test("CS5: the first pane says what this may be, whose fault it is not, and asks; it offers no, help and yes")
    func firstPane() throws {
        let flow = Self.child()
        #expect(flow.presentation.actions == [.decline, .help, .proceed])
        let said = [
            ["naked", "not your fault", "do not have to look", "?"],
            ["nackt", "bist du nicht schuld", "musst es nicht sehen", "?"],
            ["sin ropa", "no es culpa tuya", "No tienes que mirar", "?"],
        ]
        let texts = Self.texts(of: flow)
        #expect(texts.count == said.count)
        for (text, parts) in zip(texts, said) {
            #expect(text.paragraphs.count == parts.count)
            for (paragraph, part) in zip(text.paragraphs, parts) { #expect(paragraph.contains(part)) }
            #expect(text.paragraphs.last?.hasSuffix("?") == true)
        }
        #expect(Self.labels(of: .decline, in: flow).first == "Not now")
    }

    @Test("CS6: there are two panes, one after the other, before viewing and before sending")
    func twoPanes() {
        for (direction, last) in [
            (MediaDirection.receiving, InterventionAction.view), (.live, .view), (.sending, .send),
        ] {
            let second = Self.child(direction, Self.nudity, .proceed)
            #expect(second.presentation.pane == .confirmation && second.presentation.style == .modal)
            #expect(second.presentation.cover == .full && !second.presentation.maySend)
            // The last choice has an effect on the second pane only.
            #expect(Self.flow(.descriptiveInterventions, direction, Self.nudity, [last]) == Self.child(direction))
            let decided = Self.flow(.descriptiveInterventions, direction, Self.nudity, [.proceed, last]).presentation
            #expect(direction == .sending ? decided.maySend : decided.isUncovered)
        }
    }

    @Test("CS7: the second pane leaves the choice to the child, and offers no, a grown-up and yes in that order")
    func secondPane() {
        var flow = Self.child(.receiving, Self.nudity, .proceed)
        #expect(flow.presentation.actions == [.decline, .contactGrownUp, .view])
        #expect(Self.texts(of: flow).first?.title == "It is your choice. Make sure you feel safe.")
        for (text, safe) in zip(Self.texts(of: flow), ["safe", "sicher", "a salvo"]) {
            #expect(text.title.contains(safe))
        }
        // In each language and direction, the text suggests a person whom the child trusts.
        for direction in MediaDirection.allCases {
            let second = Self.texts(of: Self.child(direction, Self.nudity, .proceed))
            for (text, trust) in zip(second, ["you trust", "dem du traust", "de confianza"]) {
                #expect(text.paragraphs.first?.contains(trust) == true, "\(text.paragraphs)")
            }
        }
        #expect(flow.handle(.chosen(.contactGrownUp)) == .contactGrownUp && flow.presentation.cover == .full)
    }

    @Test("CS8: help is one step away, for adults without being in the way")
    func help() {
        for flow in [Self.adult(), Self.child(), Self.child(.sending), Self.child(.receiving, Self.nudity, .proceed)] {
            #expect(flow.presentation.offers(.help))
        }
        #expect(!Self.adult().presentation.actions.contains(.help))
    }

    @Test("CS9: a child is never caught off guard: keys and closing mean no, and a stricter policy covers again")
    func offGuard() {
        for choices in [[], [InterventionAction.proceed]] {
            var flow = Self.flow(.descriptiveInterventions, .receiving, Self.nudity, choices)
            #expect(flow.presentation.defaultAction == .decline && flow.presentation.closingAction == .decline)
            _ = flow.handle(.closed)
            #expect(flow.presentation.cover == .full && flow.presentation.pane == .declined)
        }
        var shown = Self.adult(.receiving, Self.nudity, .show)
        _ = shown.handle(.policyChanged(.descriptiveInterventions))
        #expect(shown.presentation.cover == .full && shown.presentation.pane == .explanation)
    }

    @Test("LI1: a stream that was covered goes on after a decision, and not because it looks harmless for a moment")
    func live() {
        for policy in [SCSensitivityAnalysisPolicy.simpleInterventions, .descriptiveInterventions] {
            var flow = Self.flow(policy, .live)
            let covered = flow
            for verdict in [MediaVerdict.notSensitive, Self.nudity, .unknown] {
                _ = flow.handle(.checkEnded(verdict, policy: policy))
                #expect(flow == covered)
            }
            _ = flow.handle(.checkBegan)
            #expect(flow == covered)
        }
        var declined = Self.child(.live, Self.nudity, .decline)
        let before = declined
        for verdict in [MediaVerdict.notSensitive, Self.nudity] {
            _ = declined.handle(.checkEnded(verdict, policy: .descriptiveInterventions))
        }
        #expect(declined == before)
        var resumed = Self.adult(.live, Self.nudity, .show)
        _ = resumed.handle(.checkEnded(Self.nudity, policy: .simpleInterventions))
        #expect(resumed.presentation.isUncovered)
        _ = resumed.handle(.checkEnded(.sensitive([.goreOrViolence]), policy: .simpleInterventions))
        #expect(resumed.presentation.cover == .full)
    }
}
