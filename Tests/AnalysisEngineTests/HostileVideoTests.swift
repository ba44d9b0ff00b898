// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

@Suite("Videos that mean harm", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct HostileVideoTests {
    @Test("A video with frames of 16K is refused by its header")
    func bomb() async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            let options = ["-frames:v", "2", "-c:v", "libx264", "-preset", "ultrafast"]
            let size = "15360x8640"
            try await TestVideo.make(
                file("bomb.mp4"), ["-f", "lavfi", "-i", "color=black:s=\(size):r=25"] + options)
            #expect(try Data(contentsOf: file("bomb.mp4")).count < 1 << 20)
            #expect(await ScriptedAnalysis.code(file("bomb.mp4")) == .limitExceeded)
        }
    }

    @Test("A video whose frames exceed the limit in mid-stream is unknown")
    func growingBomb() async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            let options = ["-c:v", "libx264", "-preset", "ultrafast"]
            for (name, size, offset) in [("1.ts", "320x180", "0"), ("2.ts", "1920x1080", "4")] {
                try await TestVideo.make(
                    file(name),
                    ["-f", "lavfi", "-i", "color=black:s=\(size):r=25:d=4"] + options + ["-output_ts_offset", offset])
            }
            try (Data(contentsOf: file("1.ts")) + Data(contentsOf: file("2.ts"))).write(to: file("joined.ts"))
            #expect(await ScriptedAnalysis.code(file("joined.ts")) == nil)
            let code = await ScriptedAnalysis.code(
                file("joined.ts"), limits: AnalysisLimits { $0.maximumPixelCount = 1_000_000 })
            #expect(code == .malformedMedia || code == .limitExceeded, "\(String(describing: code))")
        }
    }

    /// Returns an entry of a data reference table: a file at an absolute path, as a QuickTime alias.
    ///
    /// Source: "QuickTime File Format Specification", data reference atoms; the layout that FFmpeg's mov.c reads.
    private static func alias(of target: URL) -> Data {
        var content = Data(count: 10) + Data([1, 65]) + Data(count: 26) + Data(count: 12)
        content += Data([1, 65]) + Data(count: 62) + Data(count: 16) + Data([0, 0, 0, 0]) + Data(count: 16)
        let path = Array(target.path.utf8)
        content += Data([0, 2, UInt8(path.count >> 8), UInt8(path.count & 255)]) + path
        if path.count % 2 == 1 { content.append(0) }
        content += Data([0xFF, 0xFF, 0, 0])
        let size = content.count + 12
        let header = [UInt8(0), 0, UInt8(size >> 8), UInt8(size & 255)] + Array("alis".utf8) + [0, 0, 0, 0]
        return Data(header) + content
    }

    @Test("A video whose pictures are in another file is unknown, and the other file is not opened")
    func dataReference() async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            for (name, brightness) in [("own.mov", "0.1"), ("other.mov", "0.95")] {
                try await TestVideo.make(
                    file(name), seconds: 4, brightness: brightness, ["-c:v", "libx264", "-preset", "ultrafast"])
            }
            var bytes = try Data(contentsOf: file("own.mov"))
            let movie = try #require(bytes.range(of: Data("moov".utf8)))
            let media = try #require(bytes.range(of: Data("mdat".utf8)))
            // The media data come first, so a change of the movie box moves no samples.
            #expect(media.lowerBound < movie.lowerBound)
            // The only entry states that the samples are in the same file; the new entry names another file.
            try MP4Boxes.replace(
                last: 12, by: Self.alias(of: file("other.mov")), in: ["moov", "trak", "mdia", "minf", "dinf", "dref"],
                of: &bytes)
            try bytes.write(to: file("reference.mov"))

            // With `-enable_drefs`, FFmpeg reads the other file, so the changed file means what the test needs.
            try await TestVideo.make(
                file("copy.mkv"),
                ["-enable_drefs", "1", "-use_absolute_path", "1", "-i", file("reference.mov").path, "-c", "copy"])
            #expect(try await ScriptedAnalysis.analyze(file("copy.mkv")).isSensitive)
            #expect(await ScriptedAnalysis.code(file("reference.mov")) == .malformedMedia)
        }
    }
}
