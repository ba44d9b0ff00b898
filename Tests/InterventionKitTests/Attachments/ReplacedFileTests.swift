// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("An attachment whose file becomes another")
struct ReplacedFileTests {
    private static func write(_ words: String, _ file: URL) throws { try Data(words.utf8).write(to: file) }

    private static func expectNothingOpens(_ attachment: MediaAttachment) throws {
        let opened = try attachment.openUncoveredFile()
        #expect(opened == nil)
    }

    @Test(
        "A replaced attachment is covered again, and its verdict is dropped", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func afterVerdict(isAtomic: Bool) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Self.write("harmless", file)
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            #expect(try await !attachment.isSensitive)
            #expect(attachment.flow.presentation.isUncovered)
            let opened = try attachment.openUncoveredFile()?.readToEnd()
            #expect(opened == Data("harmless".utf8))
            try Data("nudity".utf8).write(to: file, options: isAtomic ? .atomic : [])
            try Self.expectNothingOpens(attachment)
            #expect(attachment.flow.needsCheck && attachment.flow.presentation.cover == .full)
            #expect(try await attachment.isSensitive)
            try Self.expectNothingOpens(attachment)
        }
    }

    @Test(
        "A replaced attachment is not sent, and a decision holds only for the content that was seen",
        .timeLimit(.minutes(1)))
    func sending() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Self.write("harmless", file)
            let checker = AttachmentChecker(ScriptedAnalysis(policy: .descriptiveInterventions).analysis)
            let sent = MediaAttachment(kind: .image, source: .local(file), direction: .sending, checker: checker)
            #expect(try await !sent.isSensitive)
            #expect(sent.flow.presentation.maySend)
            try Self.write("nudity", file)
            #expect(!sent.flow.presentation.maySend)
            let seen = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            #expect(try await seen.isSensitive)
            for action in [InterventionAction.proceed, .view] { _ = seen.choose(action, in: seen.flow) }
            #expect(seen.flow.presentation.isUncovered)
            try Self.write("gore", file)
            #expect(seen.flow.presentation.cover == .full && seen.flow.needsCheck)
        }
    }

    @Test("A missing file that appears is covered, whatever was decided", .timeLimit(.minutes(1)))
    func appearing() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            await #expect(throws: (any Error).self) { try await attachment.isSensitive }
            _ = attachment.choose(.show, in: attachment.flow)
            #expect(attachment.flow.presentation.isUncovered)
            try Self.write("nudity", file)
            #expect(attachment.flow.presentation.cover == .full && attachment.flow.needsCheck)
            try Self.expectNothingOpens(attachment)
            #expect(try await attachment.isSensitive)
        }
    }

    @Test("A tap on the earlier content does not decide about the replaced file", .timeLimit(.minutes(1)))
    func lateTap() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Self.write("nudity", file)
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            #expect(try await attachment.isSensitive)
            let seen = attachment.flow
            try Self.write("nudity of another kind", file)
            #expect(attachment.flow.needsCheck)
            #expect(try await attachment.isSensitive)
            #expect(attachment.flow.presentation == seen.presentation && attachment.flow.verdict == seen.verdict)
            _ = attachment.choose(.show, in: seen)
            #expect(attachment.flow.presentation.cover == .full)
            _ = attachment.choose(.show, in: attachment.flow)
            #expect(attachment.flow.presentation.isUncovered)
        }
    }

    @Test(
        "A file that is replaced while its check waits is judged when its turn comes, and followers are told",
        .timeLimit(.minutes(1)))
    func whileWaiting() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis, maximumConcurrentChecks: 1)
            let (file, other) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try Self.write("borderline", file)
            try Self.write("harmless", other)
            let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            let flows = attachment.flows
            #expect(try await !attachment.isSensitive)
            // Another check takes the only place, and the new policy needs another check of this file.
            script.hold()
            let busy = MediaAttachment(kind: .image, source: .local(other), checker: checker)
            let holding = Task { try await busy.isSensitive }
            try await script.untilJudged(2)
            script.set(.descriptiveInterventions)
            #expect(attachment.flow.needsCheck)
            // The pause lets the check enter the queue.
            try await Task.sleep(for: .milliseconds(50))
            try Self.write("nudity", file)
            #expect(attachment.flow.needsCheck && attachment.flow.presentation.cover == .full)
            script.letGo()
            _ = try await holding.value
            for await flow in flows where flow.presentation.pane == .explanation {
                #expect(flow.verdict == .sensitive([.sexuallyExplicit]))
                break
            }
        }
    }

    @Test(
        "An attachment is checked anew when other conditions decide on verdicts, such as another model",
        .timeLimit(.minutes(1)))
    func conditions() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Self.write("harmless", file)
            let script = ScriptedAnalysis()
            let attachment = MediaAttachment(
                kind: .image, source: .local(file), checker: AttachmentChecker(script.analysis))
            #expect(try await !attachment.isSensitive)
            #expect(attachment.flow.presentation.isUncovered)
            script.set(conditions: ["another model"])
            #expect(attachment.flow.presentation.cover == .full && attachment.flow.needsCheck)
            #expect(try await !attachment.isSensitive)
            #expect(attachment.flow.presentation.isUncovered && script.judged.count == 2)
            // An iteration over the flows gets the change without a call.
            var flows = attachment.flows.makeAsyncIterator()
            #expect(await flows.next()?.presentation.isUncovered == true)
            script.hold()
            script.set(conditions: ["a third model"])
            #expect(await flows.next()?.presentation.cover == .full)
            try await script.untilJudged(3)
            script.letGo()
        }
    }

    @Test("A download that succeeds late is covered, whatever was decided", .timeLimit(.minutes(1)))
    func lateDownload() async throws {
        try await TestFiles.withFolder { folder in
            let media = try RemoteMedia { number in
                guard number > 1 else { throw URLError(.timedOut) }
                let file = folder.appendingPathComponent("a.png")
                try Self.write("nudity", file)
                return file
            }
            let attachment = media.attachment
            await #expect(throws: URLError.self) { try await attachment.isSensitive }
            let seen = attachment.flow
            _ = attachment.choose(.show, in: seen)
            #expect(attachment.flow.presentation.isUncovered)
            var flows = attachment.flows.makeAsyncIterator()
            #expect(await flows.next()?.presentation.isUncovered == true)
            _ = try await attachment.file()
            var flow = await flows.next()
            while flow?.presentation.pane == .checking { flow = await flows.next() }
            #expect(flow?.verdict == .sensitive([.sexuallyExplicit]) && flow?.presentation.cover == .full)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A file that appears during its check is judged by the content that was opened`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            let script = ScriptedAnalysis()
            script.beforeReading { try Self.write("harmless", $0) }
            let checker = AttachmentChecker(script.analysis)
            let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
            #expect(try await !attachment.isSensitive)
            #expect(script.judged.count == 2)
            try Self.write("nudity", file)
            #expect(attachment.flow.presentation.cover == .full)
        }
    }

    @Test(
        "A replaced attachment is judged anew if an adult sends it, and the adult is not held up",
        .timeLimit(.minutes(1)))
    func adultSending() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Self.write("harmless", file)
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            let attachment = MediaAttachment(kind: .image, source: .local(file), direction: .sending, checker: checker)
            let opened = try attachment.openUncoveredFile()?.readToEnd()
            #expect(opened == Data("harmless".utf8) && attachment.flow.presentation.maySend)
            #expect(try await !attachment.isSensitive)
            try Self.write("nudity", file)
            #expect(try await attachment.isSensitive)
            #expect(attachment.flow.presentation.maySend)
        }
    }

    @Test("An attachment is not judged by a file that stood under its name for a moment", .timeLimit(.minutes(1)))
    func swappedFolder() async throws {
        try await TestFiles.withFolder { folder in
            let link = folder.appendingPathComponent("current")
            @Sendable func point(to name: String) throws {
                let new = folder.appendingPathComponent("new")
                try FileManager.default.createSymbolicLink(
                    atPath: new.path, withDestinationPath: folder.appendingPathComponent(name).path)
                guard rename(new.path, link.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            }
            for (name, words) in [("one", "nudity"), ("other", "harmless")] {
                let inner = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try Self.write(words, inner.appendingPathComponent("x"))
            }
            try point(to: "one")
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis)
            let attachment = MediaAttachment(
                kind: .image, source: .local(link.appendingPathComponent("x")), checker: checker)
            let check = Task { try await attachment.isSensitive }
            try await script.untilJudged(1)
            try point(to: "other")
            script.afterReading { _ in try point(to: "one") }
            script.letGo()
            #expect(try await check.value)
            #expect(attachment.flow.presentation.cover == .full)
        }
    }
}
