// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisEngine
import Foundation
import Glibc
import Testing

@testable import SensitiveContentAnalysis

/// The resources of the process that streams take and give back.
@Suite(.timeLimit(.minutes(1))) struct StreamLifetimeTests {
    /// The descriptors, the threads and the resident memory in bytes.
    struct Resources {
        let descriptors: Int
        let threads: Int
        let bytes: Int

        static var current: Resources {
            get throws {
                let files = FileManager.default
                let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                let resident = Int(pages[1])!
                return Resources(
                    descriptors: try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
                    threads: try files.contentsOfDirectory(atPath: "/proc/self/task").count,
                    bytes: resident * Int(sysconf(Int32(_SC_PAGESIZE))))
            }
        }
    }

    /// Starts and ends streams, half of them with a gate, of which each judges a frame.
    static func play(_ count: Int) async throws {
        let (script, service) = (ScriptedStreamSource(), StreamService(laneCount: 2))
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

    @Test("a thousand starts and ends of streams leave no stream, descriptor, thread or memory")
    func thousandStarts() async {
        // A process of its own, because other tests take resources meanwhile.
        await #expect(processExitsWith: .success) {
            // The first streams fill caches of the allocator, and sleeping takes a descriptor for a timer.
            try await Self.play(1500)
            try await Task.sleep(for: .milliseconds(10))
            // A stream that is left holds a frame and a signature, which are more than 20 KB.
            let most = 1_000_000
            let before = try Resources.current
            try await Self.play(1000)
            // The thread of the streams and the tasks end a moment after the last stream.
            for _ in 0..<200 {
                let after = try Resources.current
                let grown = after.bytes - before.bytes
                if after.descriptors <= before.descriptors, after.threads <= before.threads, grown < most {
                    return
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("\(before) grew to \(try Resources.current)")
        }
    }
}
