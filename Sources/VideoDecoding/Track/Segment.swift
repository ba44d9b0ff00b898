// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Packets that are planned and decoded together, usually from one restart point to the next restart point.
struct Segment {
    var packets: [Packet] = []
    /// The moment of the frame that follows the segment, in microseconds.
    var nextMoment: Int64?
    /// Whether a restart point follows, so no later frame depends on this segment.
    var endsBeforeRestart = true
    /// Whether the stream ends with this segment.
    var isLast = false

    struct Packet {
        /// The encoded packet, or nil if the segment was too large to be held in memory.
        var encoded: EncodedPacket?
        /// The number under which the decoder returns the frame.
        let label: Int64
        /// The moment at which the frame is shown, in microseconds.
        let moment: Int64
        /// The timestamp in the container, in units of the stream.
        let timestamp: Int64?
        let duration: Int64
        let byteCount: Int
        /// Whether the container marks the frame as a key frame.
        let isKey: Bool
        /// Whether no frame behind this frame depends on a frame before it.
        let isRestartPoint: Bool
        /// Whether bytes are missing, or decoders may find other units in the packet.
        let isDamaged: Bool
        /// The position of the packet in the file, in bytes; negative if it is unknown.
        var position: Int64 = -1
    }

    var beginsAnew: Bool { packets.first?.isRestartPoint == true }

    /// Whether the segment begins the stream and not at a restart point, so frames may depend on frames that are not there.
    var isHeadless: Bool { packets.first.map { $0.label == 0 && !$0.isRestartPoint } ?? false }

    /// The moment at which the last frame is no longer shown, in microseconds.
    var end: Int64 { packets.map { $0.moment + $0.duration }.max() ?? 0 }

    /// The facts about the packets from which the plan is made.
    var records: [PacketRecord] {
        packets.map { PacketRecord(time: .microseconds($0.moment), byteCount: $0.byteCount, isKey: $0.isKey) }
    }
}

/// A decoder and its pending frames, which may continue from one segment to the next.
final class SegmentDecoder {
    let decoder: FrameDecoder
    var pending = PendingFrames()
    /// The signature of the latest compared frame since the decoder was last drained.
    var previous: FrameSignature?
    /// The moment of the frame that was looked at last, in microseconds.
    var latestLook: Int64?
    /// Whether a frame was broken or a false key frame, and no frame without dependencies has come since.
    ///
    /// The parts that a decoder makes up differ between programs, and even with the number of their threads. So do all
    /// frames that depend on them.
    var isTainted = false

    init(_ decoder: FrameDecoder) {
        self.decoder = decoder
    }
}
