// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("Structures of formats")
struct ViewerStructureTests {
    private static func file(_ bytes: [UInt8]) throws -> InputFile {
        try InputFile(try SealedMemory.copying(bytes).descriptor)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return number(UInt32(content.count)) + checked + number(PNGChunks.checksum(of: checked))
    }

    @Test("The findings about a picture name the disagreement of programs, and are none for an ordinary picture")
    func findings() throws {
        let (gamma, other) = (Self.chunk("gAMA", [0, 0, 0xB1, 0x8F]), Self.chunk("gAMA", [0, 1, 0x86, 0xA0]))
        func png(_ chunks: [UInt8]) throws -> InputFile {
            let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            let header = Self.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
            return try Self.file(signature + header + chunks + Self.chunk("IDAT", []) + Self.chunk("IEND", []))
        }
        #expect(try PNGChunks.findings(in: png(gamma)).isEmpty)
        #expect(try PNGChunks.findings(in: png(gamma + other)) == [.chunkTwice("gAMA")])
        let colourless = GIFBlocksTests.head(colours: nil) + GIFBlocksTests.picture() + GIFBlocksTests.end
        #expect(try GIFBlocks.findings(in: Self.file(colourless)) == [.pictureWithoutColours])
        for (width, height) in [(0, 10), (10, 0), (0, 0)] {
            let empty = GIFBlocksTests.picture(width: width, height: height)
            let file = try Self.file(GIFBlocksTests.head() + empty + GIFBlocksTests.end)
            #expect(try GIFBlocks.findings(in: file) == [.emptyPicture])
        }
    }

    @Test("A picture that is damaged has no findings but an error")
    func damage() throws {
        let file = try Self.file(Array("BM".utf8))
        #expect(throws: DecodingFailure.self) { try BitmapHeader.findings(in: file) }
    }
}
