// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import HelperService
import Testing

@Suite("The format of a file")
struct FormatSnifferTests {
    static func box(_ brands: String) -> [UInt8] {
        let bytes = Array(brands.utf8)
        return [0, 0, 0, UInt8(bytes.count + 8)] + Array("ftyp".utf8) + bytes
    }

    /// A transport stream: the header of a packet each `length` bytes, and before each what is between them.
    static func packets(_ length: Int, from start: Int, between: UInt8 = 0, flags: UInt8 = 0x10) -> [UInt8] {
        (0..<1024).map { place in
            let offset = (place - start + length) % length
            return place >= start && offset < 4 ? [0x47, 0x40, 0x11, flags][offset] : between
        }
    }

    @Test(
        "is told from its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], MediaFormat.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("RIFFxxxxWEBPVP8 ".utf8), .webp), (Array("RIFFxxxxAVI ".utf8), .video),
            (Array("GIF89a".utf8), .gif), ([0xFF, 0x0A], .jpegXL),
            ([0, 0, 0, 0x0C] + Array("JXL ".utf8), .jpegXL), ([0x49, 0x49, 0x2A, 0], .tiff),
            ([0x4D, 0x4D, 0, 0x2B], .tiff), (Array("BM".utf8), .bmp), (box("heic\u{0}\u{0}\u{0}\u{0}mif1heic"), .heic),
            (box("mif1\u{0}\u{0}\u{0}\u{0}mif1avif"), .avif), (box("isom\u{0}\u{0}\u{0}\u{0}isommp42"), .video),
            (box("qt  "), .video), ([0x1A, 0x45, 0xDF, 0xA3], .video), (Self.packets(188, from: 0), .video),
            (Self.packets(192, from: 4), .video), (Self.packets(192, from: 4, between: 0x1F), .video),
        ])
    func known(bytes: [UInt8], format: MediaFormat) throws {
        #expect(try FormatSniffer.format(of: bytes) == format)
    }

    @Test(
        "is none for anything else",
        arguments: [
            // Bytes before the first packet could be any file; a packet is neither scrambled nor empty.
            packets(188, from: 100), packets(192, from: 4, between: 0x38), packets(192, from: 4, between: 0x0A),
            packets(188, from: 0, flags: 0x90), packets(188, from: 0, flags: 0x00),
            [], [0], Array("hello, this is text".utf8), Array("<svg>".utf8), Array("%PDF-1.7".utf8), [0xFF, 0xD8],
        ])
    func unknown(bytes: [UInt8]) throws {
        #expect(try FormatSniffer.format(of: bytes) == nil)
    }
}

/// The format of a file; nil where it is ambiguous, which folders must not pass over as they do no media.
private func sniffed(_ prefix: [UInt8]) -> MediaFormat? {
    do throws(DecodingFailure) {
        guard let format = try FormatSniffer.format(of: prefix) else {
            Issue.record("the file counts as no media")
            return nil
        }
        return format
    } catch {
        #expect(error.reason == .ambiguousRendering)
        return nil
    }
}

@Suite("A picture format that is not read here")
struct OtherPictureFormatsTests {
    private static func movie(firstBox length: UInt8, _ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, length, 0] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 2048)
        change(&bytes)
        return bytes
    }

    @Test("is noticed in a file that begins as a movie")
    func movies() {
        #expect(sniffed(Self.movie(firstBox: 4)) == .video)
        // An icon, a cursor, and TGA, whose kind stands where the length of the box does.
        #expect(sniffed(Self.movie(firstBox: 1)) == nil)
        #expect(sniffed(Self.movie(firstBox: 2)) == nil)
        let targa = Self.movie(firstBox: 3) { $0.replaceSubrange(12..<17, with: [1, 0, 1, 0, 8]) }
        #expect(sniffed(targa) == nil)
        #expect(sniffed(Self.movie(firstBox: 3)) == .video)
        for kind in [[0x3F, 0x80, 0, 0], [0, 0, 0x40, 0x40]] as [[UInt8]] {
            #expect(
                sniffed(Self.movie(firstBox: 4) { $0.replaceSubrange(16..<20, with: kind) }) == nil)
        }
    }

    @Test(
        "is noticed by a signature in the midst of a video",
        arguments: [(128, "DICM"), (2048, "PCD_"), (9, "rorient:")])
    func signatures(place: Int, text: String) {
        for start in [Self.movie(firstBox: 4), [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 2060)] {
            var bytes = start
            bytes.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test("is not looked for in a file that begins with the signature of a picture")
    func pictures() {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 2060)
        bytes.replaceSubrange(2048..<2052, with: "PCD_".utf8)
        #expect(sniffed(bytes) == .jpeg)
    }
}

