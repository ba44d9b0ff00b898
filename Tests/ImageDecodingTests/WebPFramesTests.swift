// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import HelperService
import Testing

@testable import ImageDecoding

@Suite("The frames of a WebP file")
struct WebPFramesTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) }
        return Array(name.utf8) + size + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func frame(flags: UInt8) -> [UInt8] {
        chunk("ANMF", [UInt8](repeating: 0, count: 15) + [flags, 9, 9, 9])
    }

    private static func frames(_ chunks: [[UInt8]]) throws -> WebPFrames {
        let header = Array("RIFF\0\0\0\0WEBP".utf8)
        return try WebPFrames(InputFile(SealedMemory.copying(header + chunks.joined()).descriptor))
    }

    @Test("The flags of frames that are taken away are found, but those of the last frame")
    func disposals() throws {
        let frames = try Self.frames([
            Self.chunk("VP8X", [1, 2, 3]), Self.frame(flags: 2), Self.frame(flags: 3), Self.frame(flags: 1),
        ])
        let first = 12 + 8 + 4
        #expect(frames.disposals.map(\.position) == [first + Self.frame(flags: 0).count + 8 + 15])
        #expect(frames.disposals.map(\.byte) == [3])
    }

    @Test("More chunks than are looked at are refused by their number")
    func manyChunks() throws {
        func chunks(_ count: Int) -> [[UInt8]] { Array(repeating: Self.chunk("free", []), count: count) }
        #expect(try Self.frames(chunks(100_000)).disposals.isEmpty)
        #expect {
            try Self.frames(chunks(100_001))
        } throws: { ($0 as? DecodingFailure)?.reason == .tooManyParts }
    }
}
