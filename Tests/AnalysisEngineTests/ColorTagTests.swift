// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos with unusual colours", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct ColorTagTests {
    private static func make(_ file: URL, _ brightness: String, transfer: String, matrix: String = "bt709") async throws
    {
        try await TestVideo.make(
            file, seconds: 2, brightness: brightness,
            [
                "-c:v", "libx264", "-preset", "ultrafast", "-x264-params",
                "colorprim=bt709:transfer=\(transfer):colormatrix=\(matrix)",
            ])
    }

    @Test(
        "Videos of linear or logarithmic light, or of an unknown matrix, are unknown unless they are sensitive",
        arguments: [("linear", "bt709"), ("log100", "bt709"), ("log316", "bt709")]
            + ["YCgCo", "bt2020c", "smpte2085", "chroma-derived-nc", "chroma-derived-c", "ICtCp"].map { ("bt709", $0) })
    func doubtful(transfer: String, matrix: String) async throws {
        try await TestFiles.withFolder { folder in
            let dark = folder.appendingPathComponent("dark.mp4")
            try await Self.make(dark, TestVideo.moving, transfer: transfer, matrix: matrix)
            #expect(await ScriptedAnalysis.code(dark) == .ambiguousMedia)
            let bright = folder.appendingPathComponent("bright.mkv")
            try await Self.make(bright, "0.95", transfer: transfer, matrix: matrix)
            #expect(try await ScriptedAnalysis.analyze(bright).isSensitive)
        }
    }

    @Test(
        "Videos with the usual colour tags are judged",
        arguments: [
            "bt709", "bt470m", "bt470bg", "smpte170m", "iec61966-2-4", "bt1361e", "iec61966-2-1", "bt2020-10",
            "bt2020-12", "arib-std-b67", "smpte428",
        ])
    func ordinary(transfer: String) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await Self.make(file, TestVideo.moving, transfer: transfer, matrix: "bt2020nc")
            let views = Shared<Set<[UInt8]>>([])
            let analysis = try await ScriptedAnalysis.analyze(file) { view in
                views.change { $0.formUnion([view.bytes]) }
                return 0.1
            }
            // Each frame has one view.
            #expect(!analysis.isSensitive && views.value.count <= analysis.framesAnalyzed)
        }
    }

    @Test(
        "Content that is faint, and plain in programs that know the curve, is sensitive",
        arguments: [("smpte2084", 0.5, 0.55), ("smpte240m", 0.0, 0.04)])
    func faint(transfer: String, left: Double, right: Double) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await Self.make(file, "if(lt(X,160),\(left),\(right))", transfer: transfer)
            let analysis = try await ScriptedAnalysis.analyze(file) { view in
                let row = view.bytes.dropFirst(view.height / 2 * view.width * 3)
                let contrast =
                    Int(row[row.startIndex + view.width * 9 / 4]) - Int(row[row.startIndex + view.width * 3 / 4])
                return abs(contrast) > 18 ? 0.95 : 0.1
            }
            #expect(analysis.isSensitive)
        }
    }

    @Test(
        "Animated PNGs with a profile or code point that cannot be applied are unknown, and others are judged")
    func animatedPNG() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.png")
            try await TestVideo.make(
                file, seconds: 3, brightness: "0.1+0.05*sin(X*N)", rate: "1", ["-f", "apng", "-plays", "0"])
            let whole = try Data(contentsOf: file)
            #expect(await ScriptedAnalysis.code(file) == nil)
            let chunks: [(String, [UInt8], Bool)] = [
                ("gAMA", [0, 0, 0xB1, 0x8F], false), ("gAMA", [0, 1, 0x86, 0xA0], false), ("cICP", [1, 8, 0, 1], true),
                ("cICP", [9, 16, 0, 1], false), ("cICP", [9, 18, 0, 1], false),
                ("iCCP", Array("a\0\0x".utf8), true),
            ]
            for (name, content, hasDisagreement) in chunks {
                // The header has 33 bytes with the signature, and the chunk follows it.
                let chunk = [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content
                let sum = Self.checksum(of: chunk.dropFirst(4))
                try (whole.prefix(33) + Data(chunk + sum) + whole.dropFirst(33)).write(to: file)
                let code = await ScriptedAnalysis.code(file)
                #expect(hasDisagreement ? code == .ambiguousMedia : code == nil, "\(name) \(String(describing: code))")
            }
        }
    }

    @Test("A frame of an animated PNG that is faint without the curve of its code points is sensitive")
    func faintAnimatedPNG() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.png")
            try await TestVideo.make(
                file, seconds: 3, brightness: "if(lt(X,160),0.5,0.55)", rate: "1", ["-f", "apng", "-plays", "0"])
            let whole = try Data(contentsOf: file)
            func isPlain() async throws -> Bool {
                try await ScriptedAnalysis.analyze(file) { view in
                    let row = view.bytes.dropFirst(view.height / 2 * view.width * 3)
                    let (left, right) = (
                        row.dropFirst(view.width * 3 / 4).first, row.dropFirst(view.width * 9 / 4).first
                    )
                    return abs(Int(left ?? 0) - Int(right ?? 0)) > 18 ? 0.95 : 0.1
                }.isSensitive
            }
            #expect(try await !isPlain())
            let chunk = [0, 0, 0, 4] + Array("cICP".utf8) + [9, 16, 0, 1]
            try (whole.prefix(33) + Data(chunk + Self.checksum(of: chunk.dropFirst(4))) + whole.dropFirst(33))
                .write(to: file)
            #expect(try await isPlain())
        }
    }

    /// Returns the CRC-32 of a PNG chunk ("Portable Network Graphics (PNG) Specification (Third Edition)", annex D).
    private static func checksum(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) }
    }
}
