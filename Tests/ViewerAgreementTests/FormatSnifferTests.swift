// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The format of a file")
struct FormatSnifferTests {
    static func box(_ brands: String) -> [UInt8] {
        let bytes = Array(brands.utf8)
        return [0, 0, 0, UInt8(bytes.count + 8)] + Array("ftyp".utf8) + bytes
    }

    /// A transport stream: a packet header every `length` bytes from `start`, and the byte `between` everywhere else.
    static func packets(
        _ length: Int, from start: Int, between: UInt8 = 0, flags: UInt8 = 0x10, count: Int = 1024
    ) -> [UInt8] {
        (0..<count).map { place in
            let offset = (place - start + length) % length
            return place >= start && offset < 4 ? [0x47, 0x40, 0x11, flags][offset] : between
        }
    }

    /// A box whose length is a 64-bit number.
    private static let longBox =
        [0, 0, 0, 1] + Array("ftyp".utf8) + [0, 0, 0, 0, 0, 0, 0, 24] + Array("avif\0\0\0\0".utf8)

    @Test(
        "The format of a file is told from its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], MediaFormat.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("RIFFxxxxWEBPVP8 ".utf8), .webp), (Array("RIFFxxxxAVI ".utf8), .video),
            (Array("GIF89a".utf8), .gif), ([0xFF, 0x0A], .jpegXL),
            ([0, 0, 0, 0x0C] + Array("JXL ".utf8), .jpegXL), ([0x49, 0x49, 0x2A, 0], .tiff),
            ([0x4D, 0x4D, 0, 0x2B], .tiff), (Array("BM".utf8), .bmp), (box("heic\u{0}\u{0}\u{0}\u{0}mif1heic"), .heic),
            (box("mif1\u{0}\u{0}\u{0}\u{0}mif1avif"), .avif), (box("isom\u{0}\u{0}\u{0}\u{0}isommp42"), .video),
            (longBox, .avif),
            (box("qt  "), .video), ([0x1A, 0x45, 0xDF, 0xA3], .video), (Self.packets(188, from: 0), .video),
            (Self.packets(192, from: 4), .video),
            (Self.packets(192, from: 4, between: 0x1F), .video),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), .svg),
            (Array("\u{FEFF}<?xml version='1.0'?>\n<!-- drawn -->\n<svg/>".utf8), .svg),
            (Array("\n<!DOCTYPE svg PUBLIC>\n<svg/>".utf8), .svg),
        ])
    func known(bytes: [UInt8], format: MediaFormat) throws {
        #expect(try FormatSniffer.format(of: bytes) == format)
    }

    @Test(
        "A file with other first bytes has no format",
        arguments: [
            // Bytes before few packets could be any file; packets that are scrambled or empty do not count.
            packets(188, from: 100), packets(192, from: 4, between: 0x38), packets(192, from: 4, between: 0x0A),
            // libnsgif and FFmpeg take this version for different formats.
            Array("GIF88a".utf8), packets(188, from: 0, flags: 0x90), packets(188, from: 0, flags: 0x00),
            [], [0], Array("hello, this is text".utf8), Array("%PDF-1.7".utf8), [0xFF, 0xD8],
        ])
    func unknown(bytes: [UInt8]) throws {
        #expect(try FormatSniffer.format(of: bytes) == nil)
    }

    @Test("A file that begins in the middle of a packet is a video only if its first bytes fit no other format")
    func beginningInPacket() {
        for signature in ["GIF89a", "P6 ", "%PDF-", "OggS", "BM"] {
            var bytes = Self.packets(188, from: 100, count: 2052)
            bytes.replaceSubrange(0..<signature.utf8.count, with: signature.utf8)
            #expect(!FormatSniffer.beginsInPacket(bytes), "\(signature)")
        }
        #expect(FormatSniffer.beginsInPacket(Self.packets(188, from: 100, count: 2052)))
        #expect(!FormatSniffer.beginsInPacket(Self.packets(188, from: 188, count: 2052)))
        #expect(!FormatSniffer.beginsInPacket(Self.packets(188, from: 100, flags: 0x90, count: 2052)))
        #expect(!FormatSniffer.beginsInPacket(Array(Self.packets(188, from: 100, count: 2052).prefix(100 + 9 * 188))))
    }
}

/// Returns the format of a file, or nil if it is ambiguous; a file that counts as no media is recorded as an issue.
func sniffed(_ prefix: [UInt8]) -> MediaFormat? {
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

    @Test("A picture format that is not read is noticed in a file that begins as a movie")
    func movies() {
        #expect(sniffed(Self.movie(firstBox: 4)) == .video)
        // The size of the first box makes the file an icon, a cursor, or a TGA picture of the given image type.
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
        "A picture format that is not read is noticed by a signature in the midst of a video",
        arguments: [(128, "DICM"), (2048, "PCD_"), (8, "rorient:"), (9, "rorient:"), (60, "vIMGView")])
    func signatures(place: Int, text: String) {
        for start in [Self.movie(firstBox: 4), [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 2060)] {
            var bytes = start
            bytes.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test("In a picture, only the signature of Photo CD is noticed")
    func pictures() {
        for (place, text, format) in [(2048, "PCD_", nil), (128, "DICM", .jpeg)] as [(Int, String, MediaFormat?)] {
            var bytes: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 2060)
            bytes.replaceSubrange(place..<(place + 4), with: text.utf8)
            #expect(sniffed(bytes) == format)
        }
    }

    /// A TIFF file whose first bytes are also the header of a SPIDER picture, as big-endian or little-endian numbers.
    private static func spider(
        kind: Float = 1, header: Float = 1024, record: Float = 512, count: Float = 2, isBig: Bool = true
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0x00] + [UInt8](repeating: 0, count: 2060)
        for (location, number) in [(2, 256), (5, kind), (12, 256), (13, count), (22, header), (23, record)]
            as [(Int, Float)]
        {
            let bits = (0..<4).map { UInt8(number.bitPattern >> (24 - 8 * UInt32($0)) & 255) }
            bytes.replaceSubrange((4 * location - 4)..<(4 * location), with: isBig ? bits : bits.reversed())
        }
        return bytes
    }

    @Test("A SPIDER picture, which Pillow tries first, is noticed in a TIFF file with its numbers")
    func spider() {
        #expect(sniffed(Self.spider()) == nil && sniffed(Self.spider(kind: -22)) == nil)
        // A little-endian header of SPIDER would begin with the bytes of TIFF, which are no valid number.
        #expect(sniffed(Self.spider(isBig: false)) == .tiff)
        #expect(sniffed(Self.spider(kind: 2)) == .tiff && sniffed(Self.spider(header: 1023)) == .tiff)
        #expect(sniffed(Self.spider(record: 512.5)) == .tiff)
    }
}

@Suite("Numbers in files")
struct ByteOrderTests {
    @Test("Numbers in files are read in both byte orders, and not behind the end")
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
