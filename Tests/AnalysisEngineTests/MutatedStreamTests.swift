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
        Data(Damage.damaged([UInt8](data), seed: seed, changes: 1...12, longest: 4000, fewest: 64))
    }

    /// A stream to damage.
    struct Source {
        let format: StreamFormat
        let data: Data
        /// The datagrams of the stream, if it has some.
        var datagrams: [[UInt8]] = []

        /// Returns the stream with damage: anywhere, or within datagrams, in their order or by their loss.
        func damaged(seed: UInt64) -> Data {
            guard !datagrams.isEmpty, seed / 16 % 4 != 0 else { return mutated(data, seed: seed) }
            var random = SplitMix64(state: seed)
            var altered = datagrams
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 1..<altered.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: altered.swapAt(place, Int.random(in: 1..<altered.count, using: &random))
                case 1: altered.insert(altered[place], at: Int.random(in: 1...altered.count, using: &random))
                case 2: altered[place] = Array(altered[place].prefix(Int.random(in: 1...20, using: &random)))
                default:
                    altered[place] = [UInt8](mutated(Data(altered[place]), seed: random.next())).suffix(60_000)
                }
            }
            return Data(altered.compactMap { StreamFraming.record($0) }.joined())
        }
    }

    /// The streams of all containers, and those in datagrams.
    static func sources() async throws -> [Source] {
        var sources: [Source] = []
        for container in EncodedStreamTests.containers {
            sources.append(
                Source(
                    format: .automatic, data: try await EncodedStreamTests.stream(container, size: "160x90")))
        }
        for codec in DatagramStreamTests.codecs.keys.sorted() {
            let datagrams =
                [Array(Datagrams.description(codec).utf8)] + (try await DatagramStreamTests.datagrams(codec))
            let data = Data(datagrams.compactMap { StreamFraming.record($0) }.joined())
            sources.append(Source(format: .datagrams, data: data, datagrams: datagrams))
        }
        return sources
    }

    /// Decodes damaged streams, two at a time.
    static func decode(_ sources: [Source], seeds: Range<UInt64>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds {
                if seed >= seeds.lowerBound + 2 { try await group.next() }
                group.addTask {
                    let source = sources[Int(seed) % sources.count]
                    let outcome = try await EncodedStreamTests.decode(source.damaged(seed: seed), source.format)
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

    @Test("Damaged streams end or fail, and leave no process, descriptor, thread or memory", .timeLimit(.minutes(30)))
    func damaged() async throws {
        // A process of its own, because other tests take resources meanwhile.
        await #expect(processExitsWith: .success) {
            let sources = try await MutatedStreamTests.sources()
            // The first streams fill caches of the allocator, which still vary by some megabytes afterwards.
            try await MutatedStreamTests.decode(sources, seeds: 1_000_000..<1_000_060)
            let growth = 12_000_000
            let before = try await ProcessResources.beforeWork()
            try await MutatedStreamTests.decode(sources, seeds: 0..<(Campaign.isRunning ? 2000 : 200))
            if let left = try await ProcessResources.leftOver(since: before, growth: growth) {
                Issue.record("\(left)")
            }
        }
    }
}
