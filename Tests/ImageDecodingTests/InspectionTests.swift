// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import DecoderProtocol
import Testing

@testable import ImageDecoding

@Suite("The format of a file")
struct FormatSnifferTests {
    static func box(_ brands: String) -> [UInt8] {
        let bytes = Array(brands.utf8)
        return [0, 0, 0, UInt8(bytes.count + 8)] + Array("ftyp".utf8) + bytes
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
            (box("qt  "), .video), ([0x1A, 0x45, 0xDF, 0xA3], .video),
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

@Suite("Reduction while decoding")
struct ReductionTargetTests {
    let target = ReductionTarget(minimumWidth: 256, minimumHeight: 256)

    @Test(
        "by the JPEG decoder keeps both sides at the model's size",
        arguments: [(4000, 3000, 8), (2048, 2048, 8), (2047, 4000, 4), (1024, 600, 2), (511, 4000, 1), (10, 10, 1)])
    func denominators(width: Int, height: Int, expected: Int) {
        #expect(target.jpegDenominator(width: width, height: height) == expected)
    }

    @Test(
        "by averages keeps four times the model's size",
        arguments: [(4000, 3000, 3, 2), (2047, 100, 1, 1), (65_000, 300, 63, 1)])
    func averages(width: Int, height: Int, horizontal: Int, vertical: Int) {
        let factors = target.averagingFactors(width: width, height: height)
        #expect(factors.horizontal == horizontal && factors.vertical == vertical)
    }
}

@Suite("Averages over blocks")
struct BoxAverageTests {
    @Test("include the rest of a row and of the rows")
    func rest() {
        var average = BoxAverage(width: 3, bandCount: 3, horizontal: 2, vertical: 2)
        average.add(row: [0, 0, 0, 10, 20, 30, 100, 100, 100])
        average.add(row: [20, 40, 60, 10, 20, 30, 200, 200, 200])
        average.add(row: [8, 8, 8, 12, 12, 12, 50, 60, 70])
        #expect(average.finish() == [10, 20, 30, 150, 150, 150, 10, 10, 10, 50, 60, 70])
        #expect(average.outputWidth == 2 && average.outputHeight == 2)
    }

    @Test("do not show the colours of invisible pixels")
    func alpha() {
        var average = BoxAverage(width: 2, bandCount: 4, horizontal: 2, vertical: 1)
        average.add(row: [255, 0, 0, 0, 0, 100, 200, 255])
        #expect(average.finish() == [0, 100, 200, 128])
    }
}
