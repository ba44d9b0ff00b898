// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

extension Segment.Packet {
    /// A packet with the data that a demuxer gives; times are in microseconds.
    static func described(
        _ label: Int64, at moment: Int64, duration: Int64 = 40_000, byteCount: Int = 100, isKey: Bool = false,
        isRestartPoint: Bool? = nil, encoded: EncodedPacket? = nil
    ) -> Segment.Packet {
        Segment.Packet(
            encoded: encoded, label: label, moment: moment, timestamp: moment, duration: duration,
            byteCount: byteCount, isKey: isKey, isRestartPoint: isRestartPoint ?? isKey, isDamaged: false)
    }
}

@Suite("Frames that are being decoded")
struct PendingFramesTests {
    /// Pending frames at these moments, with the labels 0, 1, 2 and so on.
    private static func pending(
        _ moments: [Int64], next: Int64? = nil, duration: Int64 = 40_000, wanted: Set<Int> = []
    ) -> PendingFrames {
        var pending = PendingFrames()
        let packets = moments.enumerated().map {
            Segment.Packet.described(Int64($0.offset), at: $0.element, duration: duration)
        }
        pending.add(Segment(packets: packets, nextMoment: next), wanted: wanted)
        return pending
    }

    @Test("A pending frame ends when the next one in time begins, whatever duration it claims")
    func ends() {
        var pending = Self.pending([0, 80_000, 40_000], next: 120_000, duration: 9_000_000)
        #expect((0...2).map { pending.take($0)?.frame.end } == [40_000, 120_000, 80_000])
    }

    @Test("Pending frames of the same moment all last until the next moment")
    func sameMoment() {
        var pending = Self.pending([0, 0, 40_000], next: 80_000)
        #expect((0...2).map { pending.take($0)?.frame.end } == [40_000, 40_000, 80_000])
    }

    @Test("A last pending frame lasts for its duration, and for a microsecond at least")
    func lastFrame() {
        for next in [nil, 0, 100_000] as [Int64?] {
            var timed = Self.pending([100_000], next: next)
            #expect(timed.take(0)?.frame.end == 140_000)
            var untimed = Self.pending([100_000], next: next, duration: 0)
            #expect(untimed.take(0)?.frame.end == 100_001)
        }
    }

    @Test("A frame that comes after it was called lost is late, and is still known")
    func late() throws {
        var pending = Self.pending([0, 1_000_000, 400_000], wanted: [2])
        #expect(pending.take(0)?.isLate == false)
        let taken = (pending.take(1), pending.take(2), pending.take(2))
        let ahead = try #require(taken.0)
        #expect(ahead.lost.map(\.label) == [2] && !ahead.isLate)
        let late = try #require(taken.1)
        #expect(late.isLate && late.frame.moment == 400_000 && late.lost.isEmpty)
        #expect(taken.2 == nil)
    }

    @Test("A second picture of one packet is known as a further picture of its frame")
    func further() throws {
        var pending = Self.pending([0, 40_000], wanted: [0])
        let taken = (pending.take(0), pending.take(0))
        let (first, second) = (try #require(taken.0), try #require(taken.1))
        #expect(!first.isFurther && second.isFurther)
        #expect(second.frame.moment == 0 && second.frame.isWanted && second.lost.isEmpty)
        #expect(pending.take(7)?.frame.label == nil)
    }

    @Test("Only the eight frames that were taken last may have further pictures")
    func forgotten() {
        var pending = Self.pending((0..<9).map { $0 * 40_000 })
        for label in 0..<9 as Range<Int64> { #expect(pending.take(label)?.isFurther == false) }
        #expect(pending.take(0)?.frame.label == nil)
        for label in 1..<9 as Range<Int64> { #expect(pending.take(label)?.isFurther == true) }
    }

    @Test("Wanted frames are lost when a frame comes that is shown more than half a second later")
    func lost() {
        var pending = Self.pending([400_000, 0, 100_000, 500_000, 1_000_000], wanted: [0, 1, 3, 4])
        // Lost frames come in the order of time; frame 2 is not wanted, and frame 3 is just half a second earlier.
        #expect(pending.take(4)?.lost.map(\.label) == [1, 0])
        #expect(pending.take(1)?.isLate == true && pending.take(2)?.isLate == true)
        #expect(pending.take(3)?.frame.moment == 500_000)
    }

    @Test("Wanted frames that are left when a decoder is empty are all told once, in the order of time")
    func rest() {
        var pending = Self.pending([80_000, 0, 40_000, 120_000], wanted: [0, 1, 3])
        _ = pending.take(3)
        #expect(pending.takeRest().map(\.label) == [1, 0])
        #expect(pending.takeRest().isEmpty)
        #expect(pending.take(2)?.frame.label == nil)
    }

    @Test("Frames that are added again are wanted or not as they were added last")
    func addedAgain() {
        let segment = Segment(packets: [.described(0, at: 0), .described(1, at: 40_000)])
        var pending = PendingFrames()
        pending.add(segment, wanted: [0, 1])
        pending.add(segment, wanted: [1])
        #expect(pending.takeRest().map(\.label) == [1])
    }
}
