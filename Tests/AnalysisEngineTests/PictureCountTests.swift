// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Files with as many pictures as are counted, and with more")
struct PictureCountTests {
    /// Analyses a file in which only the last picture is bright, and expects a failure or a verdict.
    private static func expect(
        _ expected: AnalysisFailure.Code?, _ content: [UInt8], _ count: Int
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("pictures")
            try Data(content).write(to: file)
            guard let expected else {
                #expect(try await ScriptedAnalysis.analyze(file).isSensitive, "\(count) pictures")
                return
            }
            let code = await ScriptedAnalysis.code(file)
            #expect(code == expected, "\(count) pictures")
        }
    }

    private static func code(_ content: [UInt8]) async throws -> AnalysisFailure.Code? {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("pictures")
            try Data(content).write(to: file)
            return await ScriptedAnalysis.code(file)
        }
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    // MARK: WebP

    /// Lossless WebP pictures of 16 × 16 pixels.
    private static let darkWebP: [UInt8] = [
        0x2F, 0x0F, 0xC0, 0x03, 0x00, 0x07, 0x50, 0x8A, 0x52, 0x94, 0xA2, 0xFF, 0x81, 0x88, 0xE8, 0x7F, 0, 0,
    ]
    private static let brightWebP: [UInt8] = [
        0x2F, 0x0F, 0xC0, 0x03, 0x00, 0x07, 0x50, 0xFD, 0xEA, 0x57, 0xBF, 0xFF, 0x81, 0x88, 0xE8, 0x7F, 0, 0,
    ]

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + bytes(content.count, 4) + content
    }

    private static func webp(_ count: Int) -> [UInt8] {
        func frame(_ picture: [UInt8]) -> [UInt8] {
            chunk("ANMF", bytes(0, 6) + bytes(15, 3) + bytes(15, 3) + bytes(10, 3) + [0] + chunk("VP8L", picture))
        }
        let (dark, bright) = (frame(darkWebP), frame(brightWebP))
        var content = Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0] + bytes(15, 3) + bytes(15, 3))
        content += chunk("ANIM", [UInt8](repeating: 0, count: 6))
        for _ in 1..<count { content += dark }
        content += bright
        return chunk("RIFF", content)
    }

    @Test(
        "The last of thousands of WebP pictures is judged",
        arguments: Campaign.cases([2, 9_999, 10_000, 10_001, 10_050], gate: [2, 1_001]))
    func webp(count: Int) async throws {
        try await Self.expect(nil, Self.webp(count), count)
    }

    // MARK: GIF

    private static func gif(_ count: Int) -> [UInt8] {
        // A table of four colours, of which the last is bright; the pictures have 4 × 4 pixels of one colour.
        let head = Array("GIF89a".utf8) + bytes(4, 2) + bytes(4, 2) + [0x81, 0, 0]
        let colours: [UInt8] = [20, 20, 20, 20, 20, 20, 20, 20, 20, 250, 250, 250]
        let control: [UInt8] = [0x21, 0xF9, 4, 4, 10, 0, 0, 0]
        func picture(_ data: [UInt8]) -> [UInt8] {
            control + [0x2C, 0, 0, 0, 0] + bytes(4, 2) + bytes(4, 2) + [0, 2] + [UInt8(data.count)] + data + [0]
        }
        let (dark, bright) = (picture(lzw(0)), picture(lzw(3)))
        return head + colours + Array(repeatElement(dark, count: count - 1).joined()) + bright + [0x3B]
    }

    /// Sixteen pixels of one colour in codes of three bits; each follows a code that clears the code table.
    private static func lzw(_ colour: UInt8) -> [UInt8] {
        let codes: [UInt8] = (0..<16).flatMap { _ in [4, colour] } + [5]
        var (value, bits, data): (UInt32, Int, [UInt8]) = (0, 0, [])
        for code in codes {
            value |= UInt32(code) << bits
            bits += 3
            while bits >= 8 {
                data.append(UInt8(value & 255))
                value >>= 8
                bits -= 8
            }
        }
        return data + [UInt8(value & 255)]
    }

    @Test("The last of as many GIF pictures as libvips shows is judged, and a file with more is refused")
    func gif() async throws {
        for count in [2, 4_096, 4_097] { try await Self.expect(nil, Self.gif(count), count) }
        // libvips 8.14 shows no more, and later versions show all.
        let outcome = try await Self.code(Self.gif(4_098))
        #expect(outcome == nil || outcome == .limitExceeded)
        for count in [4_098, 10_050] { try await Self.expect(outcome, Self.gif(count), count) }
    }

    // MARK: PNG

    @Test(
        "The last of thousands of PNG pictures is judged", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"),
        arguments: Campaign.cases([2, 1_001, 10_001], gate: [2, 1_001]))
    func png(count: Int) async throws {
        let content = try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("pictures.png")
            let dark = "color=black:s=16x16:r=100:d=\(Double(count) / 100)"
            let bright = "drawbox=c=white:t=fill:enable='eq(n,\(count - 1))'"
            try await TestVideo.make(
                file, ["-f", "lavfi", "-i", "\(dark),\(bright)", "-f", "apng", "-pix_fmt", "rgb24"])
            return [UInt8](try Data(contentsOf: file))
        }
        try await Self.expect(nil, content, count)
    }

    // MARK: JPEG

    @Test("The last of a thousand JPEG pictures is judged, and a file with more is refused")
    func jpeg() async throws {
        let (dark, bright) = (try await Self.jpeg("black"), try await Self.jpeg("white"))
        func file(_ count: Int) -> [UInt8] {
            Array(repeatElement(dark, count: count - 1).joined()) + bright
        }
        for count in [2, 999, 1_000] { try await Self.expect(nil, file(count), count) }
        for count in [1_001, 10_050] { try await Self.expect(.limitExceeded, file(count), count) }
    }

    private static func jpeg(_ colour: String) async throws -> [UInt8] {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("\(colour).jpg")
            try await TestVideo.make(
                file, ["-f", "lavfi", "-i", "color=\(colour):s=16x16", "-frames:v", "1", "-update", "1"])
            return [UInt8](try Data(contentsOf: file))
        }
    }
}
