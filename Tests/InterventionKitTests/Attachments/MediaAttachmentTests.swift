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
    private static func attachment(
        _ words: String, in folder: URL, _ checker: AttachmentChecker, name: String = UUID().uuidString
    ) throws -> MediaAttachment {
        let file = folder.appendingPathComponent(name)
        try Data(words.utf8).write(to: file)
        return MediaAttachment(kind: .image, source: .local(file), checker: checker)
    }

    /// The first flow for which something holds.
    private static func flow(
        of attachment: MediaAttachment, where holds: @Sendable (InterventionFlow) -> Bool
    ) async throws -> InterventionFlow {
        for await flow in attachment.flows where holds(flow) { return flow }
        throw CancellationError()
    }

    private static func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("are sensitive or not, and unknown is an error", .timeLimit(.minutes(1)))
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
        "that are elsewhere are downloaded once, and judged as the file that the app has made", .timeLimit(.minutes(1)))
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

    @Test("are not replaced by what an abandoned download brings later", .timeLimit(.minutes(1)))
    func abandonedDownload() async throws {
        try await TestFiles.withFolder { folder in
            let (script, isLetGo) = (ScriptedAnalysis(), Shared(false))
            let media = try RemoteMedia(script) { number in
                // Does not heed cancellation, as many downloads do not.
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
            // One download at a time, and what is shown is what was judged.
            let shown = try #require(attachment.localFile)
            #expect(media.downloadCount == 1 && script.judged == [shown])
        }
    }

    @Test("ignore a choice that was made on seeing something else", .timeLimit(.minutes(1)))
    func outdatedChoice() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            let seen = try await Self.flow(of: attachment) { $0.presentation.pane == .notice }
            script.set(.descriptiveInterventions)
            let asked = attachment.flow
            #expect(attachment.choose(.show, in: seen) == nil && attachment.flow == asked)
            _ = attachment.choose(.proceed, in: asked)
            // The second tap of two quick ones was made on the first pane.
            _ = attachment.choose(.proceed, in: asked)
            #expect(attachment.flow.presentation.pane == .confirmation)
        }
    }

    @Test("are checked when somebody wants it, also after nobody had wanted it", .timeLimit(.minutes(1)))
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

    @Test("publish the flow from the check to the person's decision", .timeLimit(.minutes(1)))
    func flows() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            // Nobody follows, so nothing is checked.
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

    @Test("publish the flow also after a choice that leaves it as it is", .timeLimit(.minutes(1)))
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

    @Test("are covered and checked again when the policy becomes stricter", .timeLimit(.minutes(1)))
    func stricter() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            _ = try await Self.flow(of: attachment) { $0.presentation.isUncovered }
            script.set(.descriptiveInterventions)
            // Also where nobody follows.
            #expect(attachment.flow.presentation.cover == .full)
            let pane = try await Self.flow(of: attachment) { $0.presentation.pane == .explanation }
            #expect(pane.policy == .descriptiveInterventions && script.judged.count == 2)
            script.set(.simpleInterventions)
            // What is sensitive for a child is not called harmless for want of another check.
            #expect(attachment.flow.presentation.pane == .notice)
            let followed = Task { try await Self.flow(of: attachment) { $0.presentation.pane == .explanation } }
            try await script.untilJudged(2)
            script.set(.descriptiveInterventions)
            _ = try await followed.value
        }
    }

    @Test("are not called harmless by what was found under a laxer policy", .timeLimit(.minutes(1)))
    func staleVerdict() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            #expect(try await !attachment.isSensitive)
            script.set(.descriptiveInterventions)
            #expect(try await attachment.isSensitive)
            // The other way round, nothing is asked again.
            script.set(.simpleInterventions)
            #expect(try await attachment.isSensitive)
            #expect(script.judged.count == 2)
        }
    }

    @Test("are unknown where an analyzer does not obey the policy, again and again", .timeLimit(.minutes(1)))
    func disobedientAnalyzer() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: .descriptiveInterventions)
            script.claim(.simpleInterventions)
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            await #expect(throws: SensitivityAnalysisError.self) { try await attachment.isSensitive }
            #expect(attachment.flow.verdict == .unknown && attachment.flow.presentation.cover == .full)
        }
    }

    @Test("are unknown to those who follow where an analyzer does not obey the policy", .timeLimit(.minutes(1)))
    func disobedientAnalyzerFollowed() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: .descriptiveInterventions)
            script.claim(.simpleInterventions)
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(script.analysis))
            let unknown = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(unknown.presentation.pane == .explanation && attachment.checkError is SensitivityAnalysisError)
            #expect(script.judged.count == 4)
            // Another try is as many again.
            _ = attachment.choose(.tryAgain, in: unknown)
            _ = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(script.judged.count == 8)
        }
    }

    @Test("that are elsewhere are downloaded anew where the file is gone", .timeLimit(.minutes(1)))
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
            // It is another file, of which nothing is known yet.
            #expect(attachment.flow.presentation.pane == .checking)
            #expect(try await !attachment.isSensitive)
            #expect(try attachment.openUncoveredFile() != nil && media.downloadCount == 2)
        }
    }

    @Test("that are elsewhere are downloaded anew when the person asks for another try", .timeLimit(.minutes(1)))
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

    @Test("go on being checked when a cover that waits for the same download is given up", .timeLimit(.minutes(1)))
    func sharedDownload() async throws {
        try await TestFiles.withFolder { folder in
            let isLetGo = Shared(false)
            let media = try RemoteMedia { _ in
                try await Self.until { isLetGo.value }
                let file = folder.appendingPathComponent("a.png")
                try Data("nudity".utf8).write(to: file)
                return file
            }
            let attachment = media.attachment
            let check = Task { try await attachment.isSensitive }
            try await Self.until { media.downloadCount == 1 }
            let cover = Task { try await attachment.coverSamples() }
            try await Task.sleep(for: .milliseconds(50))
            cover.cancel()
            try await Task.sleep(for: .milliseconds(50))
            isLetGo.change { $0 = true }
            #expect(try await check.value)
            #expect(media.downloadCount == 1 && attachment.checkError == nil)
        }
    }

    @Test("stay shown when the app asks again whether they are sensitive", .timeLimit(.minutes(1)))
    func askedAgain() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("?", in: folder, AttachmentChecker(script.analysis))
            for count in 1...2 {
                await #expect(throws: SensitivityAnalysisError.self) { try await attachment.isSensitive }
                #expect(script.judged.count == count)
            }
            _ = attachment.choose(.show, in: attachment.flow)
            await #expect(throws: SensitivityAnalysisError.self) { try await attachment.isSensitive }
            #expect(attachment.flow.presentation.isUncovered && script.judged.count == 2)
        }
    }

    @Test("are unknown, once, where the analysis refuses what the policy asks for", .timeLimit(.minutes(1)))
    func refused() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.refuse()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            _ = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(script.judged.count == 1)
        }
    }

    @Test("are checked as long as somebody follows, and again when somebody comes back", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            let follower = Task { for await _ in attachment.flows {} }
            try await script.untilJudged(1)
            follower.cancel()
            try await Self.until { script.cancelled == 1 && attachment.flow.needsCheck }
            #expect(attachment.flow.presentation.cover == .full && attachment.flow.verdict == nil)
            _ = try await Self.flow(of: attachment) { $0.presentation.pane == .notice }
            #expect(script.judged.count == 2)
        }
    }

    @Test("are settled by who asks after another has given up", .timeLimit(.minutes(1)), arguments: 0..<20)
    func givenUp(round: Int) async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let attachment = try Self.attachment("harmless", in: folder, AttachmentChecker(script.analysis))
            let first = Task { try await attachment.isSensitive }
            try await script.untilJudged(1)
            first.cancel()
            for _ in 0..<round { await Task.yield() }
            #expect(try await !attachment.isSensitive)
            #expect(attachment.flow.presentation.isUncovered)
        }
    }

    @Test("are not shown by a look at the policy that another, stricter one has overtaken", .timeLimit(.minutes(1)))
    func overtakenLook() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let (analysis, armed) = (script.analysis, Shared(0))
            let (mayRead, hasRead, mayGoOn) = (Shared(false), Shared(false), Shared(false))
            let slow = AttachmentAnalyzer(
                policy: {
                    switch armed.change({ $0 -= 1 }) {
                    case 1:
                        while !mayRead.value { usleep(1000) }
                        return analysis.policy()
                    case 0:
                        let policy = analysis.policy()
                        hasRead.change { $0 = true }
                        while !mayGoOn.value { usleep(1000) }
                        return policy
                    default: return analysis.policy()
                    }
                }, changes: analysis.changes, conditions: analysis.conditions, settle: analysis.settle,
                judge: analysis.judge, samples: analysis.samples)
            let attachment = try Self.attachment("borderline", in: folder, AttachmentChecker(slow))
            #expect(try await !attachment.isSensitive)
            let (first, second) = (Shared<InterventionFlow?>(nil), Shared<InterventionFlow?>(nil))
            armed.change { $0 = 2 }
            // Threads of their own, since they are kept waiting.
            Thread.detachNewThread { first.change { $0 = attachment.flow } }
            try await Self.until { armed.value == 1 }
            Thread.detachNewThread { second.change { $0 = attachment.flow } }
            try await Self.until { hasRead.value }
            script.set(.descriptiveInterventions)
            mayRead.change { $0 = true }
            try await Self.until { first.value != nil }
            mayGoOn.change { $0 = true }
            try await Self.until { second.value != nil }
            #expect(first.value?.presentation.cover == .full && second.value?.presentation.cover == .full)
        }
    }

    @Test("ignore a choice about what another try has brought anew", .timeLimit(.minutes(1)))
    func choiceBeforeAnotherTry() async throws {
        try await TestFiles.withFolder { folder in
            let attachment = try Self.attachment("?", in: folder, AttachmentChecker(ScriptedAnalysis().analysis))
            _ = try? await attachment.isSensitive
            let seen = attachment.flow
            _ = attachment.choose(.tryAgain, in: seen)
            _ = try? await attachment.isSensitive
            #expect(attachment.flow.presentation == seen.presentation)
            _ = attachment.choose(.show, in: seen)
            #expect(attachment.flow.presentation.cover == .full)
        }
    }

    @Test("are not unsettled by a check that was given up and ends late", .timeLimit(.minutes(1)))
    func lateEnd() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let (analysis, begun, isLetGo) = (script.analysis, Shared(0), Shared(false))
            let slow = AttachmentAnalyzer(
                policy: analysis.policy, changes: analysis.changes, conditions: analysis.conditions,
                settle: {
                    // The first check does not heed that it is cancelled.
                    guard begun.change({ $0 += 1 }) == 1 else { return }
                    await Task { try? await Self.until { isLetGo.value } }.value
                }, judge: analysis.judge, samples: analysis.samples)
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(slow))
            let first = Task { try await attachment.isSensitive }
            try await Self.until { begun.value == 1 }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            let second = Task { try await attachment.isSensitive }
            try await script.untilJudged(1)
            isLetGo.change { $0 = true }
            try await Task.sleep(for: .milliseconds(50))
            #expect(!attachment.flow.needsCheck && attachment.flow.fractionCompleted == 0.5)
            script.letGo()
            #expect(try await second.value)
            #expect(attachment.flow.presentation.pane == .notice)
        }
    }

    @Test("do not ask an analyzer for its policy while others have to wait", .timeLimit(.minutes(1)))
    func appsPolicy() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let own = Shared<MediaAttachment?>(nil)
            let (analysis, asked) = (script.analysis, Shared(0))
            let curious = AttachmentAnalyzer(
                policy: {
                    asked.change { $0 += 1 }
                    // As an app's own analyzer might, which looks at what the policy is for.
                    _ = own.value?.localFile
                    return analysis.policy()
                }, changes: analysis.changes, conditions: analysis.conditions, settle: analysis.settle,
                judge: analysis.judge, samples: analysis.samples)
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(curious))
            own.change { $0 = attachment }
            #expect(try await attachment.isSensitive)
            #expect(attachment.flow.presentation.cover == .full && asked.value > 3)
            own.change { $0 = nil }
        }
    }

    @Test("let go of who no longer waits for a download that does not end", .timeLimit(.minutes(1)))
    func endlessDownload() async throws {
        let isLetGo = Shared(false)
        let media = try RemoteMedia { _ in
            await Task { try? await Self.until { isLetGo.value } }.value
            throw URLError(.timedOut)
        }
        let attachment = media.attachment
        for _ in 0..<3 {
            let waiting = Task { try await attachment.file() }
            try await Self.until { media.downloadCount == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(media.downloadCount == 1)
        isLetGo.change { $0 = true }
        await #expect(throws: URLError.self) { try await attachment.file() }
    }

    @Test("go when nobody holds them any more", .timeLimit(.minutes(1)))
    func release() async throws {
        try await TestFiles.withFolder { folder in
            let checker = AttachmentChecker(ScriptedAnalysis().analysis)
            weak var gone: MediaAttachment?
            do {
                let attachment = try Self.attachment("harmless", in: folder, checker)
                gone = attachment
                _ = try await Self.flow(of: attachment) { $0.presentation.isUncovered }
            }
            try await Self.until { gone == nil }
        }
    }
}
