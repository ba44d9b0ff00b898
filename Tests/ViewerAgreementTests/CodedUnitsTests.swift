// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Units of which a packet is made")
struct CodedUnitsTests {
    private static func configuration(_ codec: VideoCodec, version: UInt8 = 1, lengthSize: UInt8) -> [UInt8] {
        codec == .h264
            ? [version, 100, 0, 30, 0xFC | (lengthSize - 1), 0xE0, 0]
            : [version] + [UInt8](repeating: 0, count: 20) + [lengthSize - 1, 0]
    }

    private static func packet(_ units: [[UInt8]], lengthSize: Int) -> [UInt8] {
        units.flatMap { unit in (0..<lengthSize).reversed().map { UInt8(unit.count >> (8 * $0) & 255) } + unit }
    }

    private static let codecs: [VideoCodec] = [.h264, .hevc]

    @Test("The units of ordinary packets are found alike by every decoder", arguments: codecs, [1, 2, 4] as [UInt8])
    func plain(codec: VideoCodec, lengthSize: UInt8) {
        let units = CodedUnits(codec, extraData: Self.configuration(codec, lengthSize: lengthSize))
        // The second unit ends in a zero, after bytes that prevent a false start code.
        let parts: [[UInt8]] = [[9, 0xF0], [0x41, 1, 0, 0, 3, 1, 0], [0x41, 1, 7]]
        let packet = Self.packet(parts, lengthSize: Int(lengthSize))
        let split = units.split(packet)
        #expect(split.shape == .plain && split.units == parts && split.otherUnits.isEmpty)
        if lengthSize > 1 {
            let long = Self.packet([[UInt8](repeating: 5, count: 256)], lengthSize: Int(lengthSize))
            #expect(units.split(long).shape == .plain)
        }
        #expect(CodedUnits(codec, extraData: []).split([0, 0, 1] + parts[0]).shape == .plain)
        #expect(CodedUnits(codec, extraData: [0, 0, 0, 1, 0x67, 1, 1]).split([0, 0, 1] + parts[0]).shape == .plain)
    }

    @Test(
        "Units are not found alike if start codes are in them, or lengths do not fit", arguments: codecs,
        [
            [0, 0, 0, 5, 9, 0, 0, 1, 0x65], [0, 0, 0, 3, 0, 0, 1], [0, 0, 0, 1, 9, 0, 0, 0, 2, 9, 9],
            [0, 0, 0, 9, 9, 1],
            [0, 0, 0, 2, 9, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 2, 9, 1], [0, 0, 0, 2, 9, 1, 0, 0, 0, 4, 0, 0, 1, 9],
        ] as [[UInt8]])
    func odd(codec: VideoCodec, packet: [UInt8]) {
        let units = CodedUnits(codec, extraData: Self.configuration(codec, lengthSize: 4))
        #expect(units.split(packet).shape == (codec == .h264 ? .odd : .misleading))
    }

    @Test("The units within the prefix of a layer are those of the packet, as phones write slow motion")
    func wrapped() {
        let units = CodedUnits(.h264, extraData: Self.configuration(.h264, lengthSize: 4))
        let split = units.split([0, 0, 0, 9, 0x6E, 0x40, 0, 7, 0, 0, 1, 0x65, 0x88])
        #expect(split.shape == .wrapped && split.isPlain && split.units == [[0x65, 0x88]])
        // Another kind of unit, a second unit behind it, and a prefix without a picture.
        #expect(units.split([0, 0, 0, 9, 0x66, 0x40, 0, 7, 0, 0, 1, 0x65, 0x88]).shape == .odd)
        #expect(units.split([0, 0, 0, 7, 0x6E, 7, 0, 0, 1, 0x65, 0x88, 0, 0, 0, 1, 9]).shape == .odd)
        #expect(units.split([0, 0, 0, 6, 0x6E, 7, 0, 0, 1, 9]).shape == .odd)
        let others = CodedUnits(.hevc, extraData: Self.configuration(.hevc, lengthSize: 4))
        #expect(others.split([0, 0, 0, 7, 0x0E, 7, 0, 0, 1, 0x65, 0x88]).shape == .misleading)
    }

    @Test("Units behind start codes are found as well in an odd packet of lengths", arguments: codecs)
    func others(codec: VideoCodec) {
        let units = CodedUnits(codec, extraData: Self.configuration(codec, lengthSize: 4))
        let split = units.split([0, 0, 0, 6, 9, 7, 0, 0, 1, 0x65])
        #expect(split.units == [[9, 7, 0, 0, 1, 0x65]] && split.otherUnits == [[0x65]])
    }

    @Test("Units are not found alike where FFmpeg takes the packet or the parameters for something else")
    func otherKinds() {
        let like = Self.packet([[0x42, 0], [0xFF, 0xE1, 0, 4]], lengthSize: 1)
        let configuration: [UInt8] = [1, 0x42, 0, 30, 0xFF, 0xE1, 0, 4, 0x67]
        #expect(CodedUnits(.h264, extraData: []).split(configuration).shape == .misleading)
        #expect(CodedUnits(.h264, extraData: Self.configuration(.h264, lengthSize: 1)).split(like).shape == .plain)
        let packet: [UInt8] = [0, 0, 0, 2, 9, 1]
        #expect(CodedUnits(.h264, extraData: [1, 100, 0]).split(packet).shape == .misleading)
        for version in [0, 2] as [UInt8] {
            let extraData = Self.configuration(.hevc, version: version, lengthSize: 4)
            #expect(
                CodedUnits(.hevc, extraData: extraData).split(packet).shape == (version == 0 ? .plain : .misleading))
        }
        #expect(CodedUnits(.hevc, extraData: [0, 1, 0, 0]).split(packet).shape == .misleading)
    }
}
