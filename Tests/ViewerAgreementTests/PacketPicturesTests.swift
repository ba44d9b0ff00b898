// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Packets of several pictures")
struct PacketPicturesTests {
    /// Bits as text, of which spaces separate the fields, in whole bytes.
    private static func bytes(_ bits: String) -> [UInt8] {
        let digits = Array(bits.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 8).map { start in
            let byte = String(digits[start..<min(start + 8, digits.count)])
            return UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2)!
        }
    }

    private static func haveDisagreement(_ codec: VideoCodec, _ units: [[UInt8]]) -> Bool {
        var pictures = PacketPictures(codec, extraData: [])
        let packet = units.flatMap { [0, 0, 1] as [UInt8] + $0 }
        pictures.add(CodedUnits(codec, extraData: []).split(packet))
        return pictures.haveDisagreement
    }

    /// A sequence of the main profile, with frame numbers of 4 bits: kind and profile, then identifier 0, frame number
    /// bits, picture order count of kind 2, one reference frame, no gaps, size 1 by 1, and whether all are frames.
    private static func sequence(mayHaveFields: Bool) -> [UInt8] {
        [0x67, 77, 0, 30] + bytes("1 1 011 010 0 1 1 \(mayHaveFields ? "0" : "1") 1 0 0 1")
    }

    /// A slice of an IDR picture: first macroblock, kind and parameters, frame number, and whether it is a field.
    private static func slice(first: Int = 0, field: String = "") -> [UInt8] {
        [0x65] + bytes("\(first == 0 ? "1" : "010") 00110 1 0000 \(field) 1 1 1 1 1 1 1 1")
    }

    @Test("Two H.264 frames in a packet are noticed, and two slices of a frame are not")
    func frames() {
        for mayHaveFields in [false, true] {
            let start = [Self.sequence(mayHaveFields: mayHaveFields)]
            let field = mayHaveFields ? "0" : ""
            let slice = Self.slice(field: field)
            #expect(!Self.haveDisagreement(.h264, start + [slice]))
            #expect(!Self.haveDisagreement(.h264, start + [slice, Self.slice(first: 1, field: field)]))
            #expect(Self.haveDisagreement(.h264, start + [slice, slice]))
            // Decoders pass over an access unit delimiter.
            #expect(Self.haveDisagreement(.h264, start + [slice, [9, 0x10], slice]))
        }
        // Without its sequence, a second picture cannot be a field.
        #expect(Self.haveDisagreement(.h264, [Self.slice(field: "10"), Self.slice(field: "11")]))
    }

    @Test("The two fields of an H.264 frame are one picture, and three fields or two of a kind are not")
    func fields() {
        let start = [Self.sequence(mayHaveFields: true)]
        let (upper, lower) = (Self.slice(field: "10"), Self.slice(field: "11"))
        #expect(!Self.haveDisagreement(.h264, start + [upper, lower]))
        #expect(!Self.haveDisagreement(.h264, start + [lower, upper]))
        #expect(Self.haveDisagreement(.h264, start + [upper, upper]))
        #expect(Self.haveDisagreement(.h264, start + [upper, lower, upper]))
        #expect(Self.haveDisagreement(.h264, start + [upper, Self.slice(field: "0")]))
    }

    @Test("Two MPEG-4 frames in a packet are noticed, unless the second lies between two frames")
    func mpeg4() {
        let (frame, dependent, between): ([UInt8], [UInt8], [UInt8]) = ([0xB6, 0x10], [0xB6, 0x50], [0xB6, 0x90])
        #expect(!Self.haveDisagreement(.mpeg4, [frame]))
        #expect(!Self.haveDisagreement(.mpeg4, [dependent, between]))
        #expect(Self.haveDisagreement(.mpeg4, [frame, frame]))
        #expect(Self.haveDisagreement(.mpeg4, [frame, dependent]))
        #expect(Self.haveDisagreement(.mpeg4, [dependent, between, frame]))
    }

    @Test("Two MPEG-2 pictures in a packet are noticed, unless they are the fields of a frame")
    func mpeg2() {
        func picture(_ structure: UInt8) -> [[UInt8]] {
            [[0x00, 0, 8], [0xB5, 0x8F, 0xFF, 0xF0 | structure, 0], [1, 2, 3]]
        }
        #expect(!Self.haveDisagreement(.mpeg2, picture(3)))
        #expect(!Self.haveDisagreement(.mpeg2, picture(1) + picture(2)))
        #expect(!Self.haveDisagreement(.mpeg2, picture(2) + picture(1)))
        #expect(Self.haveDisagreement(.mpeg2, picture(3) + picture(3)))
        #expect(Self.haveDisagreement(.mpeg2, picture(1) + picture(1)))
        #expect(Self.haveDisagreement(.mpeg2, picture(1) + picture(2) + picture(1)))
    }

    @Test("Two VC-1 frames in a packet are noticed, also if the first has no start code, and two fields are not")
    func vc1() {
        #expect(!Self.haveDisagreement(.vc1, [[0x0F, 1], [0x0E, 1], [0x0D, 5, 6]]))
        #expect(!Self.haveDisagreement(.vc1, [[0x0D, 5, 6], [0x0C, 5, 6]]))
        #expect(Self.haveDisagreement(.vc1, [[0x0D, 5, 6], [0x0D, 5, 6]]))
        var pictures = PacketPictures(.vc1, extraData: [])
        pictures.add(CodedUnits(.vc1, extraData: []).split([5, 6, 7]))
        #expect(!pictures.haveDisagreement)
        pictures.add(CodedUnits(.vc1, extraData: []).split([5, 6, 7, 0, 0, 1, 0x0D, 5, 6]))
        #expect(pictures.haveDisagreement)
    }

    @Test("The sequence of a profile with formats of colours is read up to its fields")
    func scaling() throws {
        // Identifier 0, 4:2:0, two depths of 8 bits, no bypass, no lists, and then the fields of the main profile.
        let plain = [UInt8](arrayLiteral: 100, 0, 30) + Self.bytes("1 010 1 1 0 0 1 011 010 0 1 1 0 1 0 0 1")
        #expect(H264Sequence(plain)?.mayHaveFields == true)
        // The first list ends at once with a change by -8; the other seven are not sent.
        let scaled =
            [UInt8](arrayLiteral: 100, 0, 30)
            + Self.bytes("1 010 1 1 0 1 1 000010001 0000000 1 011 010 0 1 1 0 1 0 0 1")
        #expect(H264Sequence(scaled)?.mayHaveFields == true)
        for count in 0..<4 { #expect(H264Sequence(Array(plain.prefix(count))) == nil) }
    }
}
