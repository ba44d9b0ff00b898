// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("The checker of attachments")
struct AttachmentCheckerTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    @Test("The checker keeps the verdicts of other models, and of more thorough checks, apart")
    func realConditions() {
        let configurations = [
            SCSensitivityAnalyzer.Configuration(), .init(modelName: "another"), .init(samplingPreset: .thorough),
        ]
        let conditions = configurations.map { SCSensitivityAnalyzer(configuration: $0).verdictConditions }
        #expect(Set(conditions).count == 3)
        // The sandbox of decoders does not influence verdicts.
        let same = SCSensitivityAnalyzer(configuration: .init(requiresSandbox: true)).verdictConditions
        #expect(same == conditions[0])
    }

    static func isSensitive(_ file: URL, _ checker: AttachmentChecker) async throws -> Bool {
        try await MediaAttachment(kind: .image, source: .local(file), checker: checker).isSensitive
    }

    /// Writes a file with these words, and returns whether it is sensitive.
    static func isSensitive(
        _ words: String, in folder: URL, _ checker: AttachmentChecker
    ) async throws -> Bool {
        try await isSensitive(file(words, in: folder), checker)
    }

    static func file(_ words: String, in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent(UUID().uuidString)
        try Data(words.utf8).write(to: file)
        return file
    }

    @Test(
        "The checker runs a few checks at once, and all of them in the end", .timeLimit(.minutes(1)), arguments: [1, 3])
    func concurrency(count: Int) async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis, maximumConcurrentChecks: count)
            let checks = Task {
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<20 {
                        let file = try Self.file("nudity \(number)", in: folder)
                        group.addTask { try await Self.isSensitive(file, checker) }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
            }
            try await script.untilJudged(count)
            try await Task.sleep(for: .milliseconds(50))
            #expect(script.judged.count == count)
            script.letGo()
            #expect(try await checks.value == 20)
            #expect(script.mostRunning == count)
        }
    }

    @Test("The checker checks each content once, under whatever name", .timeLimit(.minutes(1)))
    func memory() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis)
            for _ in 0..<5 {
                let isSensitive = try await Self.isSensitive("nudity 1", in: folder, checker)
                #expect(isSensitive)
            }
            #expect(script.judged.count == 1)
            // Other content, another policy, and an unknown verdict each need a check.
            #expect(try await !Self.isSensitive("borderline", in: folder, checker))
            script.set(.descriptiveInterventions)
            #expect(try await Self.isSensitive("borderline", in: folder, checker))
            #expect(script.judged.count == 3)
            for _ in 0..<2 {
                await #expect(throws: SensitivityAnalysisError.self) {
                    try await Self.isSensitive("?", in: folder, checker)
                }
            }
            #expect(script.judged.count == 5)
        }
    }

    @Test("The checker checks content once if many callers ask for it at the same time", .timeLimit(.minutes(1)))
    func simultaneous() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis, maximumConcurrentChecks: 4)
            let files = try (0..<4).map { _ in try Self.file("nudity", in: folder) }
            let checks = files.map { file in Task { try await Self.isSensitive(file, checker) } }
            try await script.untilJudged(1)
            try await Task.sleep(for: .milliseconds(100))
            script.letGo()
            for check in checks { #expect(try await check.value) }
            #expect(script.judged.count == 1)
        }
    }

    @Test("The checker does not keep the verdict of a file that was replaced during its check", .timeLimit(.minutes(1)))
    func replaced() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis)
            let file = try Self.file("nudity", in: folder)
            let check = Task { try await Self.isSensitive(file, checker) }
            try await script.untilJudged(1)
            try Data("harmless".utf8).write(to: file)
            script.letGo()
            // The verdict was made while the file changed, so the new content is checked by itself.
            #expect(try await !check.value)
            #expect(script.judged.count == 2)
            #expect(try await Self.isSensitive("nudity", in: folder, checker))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `No caller gets the verdict of another file that changed while it was judged`() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis)
            let (one, other) = (try Self.file("nudity", in: folder), try Self.file("nudity", in: folder))
            let first = Task { try await Self.isSensitive(one, checker) }
            try await script.untilJudged(1)
            let second = Task { try await Self.isSensitive(other, checker) }
            try await Task.sleep(for: .milliseconds(50))
            try Data("harmless".utf8).write(to: one)
            script.letGo()
            #expect(try await second.value)
            #expect(try await !first.value)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A file is not judged by content that it held for a moment only`() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis)
            let file = try Self.file("nudity", in: folder)
            let check = Task { try await Self.isSensitive(file, checker) }
            try await script.untilJudged(1)
            try Data("harmless".utf8).write(to: file)
            script.afterReading { try Data("nudity".utf8).write(to: $0) }
            script.letGo()
            #expect(try await check.value)
            #expect(script.judged.count == 2)
        }
    }

    @Test("The checker notices that a file was replaced that is too large to be read twice", .timeLimit(.minutes(1)))
    func largeReplaced() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis, maximumDigestedByteCount: 10)
            let file = try Self.file("harmless and longer than ten bytes", in: folder)
            script.afterReading { try Data("nudity in more than ten bytes".utf8).write(to: $0) }
            #expect(try await Self.isSensitive(file, checker))
            #expect(script.judged.count == 2)
            // The checker keeps no verdict of this file.
            #expect(try await Self.isSensitive(file, checker))
            #expect(script.judged.count == 3)
        }
    }

    @Test(
        "The checker reports the progress of a check to all callers that wait for the content", .timeLimit(.minutes(1)))
    func sharedProgress() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold()
            let checker = AttachmentChecker(script.analysis)
            let told = Shared<Set<Int>>([])
            let followers = try (0..<2).map { number in
                let attachment = MediaAttachment(
                    kind: .image, source: .local(try Self.file("nudity", in: folder)), checker: checker)
                return Task {
                    for await flow in attachment.flows where flow.fractionCompleted == 0.5 {
                        told.change { $0.insert(number) }
                    }
                }
            }
            defer { for follower in followers { follower.cancel() } }
            while told.value != [0, 1] { try await Task.sleep(for: .milliseconds(5)) }
            #expect(script.judged.count == 1)
            script.letGo()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `The checker checks pictures while videos take their time`() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            script.hold([.video])
            let checker = AttachmentChecker(script.analysis, maximumConcurrentChecks: 1)
            let videos = try [MediaKind.video, .image].map { kind in
                let attachment = MediaAttachment(
                    kind: kind, source: .local(try Self.file("video nudity \(kind)", in: folder)), checker: checker)
                return Task { try await attachment.isSensitive }
            }
            // One attachment is a video by its kind; the other turns out to be a video, and waits for the first.
            try await script.untilJudged(1)
            let picture = Task { try await Self.isSensitive("nudity", in: folder, checker) }
            try await script.untilJudged(3)
            script.letGo()
            for video in videos { #expect(try await video.value) }
            #expect(try await picture.value)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `A video that was taken for a picture is judged as a video`() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis)
            let nudity = try await Self.isSensitive("video nudity", in: folder, checker)
            let harmless = try await Self.isSensitive("video harmless", in: folder, checker)
            #expect(nudity && !harmless)
            #expect(script.kinds == [.image, .video, .image, .video])
        }
    }
}
