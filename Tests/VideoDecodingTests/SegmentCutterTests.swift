// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

@Suite("The segments of a stream")
struct SegmentCutterTests {
    /// The segments that the cutter makes of packets, with the last segment.
    private static func segments(_ packets: [Segment.Packet], holdsEverything: Bool = false) -> [Segment] {
        var cutter = SegmentCutter(holdsEverything: holdsEverything)
        let complete = packets.compactMap { cutter.add($0) }
        return complete + [cutter.finish()]
    }

    /// Packets with durations of 40 milliseconds.
    private static func packets(_ count: Int, keys: Set<Int> = [0], byteCount: Int = 100) -> [Segment.Packet] {
        (0..<count).map {
            .described(Int64($0), at: Int64($0) * 40_000, byteCount: byteCount, isKey: keys.contains($0))
        }
    }

    private static let mebibyte = 1 << 20

    @Test("A segment reaches from one key frame to the next")
    func keyFrames() {
        let segments = Self.segments(Self.packets(8, keys: [0, 3, 7]))
        #expect(segments.map { $0.packets.map(\.label) } == [[0, 1, 2], [3, 4, 5, 6], [7]])
        #expect(segments.map(\.nextMoment) == [120_000, 280_000, nil])
        #expect(segments.map(\.endsBeforeRestart) == [true, true, true])
        #expect(segments.map(\.isLast) == [false, false, true])
    }

    @Test func `A key frame behind which frames may depend on others before it does not begin a segment`() {
        let packets = (0..<6).map {
            Segment.Packet.described(
                Int64($0), at: Int64($0) * 40_000, isKey: $0.isMultiple(of: 2), isRestartPoint: $0.isMultiple(of: 4))
        }
        #expect(Self.segments(packets).map { $0.packets.map(\.label) } == [[0, 1, 2, 3], [4, 5]])
    }

    @Test func `A stream that begins without a key frame has its first packets in a segment as well`() {
        let segments = Self.segments(Self.packets(4, keys: [2]))
        #expect(segments.map { $0.packets.map(\.label) } == [[0, 1], [2, 3]])
        #expect(segments.map(\.beginsAnew) == [false, true])
    }

    @Test("A stream without packets ends with an empty segment")
    func empty() {
        let segments = Self.segments([])
        #expect(segments.count == 1 && segments[0].packets.isEmpty && segments[0].isLast)
    }

    @Test("A segment of more than 1,300 packets is cut, and says that no key frame follows")
    func packetCount() {
        #expect(Self.segments(Self.packets(500)).count == 1)
        func segments(_ count: Int) -> [Segment] {
            Self.segments((0..<count).map { .described(Int64($0), at: Int64($0), isKey: $0 == 0) })
        }
        #expect(segments(1300).map(\.packets.count) == [1300])
        #expect(segments(1301).map(\.packets.count) == [1300, 1])
        #expect(segments(1301)[0].endsBeforeRestart == false)
    }

    @Test("A segment is cut before a packet that is shown twenty seconds after its first one")
    func length() {
        func counts(_ second: Int64) -> [Int] {
            Self.segments([.described(0, at: 5_000_000, isKey: true), .described(1, at: second)]).map(\.packets.count)
        }
        #expect(counts(24_999_999) == [2])
        #expect(counts(25_000_000) == [1, 1])
    }

    @Test("A segment is cut once it has 24 MiB where everything will be decoded")
    func byteCount() {
        let segments = Self.segments(Self.packets(4, byteCount: 8 * Self.mebibyte), holdsEverything: true)
        #expect(segments.map(\.packets.count) == [3, 1])
        #expect(segments[0].endsBeforeRestart == false)
        let smaller = Self.segments(Self.packets(4, byteCount: 8 * Self.mebibyte - 1), holdsEverything: true)
        #expect(smaller.map(\.packets.count) == [4])
    }

    @Test("A segment keeps the first 24 MiB of encoded packets, and of the others what they are")
    func heldPackets() throws {
        let packets = try (0..<10).map { label in
            Segment.Packet.described(
                Int64(label), at: Int64(label) * 40_000, byteCount: 8 * Self.mebibyte, isKey: label % 5 == 0,
                encoded: try EncodedPacket())
        }
        let segments = Self.segments(packets)
        #expect(segments.map(\.packets.count) == [5, 5])
        for segment in segments {
            #expect(segment.packets.map { $0.encoded != nil } == [true, true, true, false, false])
            #expect(segment.packets.map(\.byteCount) == Array(repeating: 8 * Self.mebibyte, count: 5))
        }
    }

    @Test func `The first packet of a segment is held in memory whatever its size`() throws {
        let packets = try (0..<2).map { label in
            Segment.Packet.described(
                Int64(label), at: Int64(label), byteCount: 24 * Self.mebibyte + 1, isKey: true,
                encoded: try EncodedPacket())
        }
        let segments = Self.segments(packets)
        #expect(segments[1].packets[0].encoded != nil)
        #expect(segments[0].packets[0].encoded != nil)
    }

    @Test(
        "A file lacks frames if more than ten of those are missing that its index announces",
        arguments: [(100, 100, false), (100, 90, false), (100, 89, true), (100, 0, true), (5, 200, false)]
            as [(Int64, Int64, Bool)])
    func announcedFrames(announced: Int64, read: Int64, lacks: Bool) {
        #expect(SegmentReader.lacksFrames(announced: announced, read: read, readShare: 0) == lacks)
    }

    @Test("A file without an index of all frames lacks frames if less than 97 % of it was read")
    func readShare() {
        for (share, lacks) in [(1, false), (0.97, false), (0.9699, true), (0, true)] {
            #expect(SegmentReader.lacksFrames(announced: 0, read: 1000, readShare: share) == lacks)
        }
    }
}
