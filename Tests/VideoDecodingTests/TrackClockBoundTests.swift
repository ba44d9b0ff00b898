// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

/// A sum that overflows would end the test process.
@Suite("The clock of a track with extreme timestamps")
struct TrackClockBoundTests {
    /// The largest result of `VideoStream.microseconds`.
    private let furthest: Int64 = 1 << 52

    @Test("A track clock counts from any start that a container may declare")
    func declaredStart() {
        var clock = TrackClock(start: .min + 1, mayHaveJumps: false)
        #expect(clock.moment(at: furthest) >= 0)
    }

    @Test("A track clock gives a timestamp for a moment after any start")
    func lookup() {
        // Matroska allows a start of 9,223,372,036,854,775 milliseconds.
        let clock = TrackClock(start: 9_223_372_036_854_775_000, mayHaveJumps: false)
        #expect(clock.timestamp(of: 1_000_000) > 0)
    }

    @Test("A track clock counts timestamps that go back and forth as far as they can")
    func alternation() {
        var clock = TrackClock(start: nil, mayHaveJumps: false)
        for _ in 0..<2000 {
            #expect(clock.moment(at: -furthest) >= 0)
            #expect(clock.moment(at: furthest) >= 0)
        }
    }
}
