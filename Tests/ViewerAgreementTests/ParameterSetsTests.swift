// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Parameters in packets")
struct ParameterSetsTests {
    struct Codec: Sendable, CustomTestStringConvertible {
        let codec: VideoCodec
        /// `known` and `other` are different parameter sets, and `picture` is a unit of a picture.
        let known: [UInt8]
        let other: [UInt8]
        let picture: [UInt8]
        var hasLengths = false

        var testDescription: String { "\(codec), \(hasLengths ? "lengths" : "start codes")" }

        func packet(_ units: [[UInt8]]) -> [UInt8] {
            units.flatMap { (hasLengths ? [0, 0, UInt8($0.count)] : [0, 0, 1]) + $0 }
        }

        /// The parameter sets as the container stores them; unit lengths have three bytes.
        var extraData: [UInt8] {
            guard hasLengths else { return packet([known]) }
            let unit = [0, UInt8(known.count)] + known
            return [1] + [UInt8](repeating: 0, count: 20) + [2, 1, 33, 0, 1] + unit
        }
    }

    static let codecs = [
        Codec(codec: .hevc, known: [0x42, 1, 1, 9], other: [0x44, 1, 8], picture: [0x02, 1, 5]),
        Codec(codec: .hevc, known: [0x42, 1, 1, 9], other: [0x40, 1, 8], picture: [0x02, 1, 5], hasLengths: true),
        Codec(codec: .mpeg4, known: [0x20, 9], other: [0x20, 8], picture: [0xB6, 5]),
        Codec(codec: .mpeg2, known: [0xB3, 9], other: [0xB5, 0x11, 8], picture: [0x01, 0xB5, 0x81]),
        Codec(codec: .mpeg1, known: [0xB3, 9], other: [0xB3, 8], picture: [0x01, 7]),
        Codec(codec: .vc1, known: [0x0F, 9], other: [0x0E, 8], picture: [0x0D, 7]),
    ]

    private static func sets(
        _ codec: VideoCodec?, extraData: [UInt8], packets: [(bytes: [UInt8], isKey: Bool)] = []
    ) -> ParameterSets {
        var sets = ParameterSets(codec, extraData: extraData)
        let units = CodedUnits(codec, extraData: extraData)
        for packet in packets { sets.add(units.split(packet.bytes), isKey: packet.isKey) }
        return sets
    }

    private static func haveDisagreement(
        _ codec: Codec, _ packets: [(units: [[UInt8]], isKey: Bool)], hasExtraData: Bool = true
    ) -> Bool {
        Self.sets(
            codec.codec, extraData: hasExtraData || codec.hasLengths ? codec.extraData : [],
            packets: packets.map { (codec.packet($0.units), $0.isKey) }
        ).haveDisagreement
    }

    @Test("Matrices of MPEG-2 pictures may change if each key frame has the header of a sequence")
    func matrices() {
        func haveDisagreement(_ packets: [(units: [[UInt8]], isKey: Bool)]) -> Bool {
            let codec = Codec(codec: .mpeg2, known: [0xB3, 9], other: [], picture: [0, 1])
            return Self.haveDisagreement(codec, packets)
        }
        let (header, matrices, picture): ([UInt8], [UInt8], [UInt8]) = ([0xB3, 9], [0xB5, 0x31, 8], [0, 1])
        let group: [(units: [[UInt8]], isKey: Bool)] = [
            ([header, picture, matrices], true), ([picture, [0xB5, 0x32, 1]], false),
        ]
        #expect(!haveDisagreement(group + group))
        #expect(haveDisagreement(group + [([picture], true)]))
        #expect(haveDisagreement([([picture], true)] + group))
        #expect(!haveDisagreement([([header, picture], true), ([picture], true)]))
    }

    @Test("Parameters that never change raise no doubt, wherever they are repeated", arguments: codecs, [false, true])
    func unchanged(codec: Codec, hasExtraData: Bool) {
        let (known, picture) = (codec.known, codec.picture)
        #expect(!Self.haveDisagreement(codec, [([picture], true), ([picture], false)]))
        #expect(
            !Self.haveDisagreement(
                codec, [([known, picture], true), ([picture], false), ([known, picture], false), ([picture], true)],
                hasExtraData: hasExtraData))
    }

    @Test(arguments: codecs)
    func `Changed parameters raise no doubt if each key frame after the change brings its own`(codec: Codec) {
        let (other, picture) = (codec.other, codec.picture)
        #expect(
            !Self.haveDisagreement(
                codec, [([picture], true), ([other, picture], true), ([picture], false), ([other, picture], true)]))
    }

    @Test(arguments: codecs)
    func `Parameters are doubtful if a frame other than a key frame changes them, at any place in it`(codec: Codec) {
        let (other, picture) = (codec.other, codec.picture)
        #expect(Self.haveDisagreement(codec, [([picture], true), ([other, picture], false)]))
        #expect(Self.haveDisagreement(codec, [([picture], true), ([picture, other], false)]))
    }

    @Test(arguments: codecs) func `Parameters are doubtful if a key frame after a change brings none`(codec: Codec) {
        let (other, picture) = (codec.other, codec.picture)
        #expect(Self.haveDisagreement(codec, [([picture], true), ([other, picture], true), ([picture], true)]))
    }

    /// A picture of Motion JPEG with segments of the given kinds.
    private static func picture(_ kinds: [UInt8]) -> [UInt8] {
        [0xFF, 0xD8] + kinds.flatMap { [0xFF, $0, 0, 4, 1, 2] } + [0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9]
    }

    private static func haveDisagreement(_ pictures: [[UInt8]]) -> Bool {
        Self.sets(.mjpeg, extraData: [], packets: pictures.map { (picture($0), true) }).haveDisagreement
    }

    @Test("Parameters of Motion JPEG are doubtful if a picture has no matrices, or only some have codes")
    func motionJPEG() {
        let (matrices, codes): (UInt8, UInt8) = (0xDB, 0xC4)
        #expect(!Self.haveDisagreement([[matrices, codes], [0xE0, matrices, codes]]))
        // Many cameras leave out the standard Huffman codes.
        #expect(!Self.haveDisagreement([[matrices], [matrices]]))
        #expect(Self.haveDisagreement([[matrices, codes], [codes]]))
        #expect(Self.haveDisagreement([[matrices, codes], [matrices]]))
        #expect(Self.haveDisagreement([[matrices], [matrices, codes]]))
    }

    @Test("Parameters of any bytes are read without a trap or an endless loop")
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            for codec in [.h264, .hevc, .mpeg4, .mpeg1, .mpeg2, .vc1, .mjpeg, .vp9] as [VideoCodec] {
                _ = Self.sets(codec, extraData: [1] + bytes, packets: [(bytes, true), (bytes.reversed(), false)])
            }
        }
        #expect(!Self.sets(nil, extraData: []).haveDisagreement)
    }
}