@Suite("A stream that FFmpeg plays in spite of the signature of a file")
struct StreamsInsideTests {
    private static let pictures: [(signature: [UInt8], format: MediaFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([0x42, 0x4D], .bmp), ([0x49, 0x49, 0x2A, 0], .tiff), ([0x1A, 0x45, 0xDF, 0xA3], .video),
        ([0, 0, 4, 0] + Array("ftypisom".utf8), .video), ([0, 0, 4, 0] + Array("skip".utf8), .video),
    ]

    private static func file(_ signature: [UInt8], _ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes = signature + [UInt8](repeating: 0, count: FormatSniffer.prefixLength - signature.count)
        change(&bytes)
        return bytes
    }

    @Test("is noticed by its packets, in every format and of every length")
    func packets() {
        for (signature, format) in Self.pictures {
            #expect(sniffed(Self.file(signature)) == format)
            for length in [188, 192, 204] {
                for (count, isNoticed) in [(4, false), (5, true)] {
                    let bytes = Self.file(signature) { for index in 0..<count { $0[40 + index * length] = 0x47 } }
                    #expect(sniffed(bytes) == (isNoticed ? nil : format), "\(format) \(length)")
                }
            }
        }
    }

    @Test("is noticed by PICT, in every format")
    func pict() {
        for (signature, _) in Self.pictures {
            let bytes = Self.file(signature) { $0.replaceSubrange(522..<528, with: [0, 0x11, 2, 0xFF, 0x0C, 0]) }
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test(
        "is noticed by its first units, in formats of a weak signature",
        arguments: [
            [[0x67, 0x64], [0x68, 0xEB]], [[0x42, 0x01], [0x44, 0x01]], [[0xB3, 0x14], [0x00, 0x00]],
            [[0x20, 0x00], [0xB6, 0x10]], [[0xBA, 0x44]], [[0xBA, 0x21]],
        ] as [[[UInt8]]])
    func units(codes: [[UInt8]]) {
        for (signature, format) in Self.pictures {
            let isWeak = [.jpeg, .bmp, .tiff].contains(format) || signature.hasText("skip", at: 4)
            for count in 0...codes.count {
                let bytes = Self.file(signature) {
                    for (index, code) in codes.prefix(count).enumerated() {
                        $0.replaceSubrange((100 + 20 * index)..<(105 + 20 * index), with: [0, 0, 1] + code)
                    }
                }
                let isNoticed = isWeak && count == codes.count
                #expect(sniffed(bytes) == (isNoticed ? nil : format), "\(format) \(count)")
            }
        }
    }
}

@Suite("Numbers in files")
struct ByteOrderTests {
    @Test("are read in both orders, and not behind the end")
    func numbers() {
        let bytes: [UInt8] = [1, 2, 3, 4]
        #expect(bytes.littleEndian(at: 0, as: UInt32.self) == 0x0403_0201)
        #expect(bytes.bigEndian(at: 0, as: UInt32.self) == 0x0102_0304)
        #expect(bytes.bigEndian(at: 2, as: UInt16.self) == 0x0304)
        #expect(bytes.bigEndian(at: 3, as: UInt16.self) == nil)
        #expect(bytes.littleEndian(at: -1, as: UInt16.self) == nil)
        #expect(bytes.littleEndian(at: .max, as: UInt64.self) == nil)
    }
}
