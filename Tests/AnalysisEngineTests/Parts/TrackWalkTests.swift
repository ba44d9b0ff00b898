// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import AnalysisEngine
@testable import HelperHost

/// Grey levels of 25, 204 and 242 stand for scores of 0.1, 0.8 and 0.95.
@Suite("The walk through a track")
struct TrackWalkTests {
    private static let frame = Duration.milliseconds(40)
    private static let progress = OpenMedia.Event.progress(0.5, .seconds(5))

    @Test("A walk scores every frame and returns what the decoder says at the end")
    func everyFrame() async throws {
        for concurrency in 1...3 {
            let events = try (0..<7).map { try ScriptedTrack.frame(25, at: Self.frame * $0) }
            let track = ScriptedTrack(events + [ScriptedTrack.end(.truncated, duration: .seconds(9))])
            var walk = TrackWalk(track, concurrency: concurrency)
            let end = try #require(try await walk.run { _, _ in })
            #expect(end.reason == .truncated && end.duration == .seconds(9))
            #expect(walk.analysis.framesAnalyzed == 7 && !walk.isSensitive && track.restCount == 0)
        }
    }

    @Test("A walk that may stop early asks for nothing more once the track is sensitive")
    func stop() async throws {
        let rest = [try ScriptedTrack.frame(25, at: .seconds(6)), ScriptedTrack.end()]
        for (stopsEarly, restCount) in [(true, 2), (false, 0)] {
            let track = ScriptedTrack([try ScriptedTrack.frame(242, at: .seconds(5)), Self.progress] + rest)
            var walk = TrackWalk(track, stopsEarly: stopsEarly)
            let end = try await walk.run { _, _ in }
            #expect(walk.isSensitive && track.restCount == restCount && (end == nil) == stopsEarly)
        }
    }

    @Test("Repetitions have the score of the frame before them, whether it is scored yet or not", arguments: [1, 24])
    func repetitions(count: Int) async throws {
        // With the frame of 40 ms, repetitions of 960 ms make a second; the frames before and behind do not count.
        for (length, isSensitive) in [(960, true), (936, false)] {
            let piece = Duration.milliseconds(length) / count
            for (concurrency, isScored) in [(1, true), (1, false), (2, true), (2, false), (3, false)] {
                var events = [try ScriptedTrack.frame(25, at: .seconds(4)), try .init(204, at: .seconds(5))]
                if isScored { events += [Self.progress, .progress(0.6, .seconds(6))] }
                let start = Duration.seconds(5) + Self.frame
                events += (0..<count).map { .repetition(start: start + piece * $0, end: start + piece * ($0 + 1)) }
                events += [try .init(25, at: .seconds(7)), ScriptedTrack.end()]
                var walk = TrackWalk(ScriptedTrack(events), isComplete: true, concurrency: concurrency)
                _ = try await walk.run { _, _ in }
                #expect(walk.isSensitive == isSensitive, "\(length) \(concurrency) \(isScored)")
            }
        }
    }

    @Test func `A repetition before the first frame is a lie of the decoder`() async {
        var walk = TrackWalk(ScriptedTrack([.repetition(start: .zero, end: .seconds(1)), ScriptedTrack.end()]))
        await #expect(throws: HelperLie.self) { try await walk.run { _, _ in } }
    }

    @Test("A damaged picture makes a walk damaged, also if it was looked up")
    func damage() async throws {
        var whole = TrackWalk(ScriptedTrack([try ScriptedTrack.frame(25, at: .zero), ScriptedTrack.end()]))
        _ = try await whole.run { _, _ in }
        #expect(!whole.hasDamage)
        let damaged = try ScriptedTrack.frame(25, at: .zero, isDamaged: true)
        var passing = TrackWalk(ScriptedTrack([damaged, ScriptedTrack.end()]))
        _ = try await passing.run { _, _ in }
        #expect(passing.hasDamage)
        let events = [try ScriptedTrack.frame(204, at: .seconds(5)), ScriptedTrack.end()]
        let lookup = ScriptedTrack(events) { try ScriptedTrack.frame(25, at: $0, isDamaged: true) }
        var looking = TrackWalk(lookup)
        _ = try await looking.run { _, _ in }
        #expect(looking.hasDamage && !lookup.looks.isEmpty)
    }

    @Test("A failure of the model or of the decoder ends a walk")
    func failures() async throws {
        let frames = try (0..<3).map { try ScriptedTrack.frame(25, at: Self.frame * $0) }
        var unscored = TrackWalk(ScriptedTrack(frames + [ScriptedTrack.end()])) { _ in
            throw AnalysisFailure(.modelUnavailable, "There is no model.")
        }
        await #expect { try await unscored.run { _, _ in } } throws: {
            ($0 as? AnalysisFailure)?.code == .modelUnavailable
        }
        var unfinished = TrackWalk(ScriptedTrack(frames))
        await #expect(throws: ScriptedTrack.NothingLeft.self) { try await unfinished.run { _, _ in } }
    }

    @Test("A decoder that only says that it has come no further is given up")
    func stall() async {
        let track = ScriptedTrack([Self.progress, Self.progress, Self.progress])
        var walk = TrackWalk(track, longestStall: .zero)
        await #expect { try await walk.run { _, _ in } } throws: { ($0 as? AnalysisFailure)?.code == .timedOut }
        #expect(track.restCount == 1)
    }

    @Test("A walk tells how far it is by the moments of frames, and no more than the whole")
    func share() async throws {
        let told = Shared<[Double]>([])
        let events = [
            try ScriptedTrack.frame(25, at: .zero), try .init(25, at: .seconds(5)),
            .repetition(start: .seconds(6), end: .seconds(7)), .progress(0.8, .seconds(8)),
            try .init(25, at: .seconds(20)), ScriptedTrack.end(),
        ]
        var walk = TrackWalk(ScriptedTrack(events))
        _ = try await walk.run { share, _ in told.change { $0.append(share) } }
        #expect(told.value == [0, 0.5, 0.6, 0.8, 1])
    }
}

extension OpenMedia.Event {
    /// A frame of 40 milliseconds that contains a moment.
    fileprivate init(_ level: UInt8, at moment: Duration) throws {
        self = try ScriptedTrack.frame(level, at: moment)
    }
}
