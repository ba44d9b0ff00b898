// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Cuts the packets of a stream into segments.
///
/// Of a segment with more bytes than may be held, the first packets are kept, and of the others what they are. The first
/// one is kept whatever its size, since the others are found again by way of it.
struct SegmentCutter {
    private let holdsEverything: Bool
    private var next = Segment()
    private var byteCount = 0

    /// - Parameter holdsEverything: whether all packets will be decoded; large segments are then cut instead.
    init(holdsEverything: Bool) {
        self.holdsEverything = holdsEverything
    }

    /// Whether a segment would begin with the packet.
    func isFirst(_ packet: Segment.Packet) -> Bool {
        guard let first = next.packets.first else { return true }
        return packet.isRestartPoint || next.packets.count >= Self.maximumCount
            || holdsEverything && byteCount >= Self.maximumByteCount
            || packet.moment - first.moment >= Self.maximumLength
    }

    /// Adds the next packet.
    ///
    /// - Returns: the segment before it, which it completes, or nil.
    mutating func add(_ packet: Segment.Packet) -> Segment? {
        if isFirst(packet), !next.packets.isEmpty {
            var complete = next
            complete.nextMoment = packet.moment
            complete.endsBeforeRestart = packet.isRestartPoint
            next = Segment(packets: [packet])
            byteCount = packet.byteCount
            return complete
        }
        var packet = packet
        byteCount += packet.byteCount
        if !holdsEverything, byteCount > Self.maximumByteCount, !next.packets.isEmpty { packet.encoded = nil }
        next.packets.append(packet)
        return nil
    }

    /// The rest, which has no packets after the last segment.
    mutating func finish() -> Segment {
        defer { next = Segment() }
        var last = next
        last.isLast = true
        return last
    }

    /// In packets, bytes and microseconds; longer ones are cut, and then decoded as a whole.
    private static let maximumCount = 1300
    private static let maximumByteCount = 24 << 20
    private static let maximumLength: Int64 = 20_000_000
}
