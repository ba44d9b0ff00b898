// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import Synchronization
import TestSupport
import Testing

@Suite("Attachments")
struct MediaAttachmentTests {
    static func attachment(
        _ words: String, in folder: URL, _ checker: AttachmentChecker, name: String = UUID().uuidString
    ) throws -> MediaAttachment {
        let file = folder.appendingPathComponent(name)
        try Data(words.utf8).write(to: file)
        return MediaAttachment(kind: .image, source: .local(file), checker: checker)
    }

    /// Returns the first flow that meets a condition.
    static func flow(
        of attachment: MediaAttachment, where holds: @Sendable (InterventionFlow) -> Bool
    ) async throws -> InterventionFlow {
        for await flow in attachment.flows where holds(flow) { return flow }
        throw CancellationError()
    }

    static func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("An attachment is sensitive or not, and an unknown verdict is an error", .timeLimit(.minutes(1)))
    func verdicts() async throws {
        try await TestFiles.withFolder { folder in
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            #expect(try await Self.attachment("nudity", in: folder, checker).isSensitive)
            let harmless = try Self.attachment("harmless", in: folder, checker)
            #expect(try await !harmless.isSensitive)
            #expect(harmless.flow.presentation.isUncovered)
            let broken = try Self.attachment("?", in: folder, checker)
            let error = await #expect(throws: SensitivityAnalysisError.self) { try await broken.isSensitive }
            #expect(error?.code == .malformedMedia && broken.flow.presentation.cover == .full)
            #expect(broken.flow.verdict == .unknown && broken.checkError != nil)
            #expect(broken.flow.presentation.offers(.tryAgain))
        }
    }

