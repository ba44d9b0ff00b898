// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of TGA, PNM, QOI and PCX files, and of icons")
struct StillPictureTests {
    /// Returns "judged", or the failure of the structure in words.
    static func outcome(_ bytes: [UInt8], _ format: MediaFormat) -> String {
        do throws(DecodingFailure) {
            _ = try StillPicture(bytes, format)
            return "judged"
        } catch {
            return error.disagreement?.words ?? "\(error.reason)"
        }
    }

    // MARK: TGA

    private static func targa(
        kind: UInt8 = 2, depth: UInt8 = 24, descriptor: UInt8 = 0, palette: [UInt8] = [], _ pixels: [UInt8]
    ) -> [UInt8] {
        let colours: [UInt8] = palette.isEmpty ? [0, 0, 0] : [UInt8(palette.count / 3), 0, 24]
        return [0, palette.isEmpty ? 0 : 1, kind, 0, 0] + colours + [0, 0, 0, 0, 2, 0, 2, 0, depth, descriptor]
            + palette + pixels
    }

    private static let twelve = [UInt8](repeating: 9, count: 12)

    /// The areas of version 2 behind `before`, with a postage stamp at a position and an attribute type.
    private static func areas(behind before: [UInt8], stamp: UInt8 = 0, attributes: UInt8 = 0) -> [UInt8] {
        var area = [UInt8](repeating: 0, count: 495)
        (area[486], area[494]) = (stamp, attributes)
        return before + area + [UInt8(before.count), 0, 0, 0, 0, 0, 0, 0] + Array("TRUEVISION-XFILE.\0".utf8)
    }

    @Test("A plain TGA file is judged, and its format is told without a signature")
    func plainTarga() throws {
        let files = [
            Self.targa(Self.twelve), Self.targa(kind: 10, [0x83, 1, 2, 3]),
            Self.targa(kind: 10, [0x82, 1, 2, 3, 0, 7, 8, 9]),
            Self.targa(kind: 1, depth: 8, palette: [1, 2, 3], [0, 0, 0, 0]),
            Self.targa(kind: 3, depth: 8, [1, 2, 3, 4]),
            Self.areas(behind: Self.targa(Self.twelve)),
        ]
        for file in files {
            #expect(try FormatSniffer.format(of: file) == .targa)
            #expect(Self.outcome(file, .targa) == "judged")
        }
    }

    @Test(
        "A TGA file that programs read differently is unknown",
        arguments: [
            (targa(Array(twelve.dropLast())), "malformed"), (targa(twelve + Array("RIFF".utf8)), "inseparablePictures"),
            (targa(kind: 10, [0x82, 1, 2, 3]), "malformed"),
            (targa(kind: 10, [0x84, 1, 2, 3]), "run lengths beyond the picture"),
            (targa(depth: 16, [1, 0x80, 1, 0, 1, 0, 1, 0]), "a bit of opacity in pixels of 16 bits"),
            (targa(kind: 10, depth: 16, [0x82, 1, 0x80, 0, 1, 0]), "a bit of opacity in pixels of 16 bits"),
            (targa(Array("\nwidth 12\n\u{C}a".utf8)), "it fits another format as well"),
            (targa(depth: 16, descriptor: 1, twelve), "a bit of opacity in pixels of 16 bits"),
            (areas(behind: targa(twelve), attributes: 4), "colours that are multiplied by opacity"),
            (areas(behind: targa(twelve), stamp: 255), "malformed"),
        ])
    func targaRules(file: [UInt8], expected: String) {
        #expect(Self.outcome(file, .targa) == expected)
    }

    @Test("A TGA header that programs obey in part is none")
    func targaHeaders() throws {
        for change in [(1, 1), (2, 1), (3, 1), (5, 1), (7, 24), (12, 0), (16, 8), (17, 0x40)] as [(Int, UInt8)] {
            var file = Self.targa(Self.twelve)
            file[change.0] = change.1
            #expect((try? FormatSniffer.format(of: file)) != .targa)
        }
    }

