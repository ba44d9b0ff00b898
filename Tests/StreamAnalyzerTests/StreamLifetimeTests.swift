// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisEngine
import LiveStreams
import TestSupport
import Testing

@testable import SensitiveContentAnalysis

/// The resources of the process that streams take and give back.
@Suite(.timeLimit(.minutes(1))) struct StreamLifetimeTests {
    /// Starts and ends streams, half of them with a gate, of which each judges a frame.
    static func play(_ count: Int) async throws {
        let (script, service) = (ScriptedStreamSource(), StreamService<CVPixelBuffer>(laneCount: 2))
        for index in 0..<count {
            let analyzer = try SCVideoStreamAnalyzer.scripted(script, participant: "\(index % 7)", service: service)
            if index % 2 == 0 { _ = try analyzer.gate() }
            var changes = analyzer.analysisChanges.makeAsyncIterator()
            analyzer.analyze(try ScriptedStreamSource.frame(index % 2 == 0 ? 10 : 220))
            guard try await changes.next()?.isSensitive == (index % 2 == 1) else { throw CancellationError() }
            // A stream also ends with its analyzer.
            if index % 3 == 0 { analyzer.endAnalysis() }
        }
        while service.streamCount > 0 { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("A thousand starts and ends of streams leave no stream, descriptor, thread or memory")
    func thousandStarts() async {
        // A process of its own, because other tests take resources meanwhile.
        await #expect(processExitsWith: .success) {
            // The first streams fill caches of the allocator.
            try await Self.play(1500)
            // A stream that is left holds a frame and a signature, which are more than 20 KB.
            let most = 1_000_000
            var left: String?
            // The allocator takes memory for a thread now and then; streams that are left take it in each round.
            for _ in 0..<3 {
                let before = try await ProcessResources.beforeWork()
                try await Self.play(1000)
                // The thread of the streams and the tasks end a moment after the last stream.
                left = try await ProcessResources.leftOver(since: before, growth: most)
                if left == nil { return }
            }
            if let left { Issue.record("\(left)") }
        }
    }

    @Test("A thousand measurements of a process's resources take no memory") func measurements() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<100 { _ = try ProcessResources.current }
            let before = try ProcessResources.current
            for _ in 0..<1000 { _ = try ProcessResources.current }
            let growth = try ProcessResources.current.bytes - before.bytes
            #expect(growth < 500_000, "\(growth) bytes")
        }
    }
}
