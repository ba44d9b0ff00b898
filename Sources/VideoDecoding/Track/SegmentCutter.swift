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

/// Finds the frames at which a decoder may begin anew, so that frames before them may be left out.
///
/// Containers call more frames key frames. Behind an I-frame of H.264, frames may depend on others before it, unless it is an
/// IDR picture. HEVC forbids that behind its random access pictures; `HEVCReferences` finds where a file does it all the same.
/// Sources: ITU-T H.264, section 7.4.1.2.4; ITU-T H.265, section 7.4.2.2.
struct RestartPoints {
    private let codec: VideoCodec?

    init(_ codec: VideoCodec?) { self.codec = codec }

    /// Whether a packet is such a frame.
    ///
    /// - Parameters:
    ///   - packet: the packet, split into its units.
    ///   - isKey: whether the container calls it a key frame, which suffices in other codecs than H.264 and HEVC.
    func contain(_ packet: CodedPacket, isKey: Bool) -> Bool {
        guard isKey, codec == .h264 || codec == .hevc else { return isKey }
        guard packet.shape == .plain else { return false }
        let kinds = packet.units.lazy.compactMap { unit -> UInt8? in
            if codec == .hevc { return CodedUnits.pictureKind(ofHEVC: unit) }
            guard let first = unit.first, first & 0x80 == 0, (1...5).contains(first & 31) else { return nil }
            return first & 31
        }
        return kinds.first.map { codec == .h264 ? $0 == 5 : $0 >= 16 } ?? false
    }
}