    @Test("The small copy of a TGA picture becomes a file without a comment and runs")
    func smallCopy() throws {
        var file = Self.targa(kind: 10, [0x83, 1, 2, 3])
        file[0] = 2
        file.insert(contentsOf: [7, 7], at: 18)
        let stamp = file.count
        let areas = Self.areas(behind: file + [1, 1, 4, 5, 6], stamp: UInt8(stamp))
        #expect(
            try StillPicture(areas, .targa).otherFiles == [
                [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 4, 5, 6]
            ])
    }

    // MARK: PNM

    @Test(
        "A plain PNM file is judged",
        arguments: [
            "P1\n2 2\n0110", "P2 2 1 9\n3 9\n", "P3\n# drawn\n1 1\n255 1 2 3", "P4\n8 1\nx", "P5\n2 1\n255\nab",
            "P6 1 1 255 abc\n",
            "P5 1 1 65535 ab", "P5 1 1 60\n<",
            "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\nab",
        ])
    func plainNetpbm(text: String) throws {
        let padded = Array(text.utf8)
        #expect(try FormatSniffer.format(of: padded) == .netpbm)
        #expect(Self.outcome(padded, .netpbm) == "judged")
    }

    @Test(
        "A PNM file that programs read differently is unknown",
        arguments: [
            ("P5\n2 1\n255\nabP5\n2 1\n255\nab", "inseparablePictures"), ("P5\n2 1\n255\na", "malformed"),
            ("P5\n#\r1 1 255\n1 1\n255\na", "text between its numbers"),
            ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd", "unsupportedVariant"),
            ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\nabc", "unsupportedVariant"),
            ("P5 1 1 60\n=", "levels beyond the highest"), ("P5 1 1 300\n\u{7F}a", "levels beyond the highest"),
            ("P2 2 1 9\n3 10", "levels beyond the highest"), ("P2 2 1 9\n3", "malformed"),
            ("P2 2 1 9\n3 4 5", "inseparablePictures"), ("P2 2 1 9\n3 # 4\n 5", "text between its numbers"),
            ("P1\n2 2\n01101", "inseparablePictures"), ("P5 1 1 255#\na", "malformed"), ("P5 0 1 255\n", "malformed"),
            ("P5 1 1 99999\nab", "malformed"), ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\nab", "malformed"),
            ("P7\nWIDTH 1\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\na", "malformed"),
            ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde", "unsupportedVariant"),
        ])
    func netpbmRules(text: String, expected: String) {
        #expect(Self.outcome(Array(text.utf8), .netpbm) == expected)
    }

    @Test(
        "Levels that do not fill 8 or 16 bits are judged as they are and spread",
        arguments: [
            ("P5 2 1 250\n\u{5}\u{7D}", "P5\n2 1 255\n\u{5}\u{80}"),
            (
                "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 511\nTUPLTYPE GRAYSCALE\nENDHDR\n\u{0}\u{3F}",
                "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 65535\nTUPLTYPE GRAYSCALE\nENDHDR\n\u{1F}\u{90}"
            ),
        ])
    func spreadLevels(text: String, expected: String) throws {
        func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
        #expect(try StillPicture(bytes(text), .netpbm).otherFiles == [bytes(expected)])
        #expect(try StillPicture(bytes("P5 1 1 255\n="), .netpbm).otherFiles.isEmpty)
        // Pillow cuts grey levels of 16 bits off at 255.
        let cutOff = bytes("P5\n2 1 255\n\u{8}\u{FF}")
        #expect(try StillPicture(bytes("P5 2 1 65535\n\u{0}\u{8}\u{1}\u{0}"), .netpbm).otherFiles == [cutOff])
        #expect(try StillPicture(bytes("P2 2 1 65535\n8 256\n"), .netpbm).otherFiles == [cutOff])
    }

    // MARK: QOI

    private static func qoi(channels: UInt8 = 3, _ chunks: [UInt8], end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]) -> [UInt8]
    {
        Array("qoif".utf8) + [0, 0, 0, 2, 0, 0, 0, 2, channels, 0] + chunks + end
    }

    @Test(
        "A QOI file has just the pixels of its size, and ends behind its end mark",
        arguments: [
            (qoi([0xC3]), "judged"), (qoi([0xFE, 1, 2, 3, 0x80, 0, 0x40, 0]), "judged"),
            (qoi(channels: 4, [0xFF, 1, 2, 3, 4, 0xC2]), "judged"),
            (qoi([0xFF, 1, 2, 3, 4, 0xC2]), "opacity that its header denies"),
            (qoi([0xC4]), "run lengths beyond the picture"),
            (qoi([0xC2], end: []), "malformed"), (qoi([0xC3, 0xC0]), "malformed"),
            (qoi([0xC3], end: [0, 0, 0, 1]), "malformed"),
            (qoi([0xC3]) + [1], "inseparablePictures"), (qoi(channels: 5, [0xC3]), "malformed"),
        ])
    func qoiRules(file: [UInt8], expected: String) throws {
        #expect(try FormatSniffer.format(of: file) == .qoi)
        #expect(Self.outcome(file, .qoi) == expected)
    }

    // MARK: PCX

    private static func pcx(
        version: UInt8 = 5, bits: UInt8 = 8, planes: UInt8 = 1, colours: [UInt8] = [], _ rows: [UInt8],
        behind: [UInt8] = []
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: [10, version, 1, bits])
        (header[8], header[10], header[65], header[66]) = (1, 1, planes, 2)
        header.replaceSubrange(16..<(16 + colours.count), with: colours)
        return header + rows + behind
    }

    private static let palette: [UInt8] = [12] + [UInt8](repeating: 5, count: 768)

    @Test(
        "A PCX file has rows of one length each, and a palette directly behind them",
        arguments: [
            (pcx([0xC2, 1, 1, 0xC1, 0xFF], behind: palette), "judged"), (pcx(planes: 3, [0xC6, 1, 0xC6, 2]), "judged"),
            (pcx(bits: 1, [0xC2, 1, 0xC2, 1]), "judged"), (pcx(bits: 1, planes: 4, [0xC8, 1, 0xC8, 1]), "judged"),
            (pcx([0xC4, 1], behind: palette), "run lengths beyond a row"),
            (pcx([0xC2, 1, 1], behind: palette), "malformed"),
            (pcx([0xC2, 1, 0xC2, 1]), "malformed"),
            (pcx([0xC2, 1, 0xC2, 1, 7], behind: palette), "inseparablePictures"),
            (pcx(planes: 3, [0xC6, 1, 0xC6, 2, 7]), "inseparablePictures"), (pcx(planes: 3, [0xC6, 1]), "malformed"),
            (pcx(planes: 4, [0xC8, 1, 0xC8, 2]), "unsupportedVariant"),
            (pcx(bits: 1, colours: [9, 9, 9], [0xC2, 1, 0xC2, 1]), "two colours that are not black and white"),
            (pcx(version: 3, bits: 1, planes: 4, [0xC8, 1, 0xC8, 1]), "colours of the display"),
        ])
    func pcxRules(file: [UInt8], expected: String) throws {
        #expect(try FormatSniffer.format(of: file) == .pcx)
        #expect(Self.outcome(file, .pcx) == expected)
    }

    // MARK: Icons

    private static func icon(_ entries: [(size: UInt8, offset: UInt8)], _ data: [UInt8]) -> [UInt8] {
        [0, 0, 1, 0, UInt8(entries.count), 0]
            + entries.flatMap { [2, 2, 0, 0, 1, 0, 24, 0, $0.size, 0, 0, 0, $0.offset, 0, 0, 0] as [UInt8] } + data
    }

    private static func bitmap(height: UInt8 = 4, bits: UInt8 = 24, compression: UInt8 = 0) -> [UInt8] {
        [40, 0, 0, 0, 2, 0, 0, 0, height, 0, 0, 0, 1, 0, bits, 0, compression, 0, 0, 0]
            + [UInt8](repeating: 0, count: 20 + 16 + 8)
    }

    private static func pictures(_ bytes: [UInt8]) throws -> Int {
        try IconEntries(InputFile(SealedMemory.copying(bytes).descriptor)).pictures.count
    }

    @Test("Each place that an icon names is a picture once")
    func icons() throws {
        #expect(try FormatSniffer.format(of: Self.icon([(64, 22)], Self.bitmap())) == .icon)
        #expect(try Self.pictures(Self.icon([(64, 38), (65, 38)], Self.bitmap() + Self.bitmap())) == 2)
        #expect(try Self.pictures(Self.icon([(64, 38), (64, 38)], Self.bitmap())) == 1)
        var other = Self.icon([(64, 22)], Self.bitmap())
        other[6] = 3
        #expect(throws: DecodingFailure(.otherSizeOfEntry, .icon)) { try Self.pictures(other) }
        for (size, offset) in [(65, 22), (64, 21)] as [(UInt8, UInt8)] {
            #expect(throws: DecodingFailure.self) { try Self.pictures(Self.icon([(size, offset)], Self.bitmap())) }
        }
    }

    @Test func `A cursor that is a TGA picture as well is ambiguous`() {
        var cursor = Self.icon([(64, 22)], Self.bitmap())
        // The place of its point and the size of its data are the size and the depth of a picture.
        cursor.replaceSubrange(2..<3, with: [2])
        cursor.replaceSubrange(12..<18, with: [60, 0, 45, 0, 24, 0])
        #expect(throws: DecodingFailure.self) { try FormatSniffer.format(of: cursor) }
    }

    @Test("A picture in an icon has half the rows that it states, and a mask")
    func bitmaps() throws {
        func header(_ bytes: [UInt8]) throws -> BitmapHeader {
            try BitmapHeader(ofIcon: InputFile(SealedMemory.copying(bytes).descriptor))
        }
        let plain = try header(Self.bitmap())
        var huge = Self.bitmap(bits: 32)
        huge.replaceSubrange(4..<12, with: [0xFF, 0xFF, 0xFF, 0x7F, 0xFE, 0xFF, 0xFF, 0x7F])
        #expect((plain.width, plain.height, plain.pixelOffset, plain.maskOffset) == (2, 2, 40, 56))
        #expect(try header(Self.bitmap(bits: 32).dropLast(8)).maskOffset == nil)
        for wrong in [
            Self.bitmap(height: 3), Self.bitmap(height: 0), Self.bitmap(bits: 16), Self.bitmap(compression: 1),
            Self.bitmap().dropLast(), Self.bitmap(bits: 8), huge,
        ] {
            #expect(throws: DecodingFailure.self) { try header(wrong) }
        }
    }
}
