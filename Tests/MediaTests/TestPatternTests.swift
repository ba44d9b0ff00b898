// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("The test pattern")
struct TestPatternTests {
    /// Returns a picture of 24-bit pixels as a BMP file.
    static func bitmap(width: Int, height: Int, _ pixel: (Int, Int) -> (UInt8, UInt8, UInt8)) -> Data {
        func bytes(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> ($0 * 8) & 255) } }
        let rowBytes = (width * 3 + 3) / 4 * 4
        var data = Data(Array("BM".utf8) + bytes(54 + rowBytes * height, 4) + bytes(0, 4) + bytes(54, 4))
        data += bytes(40, 4) + bytes(width, 4) + bytes(height, 4) + bytes(1, 2) + bytes(24, 2) + bytes(0, 24)
        for row in (0..<height).reversed() {
            var line: [UInt8] = []
            for column in 0..<width {
                let (red, green, blue) = pixel(column, row)
                line += [blue, green, red]
            }
            data += line + Array(repeating: 0, count: rowBytes - line.count)
        }
        return data
    }

    /// Returns the picture of a test pattern: 640 × 480 pixels, with a code of 297 × 297 pixels.
    static func pattern(_ folder: URL, _ type: ContentType = .sexuallyExplicit) async throws -> [UInt8] {
        let file = folder.appendingPathComponent("pattern-\(type).png")
        _ = try await Program.sca.run(["test-pattern", "--type", "\(type)", "--output", file.path])
        return try await RealDecoder.pixels(file, side: 1024)
    }

    /// Returns the patterns in a grey picture, which is written to a folder.
    static func patterns(
        inGreyOf width: Int, _ height: Int, _ folder: URL, level: (Int, Int) -> UInt8
    ) async throws -> Set<ContentType> {
        let file = folder.appendingPathComponent("picture.bmp")
        try bitmap(width: width, height: height) { column, row in
            let level = level(column, row)
            return (level, level, level)
        }.write(to: file)
        return try await patterns(in: file)
    }

    static func patterns(in file: URL) async throws -> Set<ContentType> {
        try await RealDecoder.decode(file, findsTestPatterns: true).testPatterns
    }

    @Test(
        "A test pattern with a fifth of the shorter side is found anywhere in the picture",
        arguments: [(0, 0), (1360, 1000), (700, 500)])
    func fifth(left: Int, top: Int) async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(folder)
            let picture = Self.bitmap(width: 2000, height: 1480) { column, row in
                let (x, y) = (column - left, row - top)
                guard (0..<640).contains(x), (0..<480).contains(y) else {
                    // The surroundings have contrast too, so the code is not the only contrast.
                    return (UInt8(column & 127), UInt8(row & 255), UInt8((column ^ row) & 127))
                }
                let level = pattern[(y * 640 + x) * 3]
                return (level, level, level)
            }
            let file = folder.appendingPathComponent("picture.bmp")
            try picture.write(to: file)
            #expect(try await Self.patterns(in: file) == [.sexuallyExplicit])
        }
    }

    /// How the code is laid into a picture: its share of the shorter side, its turn in degrees, its shape, and its levels.
    struct Pose: Sendable, CustomTestStringConvertible {
        var share = 0.2
        var turn = 0.0
        var shear = 0.0
        /// How many times higher than wide it is.
        var stretch = 1.0
        /// How much farther the lower edge is than the upper one, as a share of the mean distance.
        var perspective = 0.0
        var dark = 0.0
        var light = 255.0

        var testDescription: String {
            "\(share) of the side, \(turn)°, shear \(shear), stretch \(stretch), "
                + "perspective \(perspective), \(dark) on \(light)"
        }
    }

    @Test(
        "A code of a fifth of the shorter side is found in each pose, contrast and polarity, in front of texture",
        arguments: [
            Pose(), Pose(turn: 30), Pose(turn: 45), Pose(turn: 200), Pose(share: 0.3, shear: 0.3),
            Pose(dark: 255, light: 0),
            Pose(turn: 80, dark: 200, light: 60), Pose(dark: 110, light: 140), Pose(share: 0.9, turn: 10),
            Pose(share: 0.15), Pose(share: 0.3, turn: 212, perspective: -0.3), Pose(share: 0.3, stretch: 1.8),
        ])
    func poses(pose: Pose) async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(folder)
            let (width, height) = (1280, 720)
            // The code has 29 modules, and a margin of two of them here; it lies in the middle of 640 × 480 pixels.
            let scale = 297.0 / (pose.share * Double(height))
            let (sine, cosine) = (sin(pose.turn * .pi / 180), cos(pose.turn * .pi / 180))
            let file = folder.appendingPathComponent("picture.bmp")
            try Self.bitmap(width: width, height: height) { column, row in
                var sum = 0.0
                for part in 0..<16 {
                    let x = Double(column) + Double(part % 4) / 4 - Double(width) / 2
                    let y = Double(row) + Double(part / 4) / 4 - Double(height) / 2
                    let depth = 1 + pose.perspective * (y * cosine - x * sine) * scale / 297
                    let (u, v) = ((x * cosine + y * sine) * scale / depth, (y * cosine - x * sine) * scale / depth)
                    let (left, top) = ((u - pose.shear * v) * pose.stretch, v)
                    guard abs(left) < 170, abs(top) < 170 else {
                        sum += Double((column * 7 ^ row * 5) & 127) + Double(column * row / 64 & 63)
                        continue
                    }
                    let level = Double(pattern[(Int(top + 240) * 640 + Int(left + 320)) * 3])
                    sum += pose.dark + (pose.light - pose.dark) * level / 255
                }
                let level = UInt8(sum / 16)
                return (level, level, level)
            }.write(to: file)
            #expect(try await Self.patterns(in: file) == [.sexuallyExplicit])
        }
    }

    @Test("A code is found among eleven other codes, dark on light and light on dark", arguments: [false, true])
    func amongOthers(isInverted: Bool) async throws {
        try await TestFiles.withFolder { folder in
            let (wanted, other) = (
                try await Self.pattern(folder), try await Self.pattern(folder, .goreOrViolence)
            )
            let found = try await Self.patterns(inGreyOf: 1600, 1200, folder) { column, row in
                // A code and its margin have 400 × 400 pixels.
                let pattern = column / 400 == 2 && row / 400 == 1 ? wanted : other
                let level = pattern[((row % 400 + 40) * 640 + column % 400 + 120) * 3]
                return isInverted ? 255 - level : level
            }
            #expect(found == [.sexuallyExplicit, .goreOrViolence])
        }
    }

    @Test("A code is found in a picture whose darkest and lightest levels differ by five")
    func faint() async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(folder)
            let found = try await Self.patterns(inGreyOf: 640, 480, folder) { column, row in
                250 + pattern[(row * 640 + column) * 3] / 51
            }
            #expect(found == [.sexuallyExplicit])
        }
    }

    @Test("A test pattern turned by a quarter is found, and a picture without it has none")
    func turned() async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(folder)
            let found = try await Self.patterns(inGreyOf: 480, 640, folder) { column, row in
                pattern[(column * 640 + (639 - row)) * 3]
            }
            #expect(found == [.sexuallyExplicit])
            #expect(try await Self.patterns(in: TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")).isEmpty)
        }
    }

    @Test(
        "A test pattern is found in a picture much higher than wide, whose sides are reduced alike",
        .enabled(if: TestVideo.canBeMade, Comment(rawValue: TestVideo.remedy)),
        .enabled(Comment(rawValue: Requirements.childAccountReason)) { await Requirements.isNoChildAccount },
        arguments: [
            ("picture.png", ["-vf", "pad=640:32000:0:20000:gray", "-frames:v", "1"]),
            ("video.mp4", ["-vf", "scale=320:240,pad=320:8512:0:4000:gray", "-frames:v", "2", "-c:v", "libx264"]),
        ])
    func long(name: String, options: [String]) async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["SCA_TEST_MODE"] = "1"
            let pattern = folder.appendingPathComponent("pattern.png")
            _ = try await program.run(["test-pattern", "--output", pattern.path])
            let file = folder.appendingPathComponent(name)
            try await TestVideo.make(file, ["-loop", "1", "-i", pattern.path] + options)
            // The time limit is long for busy machines, because the test does not measure speed.
            let outcome = try await program.run([
                "analyze", "--policy", "simple", "--format", "jsonl", "--time-limit", "180", file.path,
            ])
            #expect(outcome.text.contains("\"verdict\":\"sensitive\""), "\(outcome.text)\(outcome.errors)")
        }
    }
}
