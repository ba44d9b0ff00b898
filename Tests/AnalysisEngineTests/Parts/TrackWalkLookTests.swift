// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import AnalysisEngine
@testable import HelperHost

/// Grey levels of 25, 204 and 242 stand for scores of 0.1, 0.8 and 0.95.
@Suite("The looks to both sides of a frame")
struct TrackWalkLookTests {
    /// A frame over the ordinary threshold, at five seconds unless told otherwise, and the end of the track.
    private static func events(_ level: UInt8 = 204, at moment: Duration = .seconds(5)) throws -> [OpenMedia.Event] {
        [try ScriptedTrack.frame(level, at: moment), .progress(0.5, moment), ScriptedTrack.end()]
    }

    private static func code(_ walk: inout TrackWalk) async -> AnalysisFailure.Code? {
        do {
            _ = try await walk.run { _, _ in }
            return nil
        } catch {
            return (error as? AnalysisFailure)?.code
        }
    }

    @Test("A walk looks up to a second to both sides of a frame over the ordinary threshold before it goes on")
    func bothSides() async throws {
        let track = ScriptedTrack(try Self.events())
        var walk = TrackWalk(track)
        _ = try await walk.run { _, _ in }
        #expect(!walk.isSensitive)
        let (before, after) = (track.looks.filter { $0 < .seconds(5) }, track.looks.filter { $0 >= .seconds(5) })
        #expect(before.contains { .seconds(5) - $0 <= .milliseconds(250) } && before.contains(.seconds(4)))
        #expect(after.contains { $0 - .seconds(5) <= .milliseconds(290) } && after.contains(.milliseconds(6040)))
        #expect(track.asked.last == .next)
    }

    @Test("A walk looks nowhere for frames below the threshold, nor for one over the strong threshold")
    func noLooks() async throws {
        for level in [25, 242] as [UInt8] {
            let track = ScriptedTrack(try Self.events(level))
            var walk = TrackWalk(track)
            _ = try await walk.run { _, _ in }
            #expect(track.looks.isEmpty && walk.isSensitive == (level == 242))
        }
    }

    @Test("A walk through a track of which everything is told looks nowhere before the end")
    func complete() async throws {
        let track = ScriptedTrack(try Self.events())
        var walk = TrackWalk(track, isComplete: true)
        _ = try await walk.run { _, _ in }
        #expect(track.asked.prefix(3) == [.next, .next, .next] && !walk.isSensitive)
    }

    @Test("A walk finds a shot of a second of which it was told one frame, and none of 0.96 seconds")
    func shot() async throws {
        for (count, isSensitive) in [(24, false), (25, true)] {
            for told in [0, count / 2, count - 1] {
                let (first, last) = (Duration.seconds(4), Duration.seconds(4) + .milliseconds(40) * (count - 1))
                let moment = first + .milliseconds(40) * told
                let track = ScriptedTrack(try Self.events(at: moment)) { asked in
                    try ScriptedTrack.frame(asked >= first && asked < last + .milliseconds(40) ? 204 : 25, at: asked)
                }
                var walk = TrackWalk(track)
                _ = try await walk.run { _, _ in }
                #expect(walk.isSensitive == isSensitive, "\(count) \(told)")
                #expect(track.looks.count <= 20)
            }
        }
    }

    @Test("A look at which the track has ended, or shows a frame that is known, is not repeated")
    func nothingNew() async throws {
        let answers: [@Sendable (Duration) throws -> OpenMedia.Event] = [
            { _ in ScriptedTrack.end() }, { _ in try ScriptedTrack.frame(204, at: .seconds(5)) },
        ]
        for answer in answers {
            let track = ScriptedTrack(try Self.events(), answerLook: answer)
            var walk = TrackWalk(track)
            _ = try await walk.run { _, _ in }
            #expect(Set(track.looks).count == track.looks.count && track.looks.count < 20)
            // The known frame fills the moments at which nothing else is shown, so it lasts for a second.
            #expect(walk.isSensitive)
        }
    }

    @Test func `A look that takes more frames than allowed is a limit that was exceeded`() async throws {
        for reason in [TrackEnd.Reason.tooManyFrames, .tooLong, .truncated, .lateStream] {
            let track = ScriptedTrack(try Self.events()) { _ in ScriptedTrack.end(reason) }
            var walk = TrackWalk(track)
            #expect(await Self.code(&walk) == .limitExceeded)
        }
    }

    @Test("A look that takes too long is given up")
    func timeLimit() async throws {
        let track = ScriptedTrack(try Self.events()) { _ in .progress(0, .zero) }
        var walk = TrackWalk(track, longestStall: .zero)
        #expect(await Self.code(&walk) == .timedOut)
        #expect(track.looks.isEmpty)
    }

    @Test("A repetition in answer to a look is a lie of the decoder")
    func repetition() async throws {
        let track = ScriptedTrack(try Self.events()) { .repetition(start: $0, end: $0 + .seconds(1)) }
        var walk = TrackWalk(track)
        await #expect(throws: HelperLie.self) { try await walk.run { _, _ in } }
    }

    @Test("A walk that locates edges finds the start of a sensitive shot to 0.3 seconds")
    func edges() async throws {
        let track = ScriptedTrack(try Self.events(242, at: .seconds(9))) { moment in
            try ScriptedTrack.frame(moment >= .milliseconds(3200) ? 242 : 25, at: moment)
        }
        var walk = TrackWalk(track, locatesEdges: true)
        #expect(try await walk.run { _, _ in } == nil)
        let start = try #require(walk.analysis.decisiveSpans.map(\.start).min())
        #expect(start >= .milliseconds(3200) && start <= .milliseconds(3500))
        #expect(track.looks.count < 100)
    }

    @Test("A failure to locate an edge leaves a sensitive track sensitive")
    func failedEdge() async throws {
        let track = ScriptedTrack(try Self.events(242)) { _ in throw AnalysisFailure(.malformedMedia, "A damage.") }
        var walk = TrackWalk(track, locatesEdges: true)
        #expect(try await walk.run { _, _ in } == nil)
        #expect(walk.isSensitive && track.looks.count == 1)
    }

    @Test("A failure to look to the sides of a frame ends the walk")
    func failedLook() async throws {
        let track = ScriptedTrack(try Self.events()) { _ in throw AnalysisFailure(.malformedMedia, "A damage.") }
        var walk = TrackWalk(track)
        #expect(await Self.code(&walk) == .malformedMedia)
    }
}
