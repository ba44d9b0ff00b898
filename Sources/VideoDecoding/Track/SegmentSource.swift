// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The source of the packets of segments, which reads packets again if memory could not hold them.
///
/// @unchecked: the jobs of one pass use a source one after the other, or have one source each.
final class SegmentSource: @unchecked Sendable {
    private let open: () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    private let hasOpacity: Bool
    private var replay: Replay?

    /// A second reading of the file.
    private struct Replay {
        let container: MediaContainer
        let stream: VideoStream
        /// The label of the next packet.
        var label: Int64
    }

    /// - Parameter open: opens the container again and returns the stream in it.
    init(hasOpacity: Bool, opening open: @escaping () throws(DecodingFailure) -> (MediaContainer, VideoStream)) {
        (self.hasOpacity, self.open) = (hasOpacity, open)
    }

    /// Returns the packet at a position, or nil if it cannot be found again.
    func packet(_ position: Int, of segment: Segment) throws(DecodingFailure) -> EncodedPacket? {
        let wanted = segment.packets[position]
        if let encoded = wanted.encoded { return encoded }
        // Opacity is read in step with the first reading only.
        guard !hasOpacity else { return nil }
        if replay.map({ $0.label > wanted.label }) ?? true { replay = try find(segment) }
        while let packet = try nextPacket() {
            guard packet.label == wanted.label else { continue }
            guard packet.packet.byteCountWithOpacity == wanted.byteCount, packet.packet.position == wanted.position
            else {
                return nil
            }
            packet.packet.label(wanted.label)
            return packet.packet
        }
        return nil
    }

    private func nextPacket() throws(DecodingFailure) -> (packet: EncodedPacket, label: Int64)? {
        guard let replay, let packet = try replay.container.nextPacket(of: replay.stream) else {
            self.replay = nil
            return nil
        }
        self.replay?.label += 1
        return (packet, replay.label)
    }

    /// Reads the file again up to the first packet of the segment, which is held in memory.
    private func find(_ segment: Segment) throws(DecodingFailure) -> Replay? {
        guard let first = segment.packets.first, let timestamp = first.timestamp else { return nil }
        let (container, stream) = try open()
        guard container.seek(stream, to: timestamp) else { return nil }
        // The first packet of the segment comes no later than in the first reading.
        for _ in 0...first.label {
            guard let packet = try container.nextPacket(of: stream) else { return nil }
            if packet.position == first.position, packet.timestamp == timestamp,
                packet.byteCountWithOpacity == first.byteCount
            {
                return Replay(container: container, stream: stream, label: first.label + 1)
            }
        }
        return nil
    }
}
