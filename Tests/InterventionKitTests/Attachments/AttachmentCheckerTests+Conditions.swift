// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

extension AttachmentCheckerTests {
    @Test("The checker forgets the findings of another model, and of test mode", .timeLimit(.minutes(1)))
    func conditions() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis)
            for (conditions, count) in [
                (["a model"], 1), (["another"], 2), (["another"], 2), (["another", "test"], 3),
            ] {
                script.set(conditions: conditions)
                let isSensitive = try await Self.isSensitive("nudity", in: folder, checker)
                #expect(isSensitive && script.judged.count == count)
            }
        }
    }

    @Test("The checker holds nothing of checks that were given up", .timeLimit(.minutes(1)))
    func givenUp() async throws {
        try await TestFiles.withFolder { folder in
            weak var gone: AttachmentChecker?
            do {
                let checker = AttachmentChecker(ScriptedAnalysis().analysis)
                gone = checker
                for number in 0..<100 {
                    let file = try Self.file("nudity \(number)", in: folder)
                    let check = Task { try await Self.isSensitive(file, checker) }
                    if number % 2 == 0 { try await Task.sleep(for: .microseconds(number * 10)) }
                    check.cancel()
                    _ = try? await check.value
                }
            }
            while gone != nil { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("The checker forgets the oldest verdicts first, and keeps no more than its capacity", .timeLimit(.minutes(1)))
    func capacity() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let checker = AttachmentChecker(script.analysis, maximumRememberedJudgements: 8)
            for number in 0..<9 { _ = try await Self.isSensitive("nudity \(number)", in: folder, checker) }
            _ = try await Self.isSensitive("nudity 8", in: folder, checker)
            #expect(script.judged.count == 9)
            _ = try await Self.isSensitive("nudity 0", in: folder, checker)
            #expect(script.judged.count == 10)
        }
    }

    @Test("The checker asks the real analyzer, which is disabled unless somebody enables it", .timeLimit(.minutes(1)))
    func real() async throws {
        try await TestFiles.withFolder { folder in
            let analyzer = SCSensitivityAnalyzer(configuration: .patient)
            let file = try Self.file("no media", in: folder)
            let error = await #expect(throws: SensitivityAnalysisError.self) {
                try await Self.isSensitive(file, AttachmentChecker(analyzer: analyzer))
            }
            #expect(error?.code == .unsupportedMedia)
        }
    }

    @Test(
        "The checker asks the real analyzer about a video, whatever its name is, and reports the progress",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"), .timeLimit(.minutes(5)),
        arguments: [MediaKind.video, .image])
    func realVideo(kind: MediaKind) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 4, brightness: TestVideo.moving, TestVideo.shortGroups)
            let analyzer = SCSensitivityAnalyzer(configuration: .patient)
            let attachment = MediaAttachment(
                kind: kind, source: .local(file), checker: AttachmentChecker(analyzer: analyzer))
            var shares: Set<Double> = []
            for await flow in attachment.flows {
                if let share = flow.fractionCompleted { shares.insert(share) }
                guard flow.presentation.pane != .checking else { continue }
                #expect(flow.verdict == .notSensitive && flow.presentation.isUncovered)
                break
            }
            #expect(!shares.isEmpty && shares.allSatisfy { (0...1).contains($0) }, "\(shares)")
            #expect(try await !attachment.isSensitive)
        }
    }
}
