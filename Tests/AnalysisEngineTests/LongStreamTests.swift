// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import LiveStreams
import TestSupport
import Testing

/// Encoded live streams of minutes and hours, passed on as fast as they are decoded.
@Suite(
    .serialized, .enabled(if: Campaign.isRunning, "\(Campaign.remedy)"),
    .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct LongStreamTests {
    /// The memory of the stream's decoder after each thousand frames, in KiB.
    private static func memories(_ data: Data, frames: Int) async throws -> [Int] {
        let known = Set(decoders())
        let (memories, frameCount) = (Shared([Int]()), Shared(0))
        let (ends, continuation) = AsyncStream.makeStream(of: AnalysisFailure?.self)
        let decoder = try EncodedStreamTests.pool.decodeStream(StreamRequest()) { event in
            switch event {
            case .frame:
                frameCount.change { $0 += 1 }
                guard frameCount.value % 1000 == 0, let process = decoders().first(where: { !known.contains($0) })
                else { return }
                memories.change { $0.append(memory(of: process)) }
            case .end: continuation.yield(nil)
            case .failure(let failure): continuation.yield(failure)
            }
        }
        for start in stride(from: 0, to: data.count, by: 1 << 16) {
            await decoder.send([UInt8](data[start..<min(data.count, start + 1 << 16)]))
        }
        decoder.finish()
        for await failure in ends {
            #expect(failure == nil)
            break
        }
        #expect(frameCount.value == frames)
        return memories.value
    }

    /// The processes of decoders that this process has started.
    private static func decoders() -> [Int] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { Int($0) }.filter { process in
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            return status.contains("Name:\tsca-video-decod") && status.contains("PPid:\t\(getpid())\n")
        }
    }

    private static func memory(of process: Int) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    private static func expectNoGrowth(_ memories: [Int], _ name: String) {
        // The first third fills the pools of the decoder and of the allocator.
        let third = memories.count / 3
        let (early, late) = (memories[..<third].max() ?? 0, memories[third...].max() ?? 0)
        #expect(third >= 4 && early > 0 && Double(late) <= Double(early) * 1.02, "\(name): \(memories)")
    }

    @Test(
        "The memory of a decoder does not grow by two hundredths in ten minutes of a stream",
        arguments: EncodedStreamTests.containers)
    func tenMinutes(container: EncodedStreamTests.Container) async throws {
        let data = try await Self.stream(container, minutes: 10)
        Self.expectNoGrowth(try await Self.memories(data, frames: 15_000), container.name)
    }

    @Test("The memory of a decoder does not grow by two hundredths in an hour of a transport stream") func hour()
        async throws
    {
        let data = try await Self.stream(EncodedStreamTests.containers[0], minutes: 60)
        Self.expectNoGrowth(try await Self.memories(data, frames: 90_000), "an hour")
    }

    private static func stream(_ container: EncodedStreamTests.Container, minutes: Int) async throws -> Data {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.\(container.name)")
            let source = "testsrc=s=96x64:r=25:d=\(minutes * 60)"
            try await TestVideo.make(file, ["-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p"] + container.options)
            return try Data(contentsOf: file)
        }
    }
}
