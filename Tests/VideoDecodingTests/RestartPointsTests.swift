// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding
@testable import ViewerAgreement

@Suite("Frames at which a decoder may begin anew")
struct RestartPointsTests {
    private static func contain(_ codec: VideoCodec, _ units: [UInt8]..., hasLengths: Bool = false) -> Bool {
        let configuration: [UInt8] =
            codec == .h264
            ? [1, 100, 0, 30, 0xFE, 0xE0, 0] : [1] + [UInt8](repeating: 0, count: 20) + [2, 0]
        let packet = units.flatMap { unit -> [UInt8] in
            (hasLengths ? [0, 0, UInt8(unit.count)] : [0, 0, 1]) + unit
        }
        let units = CodedUnits(codec, extraData: hasLengths ? configuration : [])
        return RestartPoints(codec).contain(units.split(packet), isKey: true)
    }

    @Test(
        "In H.264, a decoder may begin anew at packets whose first picture is an IDR picture", arguments: [false, true])
    func h264(hasLengths: Bool) {
        let (delimiter, message): ([UInt8], [UInt8]) = ([9, 0xF0, 1], [6, 6, 1, 0xC4, 0x80])
        let (idr, other): ([UInt8], [UInt8]) = ([0x65, 0x88, 0x84], [0x61, 0xE0, 0x20])
        #expect(Self.contain(.h264, delimiter, message, idr, hasLengths: hasLengths))
        // The other unit is the second field of an IDR picture.
        #expect(Self.contain(.h264, idr, other, hasLengths: hasLengths))
        #expect(!Self.contain(.h264, delimiter, message, other, hasLengths: hasLengths))
        #expect(!Self.contain(.h264, other, idr, hasLengths: hasLengths))
        #expect(!Self.contain(.h264, message, hasLengths: hasLengths))
    }

    @Test(
        "In HEVC, a decoder may begin anew at packets whose first picture is a random access picture",
        arguments: [false, true])
    func hevc(hasLengths: Bool) {
        for kind in 0..<32 as Range<UInt8> {
            #expect(
                Self.contain(.hevc, [0x4E, 1, 5], [kind << 1, 1, 0x80], hasLengths: hasLengths)
                    == (16...21).contains(kind))
        }
        #expect(!Self.contain(.hevc, [2, 1, 0x80], [38, 1, 0x80], hasLengths: hasLengths))
        #expect(!Self.contain(.hevc, [0x4E, 1, 5], hasLengths: hasLengths))
    }

    @Test(
        "In other codecs, a decoder may begin anew at frames that the container calls key frames",
        arguments: [false, true])
    func otherCodecs(isKey: Bool) {
        let packet = CodedUnits(.vp9, extraData: []).split([1, 2, 3])
        #expect(RestartPoints(.vp9).contain(packet, isKey: isKey) == isKey)
    }

    @Test("A decoder may not begin anew at a unit that decoders leave out")
    func leftOut() {
        // The first unit has the forbidden bit or belongs to another layer.
        #expect(!Self.contain(.h264, [0xE5, 0x88, 0x84], [0x61, 0xE0, 0x20]))
        #expect(!Self.contain(.hevc, [0xA6, 1, 0x80], [2, 1, 0x80]))
        #expect(!Self.contain(.hevc, [38, 9, 0x80], [2, 1, 0x80]))
    }
}
