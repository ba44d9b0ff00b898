// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Packets that are planned and decoded together: usually from a key frame to the one before the next.
struct Segment {
    var packets: [Packet] = []
    /// When the frame that follows is shown, in microseconds.
    var nextMoment: Int64?
    /// Whether the stream ends with this segment.
    var isLast = false

    struct Packet {
        let encoded: EncodedPacket
        /// The number under which the frame comes back from the decoder.
        let label: Int64
        /// When the frame is shown, in microseconds.
        let moment: Int64
        let duration: Int64
    }

    /// What the plan is made from.
    var records: [PacketRecord] {
        packets.map {
            PacketRecord(
                time: .microseconds($0.moment), byteCount: $0.encoded.byteCount, isKey: $0.encoded.isKey)
        }
    }
}
