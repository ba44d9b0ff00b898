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

    /// A transport stream: a sync byte and whatever follows it.
    static func packets(_ length: Int, from start: Int) -> [UInt8] {
        (0..<1024).map { $0 >= start && ($0 - start) % length == 0 ? 0x47 : 1 }
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
            (Self.packets(192, from: 4), .video), (Self.packets(188, from: 100), .video),
        ])
    func known(bytes: [UInt8], format: MediaFormat) {
        #expect(FormatSniffer.format(of: bytes) == format)
    }

    @Test(
        "is none for anything else",
        arguments: [
            [], [0], Array("hello, this is text".utf8), Array("<svg>".utf8), Array("%PDF-1.7".utf8), [0xFF, 0xD8],
        ])
    func unknown(bytes: [UInt8]) {
        #expect(FormatSniffer.format(of: bytes) == nil)
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
