// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The frames of animated PNG files")
struct PNGFramesTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        let sum = PNGChunks.checksum(of: named)
        return [0, 0, 0, UInt8(content.count)] + named + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    /// A frame of 2 × 2 pixels at a column, with a delay of `delay` / `divisor` seconds.
    private static func control(
        x: UInt8 = 0, width: UInt8 = 2, delay: UInt8 = 1, divisor: UInt8 = 4, disposal: UInt8 = 0
    ) -> [UInt8] {
        chunk(
            "fcTL",
            [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, 2, 0, 0, 0, x, 0, 0, 0, 0, 0, delay, 0, divisor, disposal, 1])
    }

    private static let header: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 2, 8, 2, 0, 0, 0]) + chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 3])
    private static let picture = chunk("IDAT", [7])
    private static let end = chunk("IEND", [])

    private func withFile<Value>(_ bytes: [UInt8], _ take: (InputFile) throws -> Value) throws -> Value {
        try take(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    @Test func `A picture without a frame before it is none of the animation`() throws {
        let frames = Self.control(x: 1) + Self.chunk("fdAT", [0, 0, 0, 1, 8])
        let file = Self.header + Self.picture + frames + Self.end
        let read = try withFile(file) { try PNGFrames($0, mostFrames: 9) }
        #expect(read.frames.map(\.x) == [1] && read.frames.map(\.delay) == [250] && read.playCount == 3)
        let document = try withFile(file) { try read.document(of: read.frames[0], in: $0) }
        // The width is that of the frame, and the data are without their number.
        #expect(document[19] == 2 && document.count == 8 + 25 + 13 + 12 && document[41] == 8)
    }

    @Test(
        "An animated PNG is broken if a frame lies outside, lacks data or has an unknown kind",
        arguments: [
            control(x: 3) + picture, control(width: 0) + picture, control(disposal: 3) + picture, picture,
            control() + picture + control(), control() + chunk("fdAT", [0, 0]),
            control() + picture + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]),
        ])
    func broken(frames: [UInt8]) {
        #expect {
            try withFile(Self.header + frames + Self.end) { try PNGFrames($0, mostFrames: 9) }
        } throws: { ($0 as? DecodingFailure)?.reason == .malformed }
    }

    @Test func `A frame whose checksum is wrong is refused, because some programs show it`() {
        var file = Self.header + Self.control() + Self.picture + Self.end
        file[file.count - 13] ^= 1
        #expect(throws: DecodingFailure.self) { try withFile(file) { try PNGFrames($0, mostFrames: 9) } }
    }

    @Test func `An animated PNG with more frames than the limit is refused`() {
        let frames = Self.control() + Self.picture + Self.control() + Self.chunk("fdAT", [0, 0, 0, 1, 8])
        #expect {
            try withFile(Self.header + frames + Self.end) { try PNGFrames($0, mostFrames: 1) }
        } throws: { ($0 as? DecodingFailure)?.reason == .tooManyPictures }
    }
}
