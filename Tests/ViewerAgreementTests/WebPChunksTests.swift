// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("The chunks of a WebP file")
struct WebPChunksTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) }
        return Array(name.utf8) + size + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func frame(flags: UInt8) -> [UInt8] {
        chunk("ANMF", [UInt8](repeating: 0, count: 15) + [flags, 9, 9, 9])
    }

    private static func chunks(_ chunks: [[UInt8]]) throws -> WebPChunks {
        let header = Array("RIFF\0\0\0\0WEBP".utf8)
        return try WebPChunks(InputFile(SealedMemory.copying(header + chunks.joined()).descriptor))
    }

    @Test("Frames that are taken away are kept in a rendering of their own, except the last frame")
    func disposals() throws {
        let frames = try Self.chunks([
            Self.chunk("VP8X", [1, 2, 3]), Self.frame(flags: 2), Self.frame(flags: 3), Self.frame(flags: 1),
        ])
        let first = 12 + 8 + 4
        #expect(frames.renderings.count == 2 && frames.renderings[0] == nil)
        let kept = try #require(frames.renderings[1])
        #expect(kept.replacements.map(\.position) == [first + Self.frame(flags: 0).count + 8 + 15])
        #expect(kept.replacements.map(\.bytes) == [[2]])
    }

    @Test("Frames without opacity are kept in a rendering of their own, where others have opacity")
    func opaqueDisposals() throws {
        func frame(_ name: String) -> [UInt8] {
            Self.chunk("ANMF", [UInt8](repeating: 0, count: 15) + [1] + Self.chunk(name, [0, 1, 2, 3, 4, 5]))
        }
        let header = Self.chunk("VP8X", [0x12, 0, 0, 0, 9, 0, 0, 9, 0, 0])
        func kept(_ names: [String]) throws -> [[Int]] {
            try Self.chunks([header] + names.map(frame)).renderings.compactMap { $0?.replacements.map(\.position) }
        }
        let first = 12 + header.count + 8 + 15
        let second = first + frame("ALPH").count
        #expect(try kept(["VP8 ", "ALPH", "VP8 "]) == [[first, second], [first]])
        #expect(try kept(["VP8 ", "VP8 ", "VP8 "]) == [[first, second]])
        #expect(try kept(["ALPH", "ALPH", "VP8 "]) == [[first, second]])
    }

    @Test("Opacity that the header does not announce is found, and the header is read with it")
    func alpha() throws {
        let lossless: [UInt8] = [0x2F, 0xFF, 0xC0, 0x3F, 0x10, 0]
        let opaque: [UInt8] = [0x2F, 0xFF, 0xC0, 0x3F, 0x00, 0]
        let header = Self.chunk("VP8X", [0x02, 0, 0, 0, 9, 0, 0, 9, 0, 0])
        let frame = [UInt8](repeating: 0, count: 16)
        for picture in [
            Self.chunk("ALPH", [0, 1, 2]), Self.chunk("VP8L", lossless),
            Self.chunk("ANMF", frame + Self.chunk("ALPH", [0, 1, 2])),
            Self.chunk("ANMF", frame + Self.chunk("VP8L", lossless)),
        ] {
            let part = try #require(try Self.chunks([header, picture]).part)
            #expect(part.replacements.map(\.position) == [20] && part.replacements.map(\.bytes) == [[0x12]])
            #expect(try Self.chunks([Self.chunk("VP8X", [0x12, 0, 0, 0, 9, 0, 0, 9, 0, 0]), picture]).part == nil)
        }
        let denied = try #require(try Self.chunks([header, Self.chunk("VP8L", opaque)]).part)
        #expect(denied.replacements.map(\.position) == [42, 20])
        #expect(denied.replacements.map(\.bytes) == [[0x10], [0x12]])
        #expect(try Self.chunks([Self.chunk("VP8L", lossless)]).part == nil)
    }

    @Test("More chunks than are looked at are refused by their number")
    func manyChunks() throws {
        func many(_ count: Int) -> [[UInt8]] { Array(repeating: Self.chunk("free", []), count: count) }
        #expect(try Self.chunks(many(100_000)).renderings.count == 1)
        #expect {
            try Self.chunks(many(100_001))
        } throws: { ($0 as? DecodingFailure)?.reason == .tooManyParts }
    }
}
