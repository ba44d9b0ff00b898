// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Pictures and videos of formats that are not read")
struct OtherMediaFormatsTests {
    private static func content(_ bytes: [UInt8]) throws -> MediaContent? {
        guard case .content(let content) = try InputFile(SealedMemory.copying(bytes).descriptor).format() else {
            return nil
        }
        return content
    }

    /// An uncompressed TGA picture of 2 × 2 pixels with 24 bits, and a palette that begins at its second colour.
    private static let targa: [UInt8] =
        [0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 24, 0] + [UInt8](repeating: 9, count: 12)
    private static let streams: [[UInt8]] = [
        [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x67, 0x64, 0, 30, 0, 0, 0, 1, 0x68, 0xEE, 0, 0, 0, 1, 0x65, 0x88, 0x84],
        [0, 0, 0, 1, 0x40, 1, 0x0C, 0, 0, 0, 1, 0x42, 1, 1, 0, 0, 0, 1, 0x44, 1, 0xC1, 0, 0, 0],
        FormatSnifferTests.packets(188, from: 50), FormatSnifferTests.packets(204, from: 0),
    ]

    @Test(
        "Formats that are not read are told from their first bytes",
        arguments: [
            targa, [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0],
            [10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0], [1, 0xDA, 0, 1, 0, 2],
            [0x10, 0, 0, 0, 0x12, 0xAF, 1, 0, 0, 0, 0, 0],
            [1, 0, 0, 0] + [UInt8](repeating: 0, count: 36) + Array(" EMF".utf8),
        ] + streams
            + [
                "8BPS\0\u{1}", "Pf\n2 2\n-1.0\n0123",
                "DDS |\0\0\0",
                "icns\0\0", "\0\0\0\u{10}idsc\0\0", "\0\rVersion:Vivo/1.00\r\n", "gimp xcf v011", "#?RADIANCE\n",
                "SIMPLE  =    T", "/* XPM */\nstatic char",
                "FORM\0\0\0\u{8}ILBMBMHD",
                "#define smile_width 8\n#define smile_height 8\n",
                "RIFF\0\0\0\0ACONLIST",
                "YUV4MPEG2 W2 H2", "DKIF\0\0 \0", ".RMF\0\0\0", "nut/multimedia container\0",
                "BBCD\0\0\0\0", "\0\nSMJPEG\0\0", "RF64\0\0\0\0WAVE", "RIFX\0\0\0\0WAVE",
                "FRM8\0\0\0\0", "#EXTM3U\n#EXT-X-VERSION:3\n", "<?xml version='1.0'?>\n<MPD/>",
                "--frame\r\nContent-Type: image/jpeg\r\n\r\n",
            ].map { Array($0.utf8) })
    func told(bytes: [UInt8]) throws {
        #expect(try Self.content(bytes) == .otherMedia)
    }

    private static let id3: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0]
    private static let ape: [UInt8] = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0]

    @Test("A TrueType font is no video", arguments: [[0, 1, 0, 0, 0, 12, 0, 0x80], [0, 1, 0, 0, 0, 1, 0, 0x10]])
    func font(bytes: [UInt8]) throws {
        #expect(try Self.content(bytes) == .unknownFormat)
    }

    @Test(arguments: [
        [0] + id3, Array("x".utf8) + id3, ape + [UInt8](repeating: 9, count: 900),
        [UInt8](repeating: 9, count: 5000) + ape + [UInt8](repeating: 9, count: 900),
        [UInt8](repeating: 9, count: 400_000) + Array("3DI".utf8) + [4, 0, 0, 0, 0, 1, 0],
        [0, 0, 0x80, 2, 8, 0, 0], [0, 1, 0, 0x18, 0, 1, 0x10], Array("FILM".utf8) + [0, 0, 0, 64],
        [0, 0, 0, 0, 1, 0xBC, 0, 0], [0x84, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0x1E, 0],
    ])
    func `Rare formats, and tags with covers behind other bytes, are told from later bytes`(bytes: [UInt8]) throws {
        #expect(try Self.content(bytes) == .otherMedia)
    }

    @Test(
        "Texts about tags and playlists of sound are not suspected as media",
        arguments: ["The tag APETAGEX stands behind ID3 tags.", "#EXTM3U\nsong.mp3\n", "-- a comment\ncontent"])
    func texts(text: String) throws {
        #expect(try Self.content(Array(text.utf8)) == .unknownFormat)
    }

    @Test("Other formats are noticed in the signature of a video, such as PCX in a box and FLI in a tag")
    func polyglots() {
        for bytes in [[0x0A, 5, 1, 8] + Array("mdat".utf8), Array("ID3".utf8) + [3, 0x11, 0xAF]] {
            #expect(throws: DecodingFailure.self) {
                try FormatSniffer.format(of: bytes + [UInt8](repeating: 0, count: 64))
            }
        }
    }

    @Test("Pictures are assumed if sound of other formats has a place for covers")
    func covers() throws {
        let chunk = Array("ID3 ".utf8) + [0, 0, 0, 4, 1, 2, 3, 4]
        let sound = Array("FORM".utf8) + [0, 0, 0, 16] + Array("AIFF".utf8)
        let other = Array("COMM".utf8) + [0, 0, 0, 2, 1, 2]
        #expect(try Self.content(sound + other + chunk) == .otherMedia)
        #expect(
            try Self.content([0xFF, 0xFB, 0x90, 0x64] + Array("APETAGEX".utf8) + [UInt8](repeating: 0, count: 24))
                == .otherMedia)
        #expect(try Self.content(Array("DSD ".utf8) + [UInt8](repeating: 0, count: 24)) == .unknownFormat)
    }

    @Test(
        "Texts, programs and sound without a place for covers are no pictures",
        arguments: [
            "import Foundation\n", "#define LIMIT 3\n#include <stdio.h>\n",
            "<?xml version='1.0'?><plist/>", "P1ain text", "\u{7F}ELF\u{2}\u{1}\u{1}",
            "SQLite format 3\0", "MThd\0\0\0\u{6}", "\0\0\0\u{1}Bud1\0\0", "IIn the beginning",
            "\n\n\u{1}8 words",
        ].map { Array($0.utf8) } + [[0xFF, 0xFB, 0x90, 0x64], [0, 1, 0, 0, 0, 12, 0, 128, 0, 3]])
    func notFound(bytes: [UInt8]) throws {
        #expect(try Self.content(bytes) == .unknownFormat)
    }

    @Test(
        "Documents and archives are told from files without pictures",
        arguments: [
            "%PDF-1.7\n", "\n\nbytes before it %PDF-1.4", "<!doctype html><svg/>", "<html><svg/>",
            "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC", "PK\u{3}\u{4}\u{14}", "PK\u{5}\u{6}\0\0", "{\\rtf1\\ansi",
            "%!PS-Adobe-3.0 EPSF-3.0\n", "Rar!\u{1A}\u{7}\0", "BZh91AY&SY", "MIME-Version: 1.0\r\n",
            String(repeating: "a", count: 257) + "ustar\0",
        ].map { Array($0.utf8) } + [
            [0x1F, 0x8B, 8, 0], [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], [0xC5, 0xD0, 0xD3, 0xC6, 0],
            [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD, 4],
        ])
    func documents(bytes: [UInt8]) throws {
        #expect(try Self.content(bytes) == .document)
    }
}
