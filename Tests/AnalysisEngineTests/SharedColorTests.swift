// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

/// libjpeg and libwebp interpolate shared chroma samples, and players that use FFmpeg give each pixel the nearest one.
@Suite("Pictures whose pixels share colours", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct SharedColorTests {
    /// A frame with an even left half; in the right half, chroma alternates from field to field.
    private static func frame(_ frames: RawFrames, level: Double) -> Data {
        frames.frame { x, y in
            let isOdd = (x / frames.shared.x + y / frames.shared.y) % 2 == 1
            let change = x < frames.width / 2 ? 0.0 : isOdd ? 90 : -90
            return (level, 128 + change, 128 + change)
        }
    }

    private static func write(_ frames: RawFrames, _ frame: Data, to file: URL, _ options: [String]) async throws {
        let raw = file.appendingPathExtension("yuv")
        try frame.write(to: raw)
        let size = "\(frames.width)x\(frames.height)"
        try await TestVideo.make(
            file, ["-f", "rawvideo", "-pix_fmt", frames.format, "-s", size, "-i", raw.path] + options)
    }

    /// Returns the largest difference between the means of the left and the right half in any view, in levels.
    private static func contrast(of file: URL) async throws -> Double {
        let largest = Shared<Double>(0)
        _ = try await ScriptedAnalysis.analyze(file) { view in
            let (bytes, half) = (view.bytes, view.width / 2)
            for channel in 0..<3 {
                var sum = 0
                for row in 0..<view.height {
                    for column in 0..<(half * 2) {
                        let level = Int(bytes[(row * view.width + column) * PixelImage.bytesPerPixel + channel])
                        sum += column < half ? level : -level
                    }
                }
                let mean = abs(Double(sum)) / Double(half * view.height)
                largest.change { $0 = max($0, mean) }
            }
            return 0.1
        }
        return largest.value
    }

    private static let samplings: [(String, (x: Int, y: Int))] = [
        ("yuvj420p", (2, 2)), ("yuvj422p", (2, 1)), ("yuvj440p", (1, 2)), ("yuvj444p", (1, 1)),
    ]

    @Test(
        "JPEG pictures are also judged as programs show them that do not interpolate colours",
        arguments: Array(samplings.indices))
    func jpeg(index: Int) async throws {
        let (format, shared) = Self.samplings[index]
        // One size is no multiple of a JPEG file's blocks, and the largest size is reduced.
        for (width, height) in [(320, 240), (331, 247), (2051, 1537)] {
            try await TestFiles.withFolder { folder in
                let frames = RawFrames(width, height, format: format, shared: shared)
                let file = folder.appendingPathComponent("a.jpg")
                let options = ["-c:v", "mjpeg", "-q:v", "1", "-qmin", "1"]
                try await Self.write(frames, Self.frame(frames, level: 215), to: file, options)
                #expect(try await Self.contrast(of: file) > 30, "\(format) \(width)")
            }
        }
    }

    @Test(
        "Pictures whose pixels share colours are judged by their last rows, too",
        arguments: [(1024, 3000), (1025, 2999), (640, 479)])
    func lastRows(width: Int, height: Int) async throws {
        try await TestFiles.withFolder { folder in
            let frames = RawFrames(width, height, format: "yuvj420p", shared: (2, 2))
            let file = folder.appendingPathComponent("a.jpg")
            let start = height - height / 75
            let frame = frames.frame { x, y in
                let change = y < start ? 0.0 : (x / 2 + y / 2) % 2 == 1 ? 90 : -90
                return (215, 128 + change, 128 + change)
            }
            try await Self.write(frames, frame, to: file, ["-c:v", "mjpeg", "-q:v", "1", "-qmin", "1"])
            let count = Shared<Int>(0)
            _ = try await ScriptedAnalysis.analyze(file) { _ in
                count.change { $0 += 1 }
                return 0.1
            }
            #expect(count.value == 2)
        }
    }

    @Test("WebP pictures are also judged as programs show them that do not interpolate colours")
    func webp() async throws {
        for (width, height) in [(320, 240), (330, 247), (1280, 960)] {
            try await TestFiles.withFolder { folder in
                let frames = RawFrames(width, height, format: "yuv420p", shared: (2, 2), isFullRange: false)
                let file = folder.appendingPathComponent("a.webp")
                let options = ["-c:v", "libwebp", "-quality", "100", "-compression_level", "0"]
                try await Self.write(frames, Self.frame(frames, level: 215), to: file, options)
                #expect(try await Self.contrast(of: file) > 30, "\(width)")
            }
        }
    }

    /// A frame whose right half alternates; the left half has its mean colour if chroma is not interpolated.
    private static func evenFrame(_ frames: RawFrames) -> Data {
        let levels = [-90.0, 90].map { (luma: 215.0, blue: 128 + $0, red: 128 + $0) }
        let mean = zip(frames.color(levels[0]), frames.color(levels[1])).map { ($0 + $1) / 2 }
        let even = frames.levels(mean)
        return frames.frame { x, y in
            x < frames.width / 2 ? even : levels[(x / frames.shared.x + y / frames.shared.y) % 2]
        }
    }

    private static let formatsOfAVIF: [(format: String, shared: (x: Int, y: Int), depth: Int)] = [
        ("yuv420p", (2, 2), 8), ("yuv422p", (2, 1), 8), ("yuv420p10le", (2, 2), 10), ("yuv422p10le", (2, 1), 10),
    ]

    @Test(
        "AVIF pictures are judged as browsers show them, and as older programs do",
        arguments: Array(formatsOfAVIF.indices))
    func avif(index: Int) async throws {
        let (format, shared, depth) = Self.formatsOfAVIF[index]
        for (width, height) in [(320, 240), (331, 247)] {
            try await TestFiles.withFolder { folder in
                let frames = RawFrames(
                    width, height, format: format, shared: shared, depth: depth, isFullRange: false)
                let file = folder.appendingPathComponent("a.avif")
                let options = [
                    "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "2", "-cpu-used", "8", "-color_range", "tv",
                    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1",
                ]
                for frame in [Self.frame(frames, level: 215), Self.evenFrame(frames)] {
                    try await Self.write(frames, frame, to: file, options)
                    #expect(try await Self.contrast(of: file) > 15, "\(format) \(width)")
                }
            }
        }
    }

    @Test("A picture whose neighbouring colours are alike has one view", arguments: Array(samplings.indices))
    func ordinary(index: Int) async throws {
        let (format, shared) = Self.samplings[index]
        try await TestFiles.withFolder { folder in
            let frames = RawFrames(1024, 768, format: format, shared: shared)
            let file = folder.appendingPathComponent("a.jpg")
            let frame = frames.frame { x, y in
                (Double((x * 7 + y * 13) % 200 + 30), 90 + Double(x) / 14, 90 + Double(y) / 10)
            }
            try await Self.write(frames, frame, to: file, ["-c:v", "mjpeg", "-q:v", "2"])
            let count = Shared<Int>(0)
            _ = try await ScriptedAnalysis.analyze(file) { _ in
                count.change { $0 += 1 }
                return 0.1
            }
            #expect(count.value == 1, "\(format)")
        }
    }
}
