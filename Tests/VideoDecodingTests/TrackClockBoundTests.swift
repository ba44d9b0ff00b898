// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

/// These would end the test process, and so are off until the clock is bounded.
@Suite(
    "The clock of a track with extreme timestamps",
    .disabled("KNOWN BUG: sums of unbounded starts and moments overflow, which ends the decoder."))
struct TrackClockBoundTests {
    /// What `VideoStream.microseconds` gives at most.
    private let furthest: Int64 = 1 << 52

    @Test("KNOWN BUG: A track clock counts from any start that a container may declare")
    func declaredStart() {
        // MediaContainer.startTime gives FFmpeg's number as it is.
        var clock = TrackClock(start: .min + 1, mayHaveJumps: false)
        #expect(clock.moment(at: furthest) >= 0)
    }

    @Test("KNOWN BUG: A track clock gives a timestamp for a moment after any start")
    func lookup() {
        // A start of 9,223,372,036,854,775 milliseconds is possible in Matroska.
        let clock = TrackClock(start: 9_223_372_036_854_775_000, mayHaveJumps: false)
        #expect(clock.timestamp(of: 1_000_000) > 0)
    }

    @Test("KNOWN BUG: A track clock counts timestamps that go back and forth as far as they can")
    func alternation() {
        var clock = TrackClock(start: nil, mayHaveJumps: false)
        for _ in 0..<2000 {
            #expect(clock.moment(at: -furthest) >= 0)
            #expect(clock.moment(at: furthest) >= 0)
        }
    }
}
