// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import Synchronization
import TestSupport
import Testing

extension MediaAttachmentTests {
    @Test("A check goes on when a cover that waits for the same download is given up", .timeLimit(.minutes(1)))
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

    @Test("Attachments stay shown when the app asks again whether they are sensitive", .timeLimit(.minutes(1)))
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

    @Test("An attachment becomes unknown, once, if the analysis refuses the policy", .timeLimit(.minutes(1)))
    func refused() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.refuse()
            let attachment = try Self.attachment("nudity", in: folder, AttachmentChecker(script.analysis))
            _ = try await Self.flow(of: attachment) { $0.verdict == .unknown }
            #expect(script.judged.count == 1)
        }
    }

    @Test("Attachments are checked while a caller follows, and again when a caller comes back", .timeLimit(.minutes(1)))
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

    @Test(
        "An attachment is settled by a second caller after the first has given up", .timeLimit(.minutes(1)),
        arguments: 0..<20)
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

    @Test("An attachment is not shown by an older look at the policy after a stricter policy", .timeLimit(.minutes(1)))
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
            // The calls block, so each has its own thread.
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

    @Test(.timeLimit(.minutes(1)))
    func `A choice about an earlier try does not apply to the content of a new try`() async throws {
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

    @Test("A check that was given up and ends late does not change an attachment", .timeLimit(.minutes(1)))
    func lateEnd() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let (analysis, begun, isLetGo) = (script.analysis, Shared(0), Shared(false))
            let slow = AttachmentAnalyzer(
                policy: analysis.policy, changes: analysis.changes, conditions: analysis.conditions,
                settle: {
                    // The first check ignores its cancellation.
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

    @Test("Attachments do not ask an analyzer for its policy while other callers wait", .timeLimit(.minutes(1)))
    func appsPolicy() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let own = Shared<MediaAttachment?>(nil)
            let (analysis, asked) = (script.analysis, Shared(0))
            let curious = AttachmentAnalyzer(
                policy: {
                    asked.change { $0 += 1 }
                    // An app's own analyzer might look at the attachment whose policy is requested.
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

    @Test("A caller that no longer waits is released from a download that does not end", .timeLimit(.minutes(1)))
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

    @Test("An attachment is released when nothing refers to it any more", .timeLimit(.minutes(1)))
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
