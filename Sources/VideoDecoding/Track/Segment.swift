// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Packets that are planned and decoded together: usually from a restart point to the frame before the next one.
struct Segment {
    var packets: [Packet] = []
    /// When the frame that follows is shown, in microseconds.
    var nextMoment: Int64?
    /// Whether a restart point follows, so that nothing goes on from this segment.
    var endsBeforeRestart = true
    /// Whether the stream ends with this segment.
    var isLast = false

    struct Packet {
        /// Nil where the segment was too large to be held in memory.
        var encoded: EncodedPacket?
        /// The number under which the frame comes back from the decoder.
        let label: Int64
        /// When the frame is shown, in microseconds.
        let moment: Int64
        /// The same as the container has it.
        let timestamp: Int64?
        let duration: Int64
        let byteCount: Int
        /// Whether the container calls it a key frame.
        let isKey: Bool
        /// Whether nothing behind it depends on anything before it.
        let isRestartPoint: Bool
        /// Whether the demuxer knows that bytes are missing.
        let isDamaged: Bool
        /// Where it lies in the file, in bytes; negative where that is not known.
        var position: Int64 = -1
    }

    var beginsAnew: Bool { packets.first?.isRestartPoint == true }

    /// When the last frame is no longer shown, in microseconds.
    var end: Int64 { packets.map { $0.moment + $0.duration }.max() ?? 0 }

    /// What the plan is made from.
    var records: [PacketRecord] {
        packets.map { PacketRecord(time: .microseconds($0.moment), byteCount: $0.byteCount, isKey: $0.isKey) }
    }
}

/// A decoder and what it is expected to give; it may go on from one segment to the next.
final class SegmentDecoder {
    let decoder: FrameDecoder
    var pending = PendingFrames()
    /// The frame that was decoded last, as far as the one before it is known too.
    var previous: FrameSignature?
    /// The moment of the frame that was looked at last, in microseconds.
    var latestLook: Int64?
    /// Whether a frame was broken, and none has come since that depends on no other.
    ///
    /// What is made up for it differs between programs, and even with the number of their threads; so does all that
    /// depends on it.
    var isTainted = false

    init(_ decoder: FrameDecoder) {
        self.decoder = decoder
    }
}
