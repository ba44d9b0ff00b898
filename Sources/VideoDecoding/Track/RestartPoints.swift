// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
