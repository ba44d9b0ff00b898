// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds packets of more than one picture, of which some programs show the first and others the last.
///
/// Two fields of a frame are one picture. `HEVCReferences` finds such packets of HEVC.
///
/// Sources: ITU-T H.264, sections 7.3.3 and 7.4.1.2.4; ISO/IEC 13818-2, sections 6.2.3 and 6.2.3.1; ISO/IEC 14496-2,
/// section 6.2.5; SMPTE 421M, annexes E and G.
package struct PacketPictures {
    /// Whether there was a packet of several pictures.
    package private(set) var haveDisagreement = false
    private let codec: VideoCodec?
    /// The different sequences of H.264, of which a slice may belong to any.
    private var sequences: [H264Sequence] = []

    /// A picture of a packet: a frame or a field.
    private enum Picture: Equatable { case frame, upperField, lowerField }

    /// - Parameter extraData: the parameters that the container holds for the decoder.
    package init(_ codec: VideoCodec?, extraData: [UInt8]) {
        self.codec = codec
        guard codec == .h264 else { return }
        for unit in CodedUnits.parameters(of: codec, in: extraData) { addSequence(unit) }
    }

    /// Notes a packet of the stream, in the order of the file.
    package mutating func add(_ packet: CodedPacket) {
        guard !haveDisagreement else { return }
        for units in [packet.units, packet.otherUnits] {
            switch codec {
            case .h264: haveDisagreement = haveDisagreement || !areOnePicture(pictures(ofH264: units))
            case .mpeg1, .mpeg2: haveDisagreement = haveDisagreement || !areOnePicture(Self.pictures(ofMPEG2: units))
            case .mpeg4:
                // AVI files hold a frame and the frame between it and the one before in one packet.
                let kinds = units.filter { $0.first == 0xB6 && $0.count > 1 }.map { $0[1] >> 6 }
                if kinds.dropFirst().contains(where: { $0 != Self.between }) { haveDisagreement = true }
            case .vc1:
                // A packet with a single frame may leave out its start code.
                let hasBareFrame = !packet.bytes.starts(with: [0, 0, 1])
                if units.count(where: { $0.first == 0x0D }) > (hasBareFrame ? 0 : 1) { haveDisagreement = true }
            default: break
            }
        }
    }

    private func areOnePicture(_ pictures: [Picture]) -> Bool {
        pictures.count <= 1 || pictures.count == 2 && !pictures.contains(.frame) && pictures[0] != pictures[1]
    }

    // MARK: H.264

    private mutating func addSequence(_ unit: [UInt8]) {
        guard let first = unit.first, first & 0x9F == 7,
            let sequence = H264Sequence(CodedUnits.payload(of: unit.dropFirst())), !sequences.contains(sequence),
            sequences.count < Self.mostSequences
        else { return }
        sequences.append(sequence)
    }

    /// Returns the pictures that begin in a packet: each has one slice that begins with the first macroblock.
    private mutating func pictures(ofH264 units: [[UInt8]]) -> [Picture] {
        var pictures: [Picture] = []
        for unit in units {
            addSequence(unit)
            guard CodedUnits.isSlice(ofH264: unit) else { continue }
            var bits = BitReader(unit.dropFirst().prefix(1))
            // The number of the first macroblock is 0.
            if bits.flag() { pictures.append(picture(ofSlice: CodedUnits.payload(of: unit.dropFirst()))) }
        }
        return pictures
    }

    private func picture(ofSlice payload: [UInt8]) -> Picture {
        // Sequences that are read differently leave open what the slice is, and a frame allows no second picture.
        guard sequences.count == 1, let sequence = sequences.first, sequence.mayHaveFields else { return .frame }
        var bits = BitReader(payload[...])
        for _ in 0..<3 { _ = bits.universal() }
        bits.skip((sequence.hasSeparateColours ? 2 : 0) + sequence.frameNumberBits)
        guard bits.flag() else { return .frame }
        return bits.flag() ? .lowerField : .upperField
    }

    // MARK: MPEG-2

    private static func pictures(ofMPEG2 units: [[UInt8]]) -> [Picture] {
        var pictures: [Picture] = []
        for unit in units {
            if unit.first == 0 {
                pictures.append(.frame)
            } else if unit.count > 3, unit[0] == 0xB5, unit[1] >> 4 == 8, !pictures.isEmpty {
                // The extension of a picture says whether it is a field.
                switch unit[3] & 3 {
                case 1: pictures[pictures.count - 1] = .upperField
                case 2: pictures[pictures.count - 1] = .lowerField
                default: pictures[pictures.count - 1] = .frame
                }
            }
        }
        return pictures
    }

    /// The kind of a frame of MPEG-4 that depends on frames before and behind it, and has no picture of its own.
    private static let between: UInt8 = 2
    private static let mostSequences = 32
}
