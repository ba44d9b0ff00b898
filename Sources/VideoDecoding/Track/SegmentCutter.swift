// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Cuts the packets of a stream into segments.
///
/// If a segment has more bytes than may be held, only its first packets are kept in memory. The first packet is kept at
/// any size, because the other packets are found again by it.
struct SegmentCutter {
    private let holdsEverything: Bool
    private var next = Segment()
    private var byteCount = 0

    /// - Parameter holdsEverything: whether large segments are cut, so all packets stay in memory until decoding.
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
    /// - Returns: the segment before the packet if it is complete now, or nil.
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

    /// Returns the last segment, which may have no packets.
    mutating func finish() -> Segment {
        defer { next = Segment() }
        var last = next
        last.isLast = true
        return last
    }

    /// The bounds of a segment in packets, bytes and microseconds; all parts of a cut segment are decoded as a whole.
    private static let maximumCount = 1300
    private static let maximumByteCount = 24 << 20
    private static let maximumLength: Int64 = 20_000_000
}
