// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ViewerAgreement

/// Finds the frames at which a decoder may restart without the frames before them.
///
/// Containers mark more frames as key frames. In H.264, frames behind an I-frame may depend on frames before it, unless
/// it is an IDR picture. HEVC forbids this behind its random access pictures; `HEVCReferences` finds violations.
/// Sources: ITU-T H.264, section 7.4.1.2.4; ITU-T H.265, section 7.4.2.2.
struct RestartPoints {
    private let codec: VideoCodec?

    init(_ codec: VideoCodec?) { self.codec = codec }

    /// Whether a decoder may restart at a packet.
    ///
    /// - Parameters:
    ///   - packet: the packet, split into its units.
    ///   - isKey: whether the container marks a key frame, which suffices for codecs other than H.264 and HEVC.
    func contain(_ packet: CodedPacket, isKey: Bool) -> Bool {
        guard isKey, codec == .h264 || codec == .hevc else { return isKey }
        guard packet.isPlain else { return false }
        let kinds = packet.units.lazy.compactMap { unit -> UInt8? in
            if codec == .hevc { return CodedUnits.pictureKind(ofHEVC: unit) }
            guard let first = unit.first, first & 0x80 == 0, (1...5).contains(first & 31) else { return nil }
            return first & 31
        }
        return kinds.first.map { codec == .h264 ? $0 == 5 : $0 >= 16 } ?? false
    }
}
