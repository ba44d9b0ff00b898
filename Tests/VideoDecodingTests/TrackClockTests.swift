// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import VideoDecoding

@Suite("The clock of a track")
struct TrackClockTests {
    /// Returns the moments that a clock gives for timestamps, all in microseconds.
    private static func moments(_ timestamps: [Int64?], start: Int64? = 0, mayHaveJumps: Bool = false) -> [Int64] {
        var clock = TrackClock(start: start, mayHaveJumps: mayHaveJumps)
        return timestamps.map { clock.moment(at: $0) }
    }

    @Test("A track clock counts moments from the start that the container declares")
    func declaredStart() {
        #expect(Self.moments([1_000_000, 1_040_000, 1_120_000], start: 1_000_000) == [0, 40_000, 120_000])
        #expect(Self.moments([1_000_000, 1_040_000], start: -500_000) == [1_500_000, 1_540_000])
    }

    @Test("A track clock counts from the first timestamp if the container declares no start, or a later one")
    func firstTimestamp() {
        #expect(Self.moments([5_000_000, 5_040_000], start: nil) == [0, 40_000])
        #expect(Self.moments([400_000, 1_000_000], start: 1_000_000) == [0, 600_000])
    }

    @Test func `A track clock gives no negative moment to a frame that is shown before the first one`() {
        #expect(Self.moments([1_000_000, 500_000, 1_040_000], start: nil) == [0, 0, 40_000])
    }

    @Test("A track clock gives a packet without a timestamp the latest distance from the packet before it")
    func guesses() {
        var clock = TrackClock(start: 0, mayHaveJumps: false)
        #expect([0, 20_000].map { clock.moment(at: $0) } == [0, 20_000])
        #expect(!clock.isShifted)
        #expect([nil, nil].map { clock.moment(at: $0) } == [40_000, 60_000])
        #expect(clock.isShifted && !clock.hasJumped)
    }

    @Test("A track clock assumes 25 frames a second as long as it knows no distance")
    func assumedStep() {
        #expect(Self.moments([0, nil, nil]) == [0, 40_000, 80_000])
        // A distance of 0, or of a second or more (a pause), is not used to guess later moments: 40 ms remain.
        #expect(Self.moments([0, 1_000_000, nil]) == [0, 1_000_000, 1_040_000])
        #expect(Self.moments([0, 0, nil]) == [0, 0, 40_000])
    }

    @Test("A track clock accepts frames that are reordered by two minutes where recordings are never joined")
    func reordering() {
        var clock = TrackClock(start: 0, mayHaveJumps: false)
        #expect(clock.moment(at: 200_000_000) == 200_000_000)
        #expect(clock.moment(at: 80_000_000) == 80_000_000)
        #expect(!clock.isShifted)
        // One microsecond further back, the frame belongs to another recording, which follows the latest frame.
        #expect(clock.moment(at: 79_999_999) == 200_040_000)
        #expect(clock.isShifted && clock.hasJumped)
    }

    @Test func `A track clock notices timestamps beyond all bounds, and those long before the start`() {
        func areNoticed(_ timestamps: [Int64], start: Int64?) -> Bool {
            var clock = TrackClock(start: start, mayHaveJumps: false)
            for timestamp in timestamps { _ = clock.moment(at: timestamp) }
            return clock.hasImpossibleTimestamps
        }
        #expect(areNoticed([.max, .max - 40_000], start: nil))
        #expect(areNoticed([0, TrackClock.furthestTimestamp], start: 0))
        #expect(areNoticed([100_000_000, 40_000], start: nil))
        #expect(!areNoticed([100_000_000, 98_000_000, 100_040_000], start: nil))
        #expect(!areNoticed([0, TrackClock.furthestTimestamp - 1], start: 0))
    }

    @Test("A track clock accepts any step forward where recordings are never joined")
    func longPause() {
        var clock = TrackClock(start: 0, mayHaveJumps: false)
        #expect([0, 3_600_000_000].map { clock.moment(at: $0) } == [0, 3_600_000_000])
        #expect(!clock.isShifted)
    }

    @Test("A track clock goes on by one frame after more than two seconds back where recordings may be joined")
    func jumpBack() {
        var clock = TrackClock(start: 0, mayHaveJumps: true)
        #expect([5_000_000, 5_040_000, 3_040_000].map { clock.moment(at: $0) } == [5_000_000, 5_040_000, 3_040_000])
        #expect(!clock.isShifted)
        #expect(clock.moment(at: 3_039_999) == 5_080_000)
        #expect(clock.isShifted && clock.hasJumped)
        // The timestamps of the new recording continue from there.
        #expect(clock.moment(at: 3_079_999) == 5_120_000)
        #expect(clock.isShifted && !clock.hasJumped)
    }

    @Test("A track clock goes on by one frame after more than ten seconds forward where recordings may be joined")
    func jumpForward() {
        var clock = TrackClock(start: 0, mayHaveJumps: true)
        #expect([0, 40_000, 10_040_000].map { clock.moment(at: $0) } == [0, 40_000, 10_040_000])
        #expect(!clock.isShifted)
        #expect(clock.moment(at: 20_040_001) == 10_080_000)
        #expect(clock.isShifted && clock.hasJumped)
    }

    @Test func `A track clock that has guessed a moment takes more than two seconds back for a new count`() {
        // Without a guessed moment, these timestamps are of reordered frames.
        #expect(Self.moments([10_000_000, 7_000_000]) == [10_000_000, 7_000_000])
        #expect(Self.moments([10_000_000, nil, 7_000_000]) == [10_000_000, 10_040_000, 10_080_000])
    }

    @Test("A track clock looks a moment up at the timestamp from which it would count it")
    func timestamps() {
        var clock = TrackClock(start: 1_000_000, mayHaveJumps: false)
        #expect(clock.timestamp(of: 250_000) == 1_250_000)
        _ = clock.moment(at: 400_000)
        #expect(clock.timestamp(of: 250_000) == 650_000)
        #expect(TrackClock(start: nil, mayHaveJumps: true).timestamp(of: 250_000) == 250_000)
    }

    @Test("A track clock that expects jumps stays within two seconds back and ten forward of its latest moment")
    func arbitraryTimestamps() {
        var generator = SplitMix64(state: 7)
        var clock = TrackClock(start: 0, mayHaveJumps: true)
        let furthest: Int64 = 1 << 52
        var latest = clock.moment(at: 0)
        for index in 0..<20_000 {
            let isExtreme = index % 3 == 0
            let near = Int64.random(in: -15_000_000...15_000_000, using: &generator)
            let timestamp = isExtreme ? Int64.random(in: -furthest...furthest, using: &generator) : near
            let moment = clock.moment(at: index % 50 == 49 ? nil : timestamp)
            #expect(moment >= max(0, latest - 2_000_000) && moment <= latest + 10_000_000)
            latest = max(latest, moment)
        }
    }
}
