// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import LiveStreams
import TestSupport
import Testing

@Suite("Decoders of live streams that misbehave", .timeLimit(.minutes(1))) struct MisbehavingStreamDecoderTests {
    private static let pool = HelperPool(
        locator: HelperLocator(name: "TestDecoder", folders: [TestFiles.products.path]), maximumCount: 1,
        settings: HelperSettings())

    /// Returns the number of frames that came, and the failure; nil for a stream that ended.
    private static func decode(
        _ word: String, byteCount: Int = 100, ends: Bool = true, limit: Duration = .seconds(10)
    ) async throws -> (frameCount: Int, failure: AnalysisFailure?) {
        let frameCount = Shared(0)
        let (ends, continuation) = (AsyncStream<AnalysisFailure?>.makeStream(), ends)
        let limits = AnalysisLimits { $0.maximumDecodingTime = limit }
        let decoder = try pool.decodeStream(StreamRequest(limits: limits)) { event in
            switch event {
            case .frame: frameCount.change { $0 += 1 }
            case .end: ends.continuation.yield(nil)
            case .failure(let failure): ends.continuation.yield(failure)
            }
        }
        // Bytes that a decoder never reads fill the queue, so another task sends them.
        let sender = Task {
            await decoder.send(Array("\(word) ".utf8))
            for _ in 0..<(byteCount / 100) { await decoder.send([UInt8](repeating: 7, count: 100)) }
            if continuation { decoder.finish() }
        }
        defer { sender.cancel() }
        for await failure in ends.stream { return (frameCount.value, failure) }
        throw CancellationError()
    }

    @Test("A decoder that obeys delivers its frame and the end") func obedient() async throws {
        let outcome = try await Self.decode("none")
        #expect(outcome.frameCount == 1 && outcome.failure == nil)
    }

    @Test(
        "A false reply about a live stream ends the stream with a failure",
        arguments: ["flood", "size", "moment", "track"])
    func falseReply(_ fault: String) async throws {
        let outcome = try await Self.decode(fault)
        #expect(outcome.failure?.code == .decoderFailed)
        // Each frame takes at least a byte.
        #expect(outcome.frameCount <= (fault == "flood" ? 106 : 0))
    }

    @Test("An end before the end of the bytes is a failure, because what follows was not seen") func earlyEnd()
        async throws
    {
        let outcome = try await Self.decode("early", byteCount: 1000)
        #expect(outcome.frameCount == 1 && outcome.failure?.code == .malformedMedia)
    }

    @Test("A decoder of a live stream that dies ends the stream with a failure") func death() async throws {
        #expect(try await Self.decode("dies").failure?.code == .decoderFailed)
    }

    @Test("A decoder of a live stream that does not reply is ended at the limit") func silence() async throws {
        #expect(try await Self.decode("silent", limit: .seconds(1)).failure?.code == .timedOut)
    }

    @Test("A decoder that leaves bytes in the pipe for longer than the limit is ended") func stuck() async throws {
        let outcome = try await Self.decode("stuck", byteCount: 200_000, limit: .seconds(1))
        #expect(outcome.failure?.code == .timedOut)
    }

    @Test("A decoder that waits for bytes that do not come is left alone") func waits() async throws {
        let failures = Shared(0)
        let limits = AnalysisLimits { $0.maximumDecodingTime = .milliseconds(300) }
        let decoder = try Self.pool.decodeStream(StreamRequest(limits: limits)) { event in
            if case .failure = event { failures.change { $0 += 1 } }
        }
        await decoder.send(Array("stuck ".utf8))
        try await Task.sleep(for: .seconds(1))
        #expect(failures.value == 0)
        decoder.end()
    }

    @Test("A stream that is finished long after its last frame ends without a failure") func lateFinish() async throws {
        let limits = AnalysisLimits { $0.maximumDecodingTime = .milliseconds(300) }
        let (ends, continuation) = AsyncStream<AnalysisFailure?>.makeStream()
        let (frames, frameContinuation) = AsyncStream<Void>.makeStream()
        let decoder = try Self.pool.decodeStream(StreamRequest(limits: limits)) { event in
            switch event {
            case .frame: frameContinuation.yield()
            case .end: continuation.yield(nil)
            case .failure(let failure): continuation.yield(failure)
            }
        }
        await decoder.send(Array("slow ".utf8))
        for await _ in frames { break }
        try await Task.sleep(for: .seconds(1))
        decoder.finish()
        for await failure in ends {
            #expect(failure == nil, "\(failure?.message ?? "")")
            return
        }
    }

    @Test("A stream that is given up delivers nothing afterwards, and its senders go on") func givenUp() async throws {
        let count = Shared(0)
        let decoder = try Self.pool.decodeStream(StreamRequest()) { _ in count.change { $0 += 1 } }
        let sender = Task {
            await decoder.send(Array("stuck ".utf8))
            for _ in 0..<100 { await decoder.send([UInt8](repeating: 7, count: 100_000)) }
        }
        try await Task.sleep(for: .milliseconds(300))
        decoder.end()
        await sender.value
        #expect(count.value == 0)
    }
}
