// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

/// Has a test for each row of the table in docs/interventions.md, with the row's name.
@Suite("What the articles ask for")
struct SeedRequirementTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    static let nudity = MediaVerdict.sensitive([.sexuallyExplicit])
    static let languages = ["en", "de", "es"]

    static func flow(
        _ policy: SCSensitivityAnalysisPolicy, _ direction: MediaDirection = .receiving,
        _ verdict: MediaVerdict? = nudity, _ choices: [InterventionAction] = []
    ) -> InterventionFlow {
        var flow = InterventionFlow(
            policy: policy, direction: direction, abilities: Set(InterventionAbility.allCases))
        _ = flow.handle(.checkBegan)
        if let verdict { _ = flow.handle(.checkEnded(verdict, policy: policy)) }
        for choice in choices { _ = flow.handle(.chosen(choice)) }
        return flow
    }

    static func adult(
        _ direction: MediaDirection = .receiving, _ verdict: MediaVerdict? = nudity, _ choices: InterventionAction...
    ) -> InterventionFlow { flow(.simpleInterventions, direction, verdict, choices) }

    static func child(
        _ direction: MediaDirection = .receiving, _ verdict: MediaVerdict? = nudity, _ choices: InterventionAction...
    ) -> InterventionFlow { flow(.descriptiveInterventions, direction, verdict, choices) }

    /// Returns the texts of a flow's pane, in each language.
    static func texts(of flow: InterventionFlow, _ kind: MediaKind = .image) -> [InterventionText] {
        languages.compactMap { InterventionWords(languages: [$0]).text(for: flow, about: kind) }
    }

    static func labels(of action: InterventionAction, in flow: InterventionFlow) -> [String] {
        languages.map { InterventionWords(languages: [$0]).label(of: action, in: flow) }
    }

    static func attachment(
        _ words: String, in folder: URL, _ script: ScriptedAnalysis, kind: MediaKind = .image
    ) throws -> MediaAttachment {
        let file = folder.appendingPathComponent(UUID().uuidString)
        try Data(words.utf8).write(to: file)
        return MediaAttachment(kind: kind, source: .local(file), checker: AttachmentChecker(script.analysis))
    }

    // MARK: Handle Performance Implications

    @Test("HP1: the person accepts the time of a check for the protection, so nothing is shown before it ends")
    func waiting() {
        for flow in [Self.adult(.receiving, nil), Self.child(.receiving, nil), Self.adult(.live, nil)] {
            #expect(flow.presentation.cover == .full && flow.presentation.actions.isEmpty)
        }
    }

    @Test("HP2: the delay has a place in the interface")
    func delay() {
        for flow in [Self.adult(.receiving, nil), Self.child(.receiving, nil), Self.child(.sending, nil)] {
            #expect(flow.presentation.pane == .checking)
            // A missing text would be replaced by its key, which is the same in each language.
            #expect(Set(Self.texts(of: flow).map(\.title)).count == 3)
        }
    }

    @Test("HP3: the progress of a video reaches the person", .timeLimit(.minutes(1)))
    func progress() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let attachment = try Self.attachment("nudity", in: folder, script, kind: .video)
            var progress: String?
            for await flow in attachment.flows {
                progress = InterventionWords(languages: ["en"]).progress(of: flow)
                if progress != nil { break }
            }
            #expect(progress == "50% done")
        }
    }

    // MARK: Tailor User Interface for the Sensitive Content Warning Setting

    @Test("SW1: what is shown follows from the policy in force")
    func policy() {
        let panes = [Self.flow(.disabled), Self.adult(), Self.child()].map(\.presentation.pane)
        #expect(panes == [nil, .notice, .explanation])
    }

    @Test("SW2: adults are told briefly")
    func brief() {
        for verdict in FlowEnumeration.verdicts where verdict != .notSensitive {
            for flow in [
                Self.adult(.receiving, verdict), Self.adult(.live, verdict), Self.adult(.live, verdict, .show),
            ] {
                for text in Self.texts(of: flow) {
                    let isOneLine = flow.presentation.pane == .notice && flow.direction == .receiving
                    #expect(text.paragraphs.count <= (isOneLine ? 0 : 1))
                    for line in [text.title] + text.paragraphs {
                        #expect(line.split(separator: " ").count <= 7, "\(line)")
                    }
                }
            }
        }
    }

    @Test("SW3: adults are told among the other content, not over it")
    func inline() {
        for direction in MediaDirection.allCases {
            let presentation = Self.adult(direction).presentation
            #expect(presentation.style == .inline && presentation.defaultAction == nil)
        }
    }

    @Test("SW4: adults are told of what comes in, and may send what nobody has checked")
    func unchecked() {
        #expect(Self.adult().presentation.cover == .full)
        for verdict in [nil, Self.nudity, .unknown] {
            let flow = Self.adult(.sending, verdict)
            #expect(flow.presentation.maySend && flow.presentation.pane == nil && flow.presentation.isUncovered)
        }
        #expect(!InterventionFlow(policy: .simpleInterventions, direction: .sending).needsCheck)
    }

    @Test("SW5: the picture is in its place, blurred so that nothing can be told")
    func blurred() async throws {
        let presentation = Self.adult().presentation
        #expect(presentation.cover == .full && presentation.style == .inline && presentation.pane == .notice)
        let analyzer = SCSensitivityAnalyzer(configuration: .patient)
        let photograph = MediaAttachment(
            kind: .image, source: .local(TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")),
            checker: AttachmentChecker(analyzer: analyzer))
        let samples = try #require(try await photograph.coverSamples())
        #expect(samples.width <= 9 && samples.height <= 9 && Set(samples.colors).isSubset(of: [0, 85, 170, 255]))
        #expect(samples.colors.count == samples.width * samples.height * 3)
    }

    @Test("SW6: one button of one word shows the picture, and the rest is in a menu")
    func oneWord() {
        let presentation = Self.adult().presentation
        #expect(presentation.actions == [.show] && presentation.menu == [.help, .blockContact])
        for label in Self.labels(of: .show, in: Self.adult()) { #expect(label.split(separator: " ").count == 1) }
        #expect(Self.adult(.receiving, Self.nudity, .show).presentation.isUncovered)
    }

    @Test("SW7: the menu leads to help and can block the contact, and stays when the picture is shown")
    func menu() {
        var flow = Self.adult(.receiving, Self.nudity, .show)
        #expect(flow.presentation.menu.contains(.help) && flow.presentation.menu.contains(.blockContact))
        #expect(flow.handle(.chosen(.blockContact)) == .blockContact && flow.presentation.cover == .full)
        _ = flow.handle(.chosen(.help))
        #expect(flow.presentation.pane == .help)
        #expect(!HelpDirectory.standard.resources(for: flow.policy, country: "ES").isEmpty)
    }

    @Test("SW8: an adult can cover again what was shown")
    func coverAgain() {
        #expect(Self.adult(.receiving, Self.nudity, .show, .cover).presentation == Self.adult().presentation)
    }
}
