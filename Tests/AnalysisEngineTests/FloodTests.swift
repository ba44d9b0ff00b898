// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Many hostile files at once")
struct FloodTests {
    /// Whether this test runs without other tests beside it.
    private static let isAlone = ProcessInfo.processInfo.environment["SCA_FLOOD_ALONE"] != nil

    private static func analyze(_ words: String, with engine: MediaEngine) async throws -> MediaAnalysis {
        let request = AnalysisRequest(
            policy: .simple, limits: AnalysisLimits { $0.maximumDecodingTime = .seconds(4) })
        return try await engine.analyzePictures(request) { .memory(try .copying(words.utf8)) }.get()
    }

    @Test(
        "Many hostile files let later ordinary files pass, and take little memory", .timeLimit(.minutes(5)),
        .enabled(if: isAlone || Campaign.isRunning, "IntegrationTests/test-misbehaving-decoder runs it alone."),
        arguments: ["hang", "crash"])
    func passing(words: String) async throws {
        let engine = AnalysisEngineTests.engine(decoder: "TestDecoder") { _ in 0.1 }
        let memory = try residentKilobytes()
        let ended = Shared(0)
        let bombs = Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        _ = try? await Self.analyze(words, with: engine)
                        ended.change { $0 += 1 }
                    }
                }
            }
        }
        // The pause lets all 1,000 files enter the queue before the first picture.
        try await Task.sleep(for: .milliseconds(500))
        for _ in 0..<5 {
            #expect(try await Self.analyze("picture", with: engine).score == 0.1)
        }
        // In a single queue, all files would have reached their time limit or crashed two decoders each.
        print("1,000 files that \(words): \(ended.value) had ended before five ordinary pictures")
        #expect(ended.value < 500)
        let growth = try residentKilobytes() - memory
        print("1,000 files that \(words): the host has grown by \(growth) KiB")
        // If other tests run at the same time, the growth includes their memory.
        if Self.isAlone { #expect(growth < 100 << 10) }
        bombs.cancel()
        await bombs.value
    }
}
