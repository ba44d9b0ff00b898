// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// Gives the packets of segments, those from the file again that were too many to be held in memory.
///
/// @unchecked: the jobs of one pass use a source one after the other, or one each.
final class SegmentSource: @unchecked Sendable {
    private let open: () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    private var replay: Replay?

    /// A second reading of the file.
    private struct Replay {
        let container: MediaContainer
        let stream: VideoStream
        /// The label of the packet that comes next.
        var label: Int64
    }

    /// - Parameter open: opens the container anew and gives the stream in it.
    init(opening open: @escaping () throws(DecodingFailure) -> (MediaContainer, VideoStream)) {
        self.open = open
    }

    /// The packet at a position; nil where it cannot be found again.
    func packet(_ position: Int, of segment: Segment) throws(DecodingFailure) -> EncodedPacket? {
        let wanted = segment.packets[position]
        if let encoded = wanted.encoded { return encoded }
        if replay?.label != wanted.label { replay = try find(wanted, in: segment) }
        guard let replay, let packet = try replay.container.nextPacket(of: replay.stream) else { return nil }
        guard packet.byteCount == wanted.byteCount, packet.position == wanted.position else { return nil }
        self.replay?.label += 1
        packet.label(wanted.label)
        return packet
    }

    /// Goes to the start of the segment, and on to the packet, which is never the first: that one is held.
    private func find(_ wanted: Segment.Packet, in segment: Segment) throws(DecodingFailure) -> Replay? {
        guard let first = segment.packets.first, let timestamp = first.timestamp else { return nil }
        let (container, stream) = try open()
        guard container.seek(stream, to: timestamp) else { return nil }
        var replay = Replay(container: container, stream: stream, label: first.label)
        var isInside = false
        for _ in 0..<Self.mostPackets {
            if isInside, replay.label == wanted.label { return replay }
            guard let packet = try replay.container.nextPacket(of: replay.stream) else { return nil }
            if isInside {
                replay.label += 1
            } else if packet.position == first.position, packet.timestamp == timestamp,
                packet.byteCount == first.byteCount
            {
                isInside = true
                replay.label += 1
            }
        }
        return nil
    }

    /// How far a container may lead astray.
    private static let mostPackets = 10_000
}
