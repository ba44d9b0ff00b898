// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import ViewerAgreement

@Suite("The structure of SGI and DDS files")
struct TextureStructureTests {
    // MARK: SGI

    /// A picture of 2 × 2 pixels; rows of runs have the tables before them.
    private static func sgi(
        runs: Bool = false, dimension: UInt8 = 2, channels: UInt8 = 1, kind: UInt8 = 0, _ rows: [UInt8]
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<12, with: [1, 0xDA, runs ? 1 : 0, 1, 0, dimension, 0, 2, 0, 2, 0, channels])
        header[107] = kind
        return header + rows
    }

    /// The tables of two rows, by their starts behind the tables and their lengths.
    private static func tables(_ starts: [UInt8], _ lengths: [UInt8]) -> [UInt8] {
        starts.flatMap { [0, 0, 2, 16 + $0] } + lengths.flatMap { [0, 0, 0, $0] }
    }

    @Test(
        "An SGI file has rows of one length each, and nothing behind them",
        arguments: [
            (sgi([1, 2, 3, 4]), "judged"), (sgi(dimension: 3, [1, 2, 3, 4]), "judged"),
            (sgi(dimension: 3, channels: 3, Array(1...12)), "judged"),
            (sgi(dimension: 3, channels: 2, Array(1...12)), "unsupportedVariant"),
            (sgi(channels: 3, Array(1...12)), "unsupportedVariant"),
            (sgi(kind: 3, [1, 2, 3, 4]), "unsupportedVariant"),
            (sgi([1, 2, 3]), "malformed"), (sgi([1, 2, 3, 4, 5]), "inseparablePictures"),
            (sgi(runs: true, tables([0, 3], [3, 4]) + [2, 9, 0, 0x82, 1, 2, 0]), "judged"),
            (sgi(runs: true, tables([0, 0], [3, 3]) + [2, 9, 0]), "judged"),
            (sgi(runs: true, tables([0, 1], [4, 3]) + [0x82, 2, 9, 0]), "malformed"),
            (sgi(runs: true, tables([0, 0], [2, 3]) + [2, 9, 0]), "judged"),
            (sgi(runs: true, tables([0, 2], [2, 2]) + [2, 9, 2, 7]), "judged"),
            (sgi(runs: true, tables([0, 0], [1, 3]) + [2, 9, 0]), "run lengths beyond a row"),
            (sgi(runs: true, tables([0, 0], [3, 3]) + [3, 9, 0]), "run lengths beyond a row"),
            (sgi(runs: true, tables([0, 0], [3, 3]) + [1, 9, 0]), "malformed"),
            (sgi(runs: true, tables([0, 0], [3, 3]) + [2]), "malformed"),
            (sgi(runs: true, tables([0, 0], [3, 3]) + [2, 9, 0, 7]), "inseparablePictures"),
            (sgi(runs: true, tables([0, 0], [9, 9]) + [2, 9, 0]), "run lengths beyond a row"),
            (sgi(runs: true, tables([4, 0], [4, 4]) + [0x82, 1, 2, 0, 2, 9, 0, 0]), "run lengths beyond a row"),
            (sgi(runs: true, tables([5, 0], [3, 5]) + [2, 9, 0, 1, 0xDA, 2, 9, 0]), "run lengths beyond a row"),
            (sgi(runs: true, tables([5, 0], [3, 3]) + [2, 9, 0, 1, 0xDA, 2, 9, 0]), "inseparablePictures"),
        ])
    func sgiRules(file: [UInt8], expected: String) throws {
        #expect(try FormatSniffer.format(of: file) == .sgi)
        #expect(StillPictureTests.outcome(file, .sgi) == expected)
    }

    // MARK: DDS

    /// A picture of 16 × 16 pixels in blocks of 8 bytes, with changed 32-bit numbers of the header by their offsets.
    private static func dds(_ changes: [Int: Int] = [:], kind: String = "DXT1", byteCount: Int = 128) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        var numbers = [4: 124, 12: 16, 16: 16, 76: 32, 80: 4]
        numbers.merge(changes) { $1 }
        for (offset, value) in numbers {
            for index in 0..<4 { header[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        header.replaceSubrange(0..<4, with: Array("DDS ".utf8))
        header.replaceSubrange(84..<88, with: Array(kind.utf8))
        return header + [UInt8](repeating: 1, count: byteCount)
    }

    private static let rgb = [80: 0x40, 88: 24, 92: 0xFF0000, 96: 0xFF00, 100: 0xFF]

    @Test(
        "A DDS file has one surface with its levels, and pixels with one meaning",
        arguments: [
            (dds(), "judged"), (dds(byteCount: 127), "malformed"), (dds(byteCount: 129), "inseparablePictures"),
            (dds([12: 13, 16: 13]), "judged"), (dds(kind: "DXT5"), "malformed"),
            (dds(kind: "DXT5", byteCount: 256), "judged"), (dds(kind: "DXT2", byteCount: 256), "unsupportedVariant"),
            (dds([28: 2], byteCount: 160), "judged"), (dds([28: 2]), "malformed"), (dds([28: 6]), "malformed"),
            (dds([112: 0x200]), "unsupportedVariant"), (dds([112: 0x20_0000]), "unsupportedVariant"),
            (dds([8: 0x80_0000]), "unsupportedVariant"),
            (dds([44: 0x5058_4541]), "a private meaning of its pixels"),
            (dds([88: 0x4742_5278]), "a private meaning of its pixels"),
            (dds([80: 0x8000_0004]), "unsupportedVariant"), (dds(rgb, byteCount: 768), "judged"),
            (dds(rgb.merging([100: 0xF]) { $1 }, byteCount: 768), "unsupportedVariant"),
            (dds(rgb.merging([104: 0xFF]) { $1 }, byteCount: 768), "unsupportedVariant"),
            (dds([80: 0x20000, 88: 8, 92: 0xFF], byteCount: 256), "judged"),
        ])
    func ddsRules(file: [UInt8], expected: String) throws {
        #expect(try FormatSniffer.format(of: file) == .dds)
        #expect(StillPictureTests.outcome(file, .dds) == expected)
    }

    @Test(
        "A DDS file of DirectX 10 has one texture, whose colours are not multiplied by opacity",
        arguments: [
            ([71, 3, 0, 1, 0], "judged"), ([71, 3, 0, 1, 2], "colours that are multiplied by opacity"),
            ([71, 3, 4, 1, 0], "unsupportedVariant"), ([71, 3, 0, 2, 0], "unsupportedVariant"),
            ([71, 4, 0, 1, 0], "unsupportedVariant"), ([98, 3, 0, 1, 0], "unsupportedVariant"),
        ] as [([UInt8], String)])
    func directX10(numbers: [UInt8], expected: String) {
        var file = Self.dds(kind: "DX10")
        file.insert(contentsOf: numbers.flatMap { [$0, 0, 0, 0] as [UInt8] }, at: 128)
        #expect(StillPictureTests.outcome(file, .dds) == expected)
    }

    @Test("Each level of a DDS file that can show something becomes a file of its own")
    func levels() throws {
        let copies = try StillPicture(Self.dds([12: 32, 16: 32, 28: 6], byteCount: 512 + 128 + 32 + 8 * 3), .dds)
            .otherFiles
        #expect(copies.map(\.count) == [128 + 128])
        #expect(try StillPicture(try #require(copies.first), .dds).width == 16)
    }
}
