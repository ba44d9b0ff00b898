// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

@Suite("What a demuxer has passed over")
struct LossWatchTests {
    /// Notes two pictures of 40 milliseconds, the second at five seconds, with a gap of bytes that belong to no packet.
    private static func watch(
        gap: Int64, isSequential: Bool = true, mayHavePadding: Bool = false, hasJumped: Bool = false
    ) -> LossWatch {
        var watch = LossWatch(isSequential: isSequential, mayHavePadding: mayHavePadding)
        watch.note(position: 0, byteCount: 160)
        watch.note(moment: 0, duration: 40_000, isDamaged: false, hasJumped: false)
        // The watch allows a sixteenth for headers between the pieces of a packet, so this packet reaches to byte 170.
        watch.note(position: 170 + gap, byteCount: 160)
        watch.note(moment: 5_000_000, duration: 40_000, isDamaged: false, hasJumped: hasJumped)
        return watch
    }

    @Test("A loss watch ignores a pause between pictures where no bytes are gone")
    func pause() {
        #expect(Self.watch(gap: 0).longest == 0)
        #expect(Self.watch(gap: -170).longest == 0)
    }

    @Test(
        "A loss watch allows 1 KiB between packets, and 16 KiB where other packets lie between them",
        arguments: [(1024, false, 0), (1025, false, 4_960_000), (16_384, true, 0), (16_385, true, 4_960_000)]
            as [(Int64, Bool, Int64)])
    func overhead(gap: Int64, mayHavePadding: Bool, longest: Int64) {
        // The stretch reaches from the end of the first picture to the start of the second picture.
        #expect(Self.watch(gap: gap, mayHavePadding: mayHavePadding).longest == longest)
    }

    @Test("A loss watch ignores holes in files whose packets may lie anywhere")
    func index() {
        #expect(Self.watch(gap: 1 << 30, isSequential: false).longest == 0)
    }

    @Test("A loss watch ignores packets whose position is not known")
    func unknownPosition() {
        var watch = LossWatch(isSequential: true, mayHavePadding: false)
        for moment in [0, 5_000_000] as [Int64] {
            watch.note(position: -1, byteCount: 160)
            watch.note(moment: moment, duration: 40_000, isDamaged: false, hasJumped: false)
        }
        #expect(watch.longest == 0)
    }

    @Test("A loss watch takes a hole of unknown length for a second where timestamps begin anew")
    func jump() {
        #expect(Self.watch(gap: 1 << 20, hasJumped: true).longest == 1_000_000)
        #expect(Self.watch(gap: 0, hasJumped: true).longest == 0)
    }

    @Test func `A loss watch counts a hole that is followed by sound before the next picture`() {
        var watch = LossWatch(isSequential: true, mayHavePadding: false)
        watch.note(position: 0, byteCount: 160)
        watch.note(moment: 0, duration: 40_000, isDamaged: false, hasJumped: false)
        watch.note(position: 9170, byteCount: 160)
        watch.note(position: 9340, byteCount: 160)
        watch.note(moment: 3_000_000, duration: 40_000, isDamaged: false, hasJumped: false)
        #expect(watch.longest == 2_960_000)
    }

    @Test func `A loss watch counts a hole for the first picture behind it only`() {
        var watch = Self.watch(gap: 1 << 20)
        watch.note(position: (1 << 20) + 340, byteCount: 160)
        watch.note(moment: 60_000_000, duration: 40_000, isDamaged: false, hasJumped: false)
        #expect(watch.longest == 4_960_000)
    }

    @Test("A loss watch measures the time on both sides of a damaged packet")
    func damage() {
        var watch = LossWatch(isSequential: false, mayHavePadding: false)
        func note(_ moment: Int64, isDamaged: Bool) -> Int64 {
            watch.note(moment: moment, duration: 40_000, isDamaged: isDamaged, hasJumped: false)
            return watch.longest
        }
        #expect(note(0, isDamaged: false) == 0)
        #expect(note(2_000_000, isDamaged: true) == 1_960_000)
        #expect(watch.endsDamaged)
        #expect(note(5_000_000, isDamaged: false) == 2_960_000)
        #expect(!watch.endsDamaged)
        // The picture is not damaged, so the long pause before it is no loss.
        #expect(note(60_000_000, isDamaged: false) == 2_960_000)
    }

    @Test("A loss watch keeps the longest stretch when a shorter one follows")
    func longest() {
        var watch = LossWatch(isSequential: false, mayHavePadding: false)
        for moment in [0, 3_000_000, 3_100_000] as [Int64] {
            watch.note(moment: moment, duration: 40_000, isDamaged: true, hasJumped: false)
        }
        #expect(watch.longest == 2_960_000)
    }

    @Test("A loss watch measures no stretch where reordered pictures leave none")
    func reordered() {
        var watch = LossWatch(isSequential: false, mayHavePadding: false)
        for moment in [0, 120_000, 40_000, 80_000] as [Int64] {
            watch.note(moment: moment, duration: 40_000, isDamaged: moment == 40_000, hasJumped: false)
        }
        #expect(watch.longest == 0)
    }

    @Test("A loss watch measures a hole whatever duration the packet before it claims")
    func claimedDuration() {
        var watch = LossWatch(isSequential: true, mayHavePadding: false)
        watch.note(position: 0, byteCount: 160)
        // A Matroska block may claim any duration, here an hour.
        watch.note(moment: 0, duration: 3_600_000_000, isDamaged: false, hasJumped: false)
        watch.note(position: 1 << 20, byteCount: 160)
        watch.note(moment: 5_000_000, duration: 40_000, isDamaged: false, hasJumped: false)
        // The watch believes a duration of a fifth of a second at most.
        #expect(watch.longest == 4_800_000)
    }

    @Test func `A loss watch measures a hole that lies before the first picture`() {
        var watch = LossWatch(isSequential: true, mayHavePadding: false)
        // The file begins with sound, and the pictures of the first five seconds are missing.
        watch.note(position: 0, byteCount: 160)
        watch.note(position: 1 << 20, byteCount: 160)
        watch.note(moment: 5_000_000, duration: 40_000, isDamaged: false, hasJumped: false)
        #expect(watch.longest == 5_000_000)
    }

    @Test("A loss watch believes that pictures of a slide show stay, and not that one of a video does")
    func slideShow() {
        func longest(step: Int64) -> Int64 {
            var watch = LossWatch(isSequential: true, mayHavePadding: false)
            for index in 0..<20 as Range<Int64> {
                watch.note(position: index * 100, byteCount: 100)
                watch.note(moment: index * step, duration: 5_000_000, isDamaged: false, hasJumped: false)
            }
            watch.note(position: 1 << 20, byteCount: 100)
            watch.note(moment: 19 * step + 5_000_000, duration: 5_000_000, isDamaged: false, hasJumped: false)
            return watch.longest
        }
        #expect(longest(step: 5_000_000) == 0)
        #expect(longest(step: 3_000_000) == 2_000_000)
        #expect(longest(step: 40_000) == 4_800_000)
    }

    @Test("A loss watch allows sound a second before the first picture where streams are cut out of longer ones")
    func soundFirst() {
        var watch = LossWatch(isSequential: true, mayHavePadding: true)
        watch.note(position: 0, byteCount: 160)
        watch.note(position: 1 << 20, byteCount: 160)
        watch.note(moment: 5_000_000, duration: 40_000, isDamaged: false, hasJumped: false)
        #expect(watch.longest == 4_000_000)
    }
}
