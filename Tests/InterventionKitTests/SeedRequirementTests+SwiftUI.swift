// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

extension SeedRequirementTests {
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
        // The picture has black and white lines, and its cover has neither black nor white.
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