    @Test(
        "A remote attachment is downloaded once, and judged as the file that the app has made", .timeLimit(.minutes(1)))
    func remote() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let address = try #require(URL(string: "https://example.org/a.png"))
            let file = folder.appendingPathComponent("a.png")
            let downloads = Mutex<[URL]>([])
            let attachment = MediaAttachment(
                kind: .image,
                source: .remote(address) { address in
                    downloads.withLock { $0.append(address) }
                    try Data("nudity".utf8).write(to: file)
                    return file
                }, checker: AttachmentChecker(script.analysis))
            #expect(attachment.localFile == nil)
            for _ in 0..<2 { #expect(try await attachment.isSensitive) }
            #expect(downloads.withLock { $0 } == [address] && script.judged == [file] && attachment.localFile == file)
            let failing = MediaAttachment(
                kind: .image, source: .remote(address) { _ in throw URLError(.notConnectedToInternet) },
                checker: AttachmentChecker(script.analysis))
            await #expect(throws: URLError.self) { try await failing.isSensitive }
            #expect(failing.flow.presentation.cover == .full && failing.flow.verdict == .unknown)
        }
    }

    @Test("The result of an abandoned download does not replace an attachment", .timeLimit(.minutes(1)))
    func abandonedDownload() async throws {
        try await TestFiles.withFolder { folder in
            let (script, isLetGo) = (ScriptedAnalysis(), Shared(false))
            let media = try RemoteMedia(script) { number in
                // The download ignores cancellation, as many downloads do.
                await Task { try? await Self.until { isLetGo.value } }.value
                let file = folder.appendingPathComponent("\(number).png")
                try Data((number == 1 ? "harmless" : "nudity").utf8).write(to: file)
                return file
            }
            let attachment = media.attachment
            let follower = Task { for await _ in attachment.flows {} }
            try await Self.until { media.downloadCount == 1 }
            follower.cancel()
            await follower.value
            let again = Task { try await Self.flow(of: attachment) { $0.presentation.isUncovered } }
            try await Task.sleep(for: .milliseconds(50))
            isLetGo.change { $0 = true }
            _ = try await again.value
            // Only one download ran, and the attachment shows the file that was judged.
            let shown = try #require(attachment.localFile)
            #expect(media.downloadCount == 1 && script.judged == [shown])
        }
    }

    @Test("A choice that was made about other content is ignored", .timeLimit(.minutes(1)))
    func outdatedChoice() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            let seen = try await Self.flow(of: attachment) { $0.presentation.pane == .notice }
            script.set(.descriptiveInterventions)
            let asked = attachment.flow
            #expect(attachment.choose(.show, in: seen) == nil && attachment.flow == asked)
            _ = attachment.choose(.proceed, in: asked)
            // The second of two quick taps was made on the first pane.
            _ = attachment.choose(.proceed, in: asked)
            #expect(attachment.flow.presentation.pane == .confirmation)
        }
    }

    @Test("Attachments are checked when protection is enabled after it was disabled", .timeLimit(.minutes(1)))
    func disabledFirst() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: .disabled)
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            await #expect(throws: SensitivityAnalysisError.self) { try await attachment.isSensitive }
            script.set(.simpleInterventions)
            let flow = try await Self.flow(of: attachment) { $0.presentation.pane == .notice }
            #expect(flow.verdict == .sensitive([.sexuallyExplicit]))
        }
    }

    @Test("Attachments publish the flow from the check to the person's decision", .timeLimit(.minutes(1)))
    func flows() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            // Nothing iterates over the flows, so no check runs.
            #expect(attachment.flow.needsCheck && script.judged == [])
            let checking = try await Self.flow(of: attachment) { $0.fractionCompleted == 0.5 }
            #expect(checking.presentation.pane == .checking && checking.presentation.cover == .full)
            script.letGo()
            let notice = try await Self.flow(of: attachment) { $0.presentation.pane == .notice }
            #expect(notice.verdict == .sensitive([.sexuallyExplicit]))
            _ = attachment.choose(.show, in: attachment.flow)
            #expect(attachment.flow.presentation.isUncovered)
            _ = attachment.choose(.cover, in: attachment.flow)
            #expect(attachment.flow.presentation.cover == .full)
        }
    }

    @Test("Attachments publish the flow also after a choice that leaves it as it is", .timeLimit(.minutes(1)))
    func requests() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file")
            try Data("nudity".utf8).write(to: file)
            let attachment = MediaAttachment(
                kind: .image, source: .local(file), abilities: [.blockContact],
                checker: AttachmentChecker(ScriptedAnalysis().analysis))
            var requests: [InterventionRequest?] = []
            for await flow in attachment.flows where flow.presentation.pane == .notice {
                if requests.count == 2 { break }
                requests.append(attachment.choose(.blockContact, in: flow))
            }
            #expect(requests == [.blockContact, .blockContact])
        }
    }

    @Test("Attachments are covered and checked again when the policy becomes stricter", .timeLimit(.minutes(1)))
    func stricter() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            _ = try await Self.flow(of: attachment) { $0.presentation.isUncovered }
            script.set(.descriptiveInterventions)
            // The cover becomes full even if nothing iterates over the flows.
            #expect(attachment.flow.presentation.cover == .full)
            let pane = try await Self.flow(of: attachment) { $0.presentation.pane == .explanation }
            #expect(pane.policy == .descriptiveInterventions && script.judged.count == 2)
            script.set(.simpleInterventions)
            // Content that is sensitive for a child does not count as harmless until another check.
            #expect(attachment.flow.presentation.pane == .notice)
            let followed = Task { try await Self.flow(of: attachment) { $0.presentation.pane == .explanation } }
            try await script.untilJudged(2)
            script.set(.descriptiveInterventions)
            _ = try await followed.value
        }
    }

    @Test("A finding under a laxer policy does not make an attachment harmless", .timeLimit(.minutes(1)))
    func staleVerdict() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            #expect(try await !attachment.isSensitive)
            script.set(.descriptiveInterventions)
            #expect(try await attachment.isSensitive)
            // In the other direction, to a laxer policy, no new check runs.
            script.set(.simpleInterventions)
            #expect(try await attachment.isSensitive)
            #expect(script.judged.count == 2)
        }
    }

    @Test("An attachment is unknown if an analyzer repeatedly disobeys the policy", .timeLimit(.minutes(1)))
    func disobedientAnalyzer() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: .descriptiveInterventions)
            script.claim(.simpleInterventions)
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            await #expect(throws: SensitivityAnalysisError.self) { try await attachment.isSensitive }
            #expect(attachment.flow.verdict == .unknown && attachment.flow.presentation.cover == .full)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `Followers see an attachment as unknown if an analyzer disobeys the policy`() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: .descriptiveInterventions)
            script.claim(.simpleInterventions)
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            let unknown = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(unknown.presentation.pane == .explanation && attachment.checkError is SensitivityAnalysisError)
            #expect(script.judged.count == 4)
            // Another try makes as many checks again.
            _ = attachment.choose(.tryAgain, in: unknown)
            _ = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(script.judged.count == 8)
        }
    }

    @Test("A remote attachment is downloaded anew if its file is gone", .timeLimit(.minutes(1)))
    func lostDownload() async throws {
        try await TestFiles.withFolder { folder in
            let media = try RemoteMedia { _ in
                let file = folder.appendingPathComponent("a.png")
                try Data("harmless".utf8).write(to: file)
                return file
            }
            let attachment = media.attachment
            #expect(try await !attachment.isSensitive)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("a.png"))
            #expect(throws: SensitivityAnalysisError.self) { try attachment.openUncoveredFile() }
            #expect(try await FileManager.default.fileExists(atPath: attachment.file().path))
            // The downloaded file is another file, which has no verdict yet.
            #expect(attachment.flow.presentation.pane == .checking)
            #expect(try await !attachment.isSensitive)
            #expect(try attachment.openUncoveredFile() != nil && media.downloadCount == 2)
        }
    }

    @Test("A remote attachment is downloaded anew when the person asks for another try", .timeLimit(.minutes(1)))
    func tryAgain() async throws {
        try await TestFiles.withFolder { folder in
            let media = try RemoteMedia { number in
                let file = folder.appendingPathComponent("\(number).png")
                try Data((number == 1 ? "?" : "nudity").utf8).write(to: file)
                return file
            }
            let attachment = media.attachment
            let unknown = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            _ = attachment.choose(.tryAgain, in: unknown)
            let known = try await Self.flow(of: attachment) { $0.verdict != .unknown && $0.verdict != nil }
            #expect(known.verdict == .sensitive([.sexuallyExplicit]) && media.downloadCount == 2)
        }
    }
}
