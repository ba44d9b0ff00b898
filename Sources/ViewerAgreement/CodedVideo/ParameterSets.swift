// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks whether frames depend on parameters that only some packets carry.
///
/// A decoder keeps the latest parameters. Players skip parts of a stream or begin in its midst, and segments are
/// decoded separately here. All show the same only if parameters never change, or if each key frame after a change
/// brings its own parameters. Sources: ITU-T H.264, section 7.4.1; ITU-T H.265, section 7.4.2; ISO/IEC 14496-2, section
/// 6.2; ISO/IEC 13818-2, section 6.2; SMPTE 421M, section 6; ITU-T T.81, annex B.
package struct ParameterSets {
    /// Whether the look of frames may depend on the packets that were decoded before them.
    package private(set) var haveDisagreement = false
    private let codec: VideoCodec?
    /// The parameters that every decoder has from the start.
    private var known: Set<[UInt8]>
    private var isAtStart = true
    private var haveChanged = false
    /// The sets of H.264, which cameras change within a group; nil for other codecs.
    private var setsOfH264: H264ParameterSets?
    /// Whether a key frame of MPEG-2 had no header of a sequence, and whether pictures had matrices of their own.
    private var (lacksHeaders, hasMatrices) = (false, false)
    /// Whether the first frame of Motion JPEG had Huffman tables; nil before that frame.
    private var hasCodes: Bool?

    /// - Parameter extraData: the parameters that the container holds for the decoder.
    package init(_ codec: VideoCodec?, extraData: [UInt8]) {
        self.codec = codec
        known = []
        if codec == .h264 { setsOfH264 = H264ParameterSets(extraData: extraData) }
        known = Set(CodedUnits.parameters(of: codec, in: extraData).filter(isParameter))
    }

    /// Whether another packet can change the result.
    package var areWatched: Bool {
        !haveDisagreement && [.h264, .hevc, .mpeg4, .mpeg1, .mpeg2, .vc1, .mjpeg].contains(codec)
    }

    /// Notes a packet of the stream, in the order of the file.
    package mutating func add(_ packet: CodedPacket, isKey: Bool) {
        guard areWatched else { return }
        if codec == .mjpeg { return addPicture(packet.bytes) }
        if setsOfH264 != nil {
            setsOfH264?.add(packet, isKey: isKey, isFirst: isAtStart)
            haveDisagreement = setsOfH264?.haveDisagreement == true
            isAtStart = false
            return
        }
        if codec == .mpeg2 { addMatrices(packet, isKey: isKey) }
        let units = (packet.units + packet.otherUnits).filter(isParameter)
        if isAtStart, known.isEmpty { known = Set(units) }
        isAtStart = false
        if units.contains(where: { !known.contains($0) }) {
            haveChanged = true
            haveDisagreement = haveDisagreement || !isKey
        } else if haveChanged, isKey, units.isEmpty {
            haveDisagreement = true
        }
    }

    /// Whether a unit without its start code or length holds parameters.
    private func isParameter(_ unit: [UInt8]) -> Bool {
        guard let first = unit.first else { return false }
        switch codec {
        case .hevc: return (32...34).contains(first >> 1 & 63)
        case .mpeg4: return first == 0xB0 || first == 0xB5 || (0x20...0x2F).contains(first)
        // The header of a sequence, and its extension.
        case .mpeg1, .mpeg2: return first == 0xB3 || first == 0xB5 && unit.count > 1 && unit[1] >> 4 == 1
        // The header of a sequence, and an entry point, which may give frames another size.
        case .vc1: return first == 0x0E || first == 0x0F
        default: return false
        }
    }

    // MARK: MPEG-2

    /// Notes matrices that come with a picture, as camcorders write them; each header of a sequence takes them away.
    ///
    /// They change no later group, so long as each key frame has such a header.
    private mutating func addMatrices(_ packet: CodedPacket, isKey: Bool) {
        if isKey, !packet.units.contains(where: { $0.first == 0xB3 }) { lacksHeaders = true }
        if packet.units.contains(where: { $0.count > 1 && $0[0] == 0xB5 && $0[1] >> 4 == 3 }) { hasMatrices = true }
        if lacksHeaders, hasMatrices { haveDisagreement = true }
    }

    // MARK: Motion JPEG

    /// Notes a picture, which needs quantization matrices, and Huffman tables exactly if the first picture has any.
    private mutating func addPicture(_ bytes: [UInt8]) {
        var (position, hasMatrices, hasTables) = (2, false, false)
        while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
            if bytes[position + 1] == 0xFF {
                position += 1
                continue
            }
            if bytes[position + 1] == 0xDB { hasMatrices = true }
            if bytes[position + 1] == 0xC4 { hasTables = true }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        haveDisagreement = !hasMatrices || hasCodes ?? hasTables != hasTables
        hasCodes = hasTables
    }
}
