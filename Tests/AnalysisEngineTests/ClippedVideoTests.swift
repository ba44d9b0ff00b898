// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

@Suite("Videos whose levels are beyond the bounds of colours", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct ClippedVideoTests {
    /// The ways in which programs convert luma and chroma levels to colours.
    enum Rendering: CaseIterable {
        /// The levels are scaled before the conversion.
        case scaled
        /// Each pixel gets the nearest chroma sample.
        case nearest
        /// Chroma samples are interpolated.
        case smooth
    }

    private static let formats = [
        RawFrames(1024, 1024, format: "yuv444p", shared: (1, 1)),
        RawFrames(1024, 1024, format: "yuv444p", shared: (1, 1), isFullRange: false),
        RawFrames(1024, 1024, format: "yuv420p", shared: (2, 2)),
        RawFrames(1024, 1024, format: "yuv420p", shared: (2, 2), isFullRange: false),
        RawFrames(1024, 1024, format: "yuv422p", shared: (2, 1)),
        RawFrames(1024, 1024, format: "yuv420p10le", shared: (2, 2), depth: 10),
        RawFrames(1024, 1024, format: "yuv420p10le", shared: (2, 2), depth: 10, isFullRange: false),
        RawFrames(1024, 1024, format: "yuv444p10le", shared: (1, 1), depth: 10),
    ]

    /// Returns the largest difference between the means of the left and the right half, in levels of 8 bits.
    private static func contrast(_ view: PixelImage) -> Double {
        let (bytes, half) = (view.bytes, view.width / 2)
        var sums = [0, 0, 0]
        for row in 0..<view.height {
            for column in 0..<(half * 2) {
                for channel in 0..<3 {
                    let level = Int(bytes[(row * view.width + column) * PixelImage.bytesPerPixel + channel])
                    sums[channel] += column < half ? level : -level
                }
            }
        }
        return sums.map { abs(Double($0)) / Double(half * view.height) }.max() ?? 0
    }

    private static func isSensitive(_ file: URL, _ preset: SamplingPreset = .balanced) async throws -> Bool {
        try await ScriptedAnalysis.analyze(file, preset: preset) { contrast($0) > 15 ? 0.95 : 0.1 }.isSensitive
    }

    /// Chroma that alternates like a chess board and is clipped; the pixels of a field share a chroma sample.
    private static func board(_ frames: RawFrames, _ x: Int, _ y: Int, amplitude: Double = 100) -> RawFrames.Levels {
        let isOdd = (x / frames.shared.x + y / frames.shared.y) % 2 == 1
        let change = isOdd ? amplitude : -amplitude
        return (200, 128 + change, 128 + change)
    }

    /// Returns the levels of an even surface with the mean colour of the board in one rendering.
    private static func surface(_ frames: RawFrames, like rendering: Rendering) -> RawFrames.Levels {
        // Interpolation leaves a quarter of the change, or a half if only columns share chroma.
        let isShared = frames.shared.x > 1
        let rest = frames.shared.y > 1 ? 25.0 : 50.0
        let amplitude = rendering == .smooth && isShared ? rest : 100
        guard rendering != .scaled else { return (200, 128, 128) }
        let colors = [amplitude, -amplitude].map { frames.color((200, 128 + $0, 128 + $0)) }
        return frames.levels((0..<3).map { (colors[0][$0] + colors[1][$0]) / 2 })
    }

    @Test(
        "A video is sensitive if its content appears only after clipping, and one rendering is even",
        arguments: Array(formats.indices), Rendering.allCases)
    func hidden(index: Int, rendering: Rendering) async throws {
        let frames = Self.formats[index]
        // Without shared chroma, `nearest` and `smooth` are the same rendering.
        guard rendering != .smooth || frames.shared.x > 1 else { return }
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            let surface = Self.surface(frames, like: rendering)
            let frame = frames.frame { x, y in x < 512 ? surface : Self.board(frames, x, y) }
            try await frames.write([(frame, 10)], to: file)
            #expect(try await Self.isSensitive(file), "\(frames.format) \(frames.isFullRange) \(rendering)")
        }
    }

    @Test("A video without clipped levels has one view", arguments: Array(formats.indices))
    func ordinary(index: Int) async throws {
        let frames = Self.formats[index]
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            let frame = frames.frame { x, y in
                let level = Double((x * 7 + y * 13) % 120 + 60)
                return (level, 128 + Double(x % 40) - 20, 128 - Double(y % 40) + 20)
            }
            try await frames.write([(frame, 10)], to: file)
            let views = Shared<Set<Int>>([])
            let analysis = try await ScriptedAnalysis.analyze(file) { view in
                views.change { $0.formUnion([view.bytes.hashValue]) }
                return 0.1
            }
            #expect(!analysis.isSensitive && views.value.count == 1)
        }
    }

    /// Levels of a small picture whose neighbouring pixels differ.
    private static func field(_ column: Int, _ row: Int) -> RawFrames.Levels {
        let number = row * 8 + column
        return (Double(20 + number * 3), Double(100 + number * 37 % 57), Double(100 + number * 23 % 57))
    }

    @Test(
        "Clipped levels have the colours that the standard gives to them, within one level",
        arguments: Array(formats.indices))
    func exact(index: Int) async throws {
        let frames = Self.formats[index]
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await frames.write([(frames.frame { Self.field($0 / 128, $1 / 128) }, 5)], to: file)
            let differences = Shared<[Double]>([])
            _ = try await ScriptedAnalysis.analyze(file) { view in
                let (bytes, side) = (view.bytes, view.width / 8)
                for place in 0..<64 {
                    let (column, row) = (place % 8, place / 8)
                    let at = (row * side + side / 2) * view.width + column * side + side / 2
                    let color = frames.color(Self.field(column, row))
                    for channel in 0..<3 {
                        let level = Double(bytes[at * PixelImage.bytesPerPixel + channel])
                        differences.change { $0.append(abs(level - color[channel])) }
                    }
                }
                return 0.1
            }
            #expect(differences.value.count >= 192 && (differences.value.max() ?? 255) <= 1, "\(frames.format)")
        }
    }

    /// Pairs of frames with the same averages and details; one frame is even and the other is not.
    private static func pairs() -> [(String, RawFrames, (Int, Int, Bool) -> RawFrames.Levels)] {
        let full = RawFrames(1024, 1024, format: "yuv444p", shared: (1, 1))
        return [
            (
                "clipped", full,
                { x, y, shows in
                    let (isOdd, isRight) = ((x + y) % 2 == 1, x >= 512)
                    // Details count differences of neighbours, so the seam between the halves is faint.
                    let level = 5.0 * Double(min(16, isRight ? x - 511 : 512 - x))
                    let change = (shows && isRight) == isOdd ? level : -level
                    return (isOdd ? 235 : 165, 128, 128 + change)
                }
            ),
            (
                "rows", full,
                { x, y, shows in
                    // Each block of 32 rows has as many light rows as dark rows, which alternate or lie together.
                    let isLight = shows ? y % 32 < 16 : y % 2 == 0
                    return (isLight ? 200 : 60, 128, 128)
                }
            ),
        ]
    }

    /// Whether rows in the right half differ from each other.
    private static func hasRows(_ view: PixelImage) -> Bool {
        let bytes = view.bytes
        let levels = (0..<view.height).map { row in
            Int(bytes[(row * view.width + view.width * 3 / 4) * PixelImage.bytesPerPixel])
        }
        return (levels.max() ?? 0) - (levels.min() ?? 0) > 60
    }

    @Test(
        "A frame with the averages and details of a harmless frame before it is found",
        arguments: [0, 1], Campaign.cases([SamplingPreset.fast, .balanced, .thorough], gate: [.thorough]))
    func forgedRepetition(index: Int, preset: SamplingPreset) async throws {
        let (name, frames, levels) = Self.pairs()[index]
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("\(name).mkv")
            let harmless = frames.frame { levels($0, $1, false) }
            let other = frames.frame { levels($0, $1, true) }
            try await frames.write([(harmless, 5), (other, 15), (harmless, 5)], to: file)
            let analysis = try await ScriptedAnalysis.analyze(file, preset: preset) { view in
                Self.contrast(view) > 15 || Self.hasRows(view) ? 0.95 : 0.1
            }
            // Only `thorough` analyses every frame that differs; `fast` and `balanced` may miss the other frame.
            #expect(analysis.isSensitive || preset != .thorough, "\(name)")
        }
    }

    @Test("A still picture with grain is scored a few times only")
    func grain() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(
                file,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=0.04", "-vf",
                    "loop=loop=99:size=1,noise=alls=8:allf=t", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "20",
                ])
            let analysis = try await ScriptedAnalysis.analyze(file, preset: .thorough) { _ in 0.1 }
            #expect(analysis.framesDecoded >= 100 && analysis.framesAnalyzed <= 10, "\(analysis.framesAnalyzed)")
        }
    }
}
