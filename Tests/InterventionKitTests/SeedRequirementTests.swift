// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

/// A test for each row of the table in docs/interventions.md, under the row's name.
@Suite("What the articles ask for")
struct SeedRequirementTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    private static let nudity = MediaVerdict.sensitive([.sexuallyExplicit])
    private static let languages = ["en", "de", "es"]

    private static func flow(
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

    private static func adult(
        _ direction: MediaDirection = .receiving, _ verdict: MediaVerdict? = nudity, _ choices: InterventionAction...
    ) -> InterventionFlow { flow(.simpleInterventions, direction, verdict, choices) }

    private static func child(
        _ direction: MediaDirection = .receiving, _ verdict: MediaVerdict? = nudity, _ choices: InterventionAction...
    ) -> InterventionFlow { flow(.descriptiveInterventions, direction, verdict, choices) }

    /// All that a pane says, in each language.
    private static func texts(of flow: InterventionFlow, _ kind: MediaKind = .image) -> [InterventionText] {
        languages.compactMap { InterventionWords(languages: [$0]).text(for: flow, about: kind) }
    }

    private static func labels(of action: InterventionAction, in flow: InterventionFlow) -> [String] {
        languages.map { InterventionWords(languages: [$0]).label(of: action, in: flow) }
    }

    private static func attachment(
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
            // A text that were missing would be its key, the same in each language.
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

    private static func checkWords(for flow: InterventionFlow, _ language: String) throws {
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
        // Nothing happens between the verdict and the pane, also where the child was watching.
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
            // The last choice counts on the second pane alone.
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
        // Whom to turn to is somebody whom the child trusts, in each language and each direction.
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

    // MARK: The view code of "Implementing SensitiveContentAnalysis in SwiftUI"

    @Test("VC1: whether an attachment is sensitive is an asynchronous property that may throw", .timeLimit(.minutes(1)))
    func property() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            #expect(try await Self.attachment("nudity", in: folder, script).isSensitive)
            let broken = try Self.attachment("?", in: folder, script)
            await #expect(throws: SensitivityAnalysisError.self) { try await broken.isSensitive }
        }
    }

    @Test("VC2: media elsewhere is made a local file before it is judged", .timeLimit(.minutes(1)))
    func download() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let file = folder.appendingPathComponent("local.png")
            let attachment = MediaAttachment(
                kind: .image,
                source: .remote(try #require(URL(string: "https://example.org/a.png"))) { _ in
                    try Data("nudity".utf8).write(to: file)
                    return file
                }, checker: AttachmentChecker(script.analysis))
            #expect(try await attachment.isSensitive)
            #expect(script.judged == [file])
        }
    }

    @Test("VC3: videos and pictures are judged each in their way", .timeLimit(.minutes(1)))
    func kinds() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            for kind in [MediaKind.image, .video] {
                _ = try await Self.attachment("nudity \(kind)", in: folder, script, kind: kind).isSensitive
            }
            #expect(script.kinds == [.image, .video])
        }
    }

    @Test("VC4: the warning lies over what is sensitive, and over nothing else")
    func overlay() {
        #expect(Self.adult().presentation.pane == .notice)
        #expect(Self.adult(.receiving, .notSensitive).presentation.pane == nil)
        #expect(Self.adult(.receiving, .notSensitive).presentation.isUncovered)
    }

    @Test("VC5: a tap shows one attachment, and it stays shown when its view comes back", .timeLimit(.minutes(1)))
    func tap() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let (one, other) = (
                try Self.attachment("nudity", in: folder, script), try Self.attachment("nudity", in: folder, script)
            )
            _ = try await (one.isSensitive, other.isSensitive)
            _ = one.choose(.show, in: one.flow)
            for _ in 0..<2 {
                for await flow in one.flows {
                    #expect(flow.presentation.isUncovered)
                    break
                }
            }
            #expect(other.flow.presentation.cover == .full)
        }
    }

    @Test(
        "VC6: an attachment that is loading, one that failed and one that is there look different",
        .timeLimit(.minutes(1)))
    func phases() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("?", in: folder, script)
            #expect(attachment.flow.presentation.pane == .checking && attachment.checkError == nil)
            _ = try? await attachment.isSensitive
            #expect(attachment.flow.presentation.pane == .notice && attachment.flow.verdict == .unknown)
            #expect(attachment.checkError != nil)
            let there = try Self.attachment("harmless", in: folder, script)
            _ = try await there.isSensitive
            #expect(there.flow.presentation.pane == nil && there.localFile != nil)
        }
    }

    @Test("VC7: what is sensitive is replaced by a cover, not only by words over it")
    func redacted() throws {
        #expect(Self.adult().presentation.cover == .full)
        // Black and white lines: what is drawn in their place has neither.
        let lines = Data((0..<96 * 96).flatMap { Array(repeating: $0 % 2 == 0 ? 0 : 255, count: 3) })
        let image = try CGImage(width: 96, height: 96, pixelFormat: .rgb24, pixels: lines)
        let samples = try CoverSamples(of: image)
        #expect(samples.colors.count == 9 * 9 * 3 && Set(samples.colors).isDisjoint(with: [0, 255]))
    }

    @Test("VC8: the overlay can be put back")
    func toggle() {
        #expect(Self.adult(.receiving, Self.nudity, .show, .cover).presentation.cover == .full)
    }

    @Test("VC9: how many attachments are covered can be told")
    func count() {
        let words = InterventionWords(languages: ["en"])
        #expect(words.summary(ofCovered: 1, policy: .simpleInterventions) == "1 item may be sensitive.")
        #expect(words.summary(ofCovered: 3, policy: .simpleInterventions) == "3 items may be sensitive.")
        #expect(
            words.summary(ofCovered: 1, policy: .descriptiveInterventions)
                == "1 thing is covered. You do not have to look.")
    }

    @Test("VC10: the media is covered, and the words and the choices about it are there to be shown")
    func legible() {
        let flow = Self.adult()
        #expect(flow.presentation.cover == .full)
        #expect(Self.texts(of: flow).map(\.title).first == "This may show nudity.")
        #expect(Self.labels(of: .show, in: flow) == ["Show", "Anzeigen", "Mostrar"])
    }

    @Test(
        "VC11: a cover has the proportions of what it covers, and fits in its place",
        arguments: [(1600, 900), (900, 1600), (1000, 1000)])
    func proportions(width: Int, height: Int) throws {
        let pixels = Data(repeating: 90, count: width * height * 3)
        let samples = try CoverSamples(
            of: CGImage(width: width, height: height, pixelFormat: .rgb24, pixels: pixels))
        #expect(abs(samples.width * height - samples.height * width) < max(width, height))
        let picture = try samples.picture(width: 64, height: 48)
        #expect(picture.width == 64 && picture.height == 48)
    }

    @Test("VC12: a view learns of each change while it follows", .timeLimit(.minutes(1)))
    func changes() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("nudity", in: folder, script)
            var seen: [InterventionPresentation.Pane?] = []
            for await flow in attachment.flows where flow.presentation.pane != .checking {
                seen.append(flow.presentation.pane)
                if seen == [.notice] { _ = attachment.choose(.show, in: flow) }
                if seen == [.notice, nil] { script.set(.descriptiveInterventions) }
                if seen.count == 3 { break }
            }
            #expect(seen == [.notice, nil, .explanation])
        }
    }
}
