// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import TestSupport
import Testing

/// Encoded live streams with random damage, which the real decoder reads.
@Suite(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)")) struct MutatedStreamTests {
    /// Returns a copy of a stream in which bytes are changed, left out, repeated or exchanged.
    static func mutated(_ data: Data, seed: UInt64) -> Data {
        var random = SplitMix64(state: seed)
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            guard bytes.count > 64 else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...4000, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 4: for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            default: bytes.removeLast(min(bytes.count - 1, end - place))
            }
        }
        return Data(bytes)
    }

    /// Decodes damaged streams, two at a time.
    static func decode(_ streams: [Data], seeds: Range<UInt64>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds {
                if seed >= seeds.lowerBound + 2 { try await group.next() }
                group.addTask {
                    let data = mutated(streams[Int(seed) % streams.count], seed: seed)
                    let outcome = try await EncodedStreamTests.decode(data)
                    let expected: [AnalysisFailure.Code?] = [
                        nil, .unsupportedMedia, .malformedMedia, .limitExceeded, .timedOut, .decoderFailed,
                    ]
                    guard outcome.hasEnded == (outcome.failure == nil), expected.contains(outcome.failure?.code) else {
                        throw Unexpected(seed: seed, failure: outcome.failure)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    struct Unexpected: Error {
        let seed: UInt64
        let failure: AnalysisFailure?
    }

    @Test("damaged streams end or fail, and leave no process, descriptor, thread or memory", .timeLimit(.minutes(30)))
    func damaged() async throws {
        // A process of its own, because other tests take resources meanwhile.
        await #expect(processExitsWith: .success) {
            var streams: [Data] = []
            for container in EncodedStreamTests.containers {
                streams.append(try await EncodedStreamTests.stream(container, size: "160x90"))
            }
            // The first streams fill caches of the allocator, which still vary by some megabytes afterwards.
            try await MutatedStreamTests.decode(streams, seeds: 1_000_000..<1_000_060)
            let growth = 12_000_000
            let before = try ProcessResources.current
            try await MutatedStreamTests.decode(streams, seeds: 0..<(Campaign.isRunning ? 2000 : 200))
            if let left = try await ProcessResources.leftOver(since: before, growth: growth) {
                Issue.record("\(left)")
            }
        }
    }
}
