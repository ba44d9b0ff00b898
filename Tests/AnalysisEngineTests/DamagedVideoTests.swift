// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos that are not what they should be", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct DamagedVideoTests {

    @Test("Each kind of wrong video has its own error code")
    func codes() async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            try await TestVideo.make(file("sound.mp4"), ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
            try await TestVideo.make(
                file("nothing.mp4"),
                [
                    "-f", "lavfi", "-i", "color=black:d=1", "-frames:v", "0", "-c:v", "libx264", "-movflags",
                    "empty_moov",
                ])
            try await TestVideo.make(file("good.mp4"), seconds: 20, brightness: "0.1", TestVideo.shortGroups)
            try await TestVideo.make(
                file("good.mkv"), seconds: 20, brightness: "0.1+0.02*sin(N)", TestVideo.shortGroups)
            let good = try Data(contentsOf: file("good.mp4"))
            try good.prefix(good.count / 2).write(to: file("no-index.mp4"))
            try good.prefix(40).write(to: file("header.mp4"))
            let mkv = try Data(contentsOf: file("good.mkv"))
            try mkv.prefix(mkv.count / 2).write(to: file("half.mkv"))
            try Data("#EXTM3U\n#EXTINF:1,\ngood.mp4\n".utf8).write(to: file("list.m3u8"))
            try Data("ffconcat version 1.0\nfile good.mp4\n".utf8).write(to: file("list.ffconcat"))
            let codes: [(String, AnalysisFailure.Code?)] = [
                ("sound.mp4", .unsupportedMedia), ("nothing.mp4", .malformedMedia), ("no-index.mp4", .malformedMedia),
                ("header.mp4", .malformedMedia), ("half.mkv", .malformedMedia), ("list.m3u8", .unsupportedMedia),
                ("list.ffconcat", .unsupportedMedia), ("good.mp4", nil),
            ]
            for (name, code) in codes {
                #expect(await ScriptedAnalysis.code(file(name)) == code, "\(name)")
            }
            for limits in [
                AnalysisLimits { $0.maximumDuration = .seconds(5) }, AnalysisLimits { $0.maximumFrameCount = 3 },
                AnalysisLimits { $0.maximumVideoByteCount = 1000 }, AnalysisLimits { $0.maximumEdge = 300 },
            ] {
                #expect(
                    await ScriptedAnalysis.code(file("good.mkv"), limits: limits)
                        == .limitExceeded)
            }
        }
    }

    @Test(arguments: [0.0001, 1, 1.99])
    func `A video is too long if a group of frames goes beyond the limit`(seconds: Double) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("one-group.mp4")
            try await TestVideo.make(file, seconds: 3, brightness: TestVideo.moving, ["-c:v", "libx264", "-g", "250"])
            let limits = AnalysisLimits { $0.maximumDuration = .seconds(seconds) }
            for preset in ScriptedAnalysis.presets {
                #expect(await ScriptedAnalysis.code(file, preset: preset, limits: limits) == .limitExceeded)
            }
        }
    }

    @Test func `A video is not held to the limit for pictures, whatever its name is`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("no-extension")
            try await TestVideo.make(file, seconds: 5, brightness: "0.1", TestVideo.shortGroups + ["-f", "matroska"])
            #expect(
                try await !ScriptedAnalysis.analyze(file, limits: AnalysisLimits { $0.maximumByteCount = 1000 })
                    .isSensitive)
        }
    }

    @Test func `A video is not held to the time for animations, which have a limit of their own`() async throws {
        let limits = AnalysisLimits { $0.maximumPicturesDecodingTime = .microseconds(1) }
        for name in ["animated.gif", "animated.png", "pages.tiff"] {
            let file = TestFiles.fixtures.appendingPathComponent("several/\(name)")
            #expect(await ScriptedAnalysis.code(file, limits: limits) == .timedOut, "\(name)")
        }
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(file, seconds: 2, brightness: "0.1", TestVideo.shortGroups)
            #expect(await ScriptedAnalysis.code(file, limits: limits) == nil)
        }
    }

    @Test func `A truncated video is sensitive if content is found before the cut`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(
                file, seconds: 20, brightness: "if(lt(T,3),0.95,0.1+0.02*sin(N))", TestVideo.shortGroups)
            let whole = try Data(contentsOf: file)
            try whole.prefix(whole.count / 2).write(to: file)
            #expect(try await ScriptedAnalysis.analyze(file).isSensitive)
            #expect(try await ScriptedAnalysis.analyze(file, keepsTimeline: true).isSensitive)
            let limits = AnalysisLimits { $0.maximumDuration = .seconds(4) }
            #expect(try await ScriptedAnalysis.analyze(file, limits: limits, keepsTimeline: true).isSensitive)
        }
    }

    @Test(
        "A video with a damaged stretch is unknown",
        arguments: Campaign.cases([SamplingPreset.balanced, .thorough], gate: [.balanced]))
    func damage(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 20, brightness: TestVideo.moving, TestVideo.shortGroups)
            var bytes = try Data(contentsOf: file)
            // A fifth of the file, in the middle, is overwritten.
            let range = (bytes.count * 2 / 5)..<(bytes.count * 3 / 5)
            bytes.replaceSubrange(range, with: Data(repeating: 0x5A, count: range.count))
            try bytes.write(to: file)
            #expect(
                await ScriptedAnalysis.code(file, preset: preset)
                    == .malformedMedia)
        }
    }

    @Test(
        "A video is unknown as soon as more than half a second cannot be decoded",
        arguments: [(12, nil), (13, .malformedMedia)] as [(Int, AnalysisFailure.Code?)])
    func bound(count: Int, code: AnalysisFailure.Code?) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.flv")
            try await TestVideo.make(
                file, seconds: 4, brightness: TestVideo.moving,
                ["-c:v", "libx264", "-preset", "ultrafast", "-g", "1"])
            var tags = FLVTags(try Data(contentsOf: file))
            let start = try #require(tags.tags.firstIndex { $0.isPicture && $0.time >= 1000 })
            // The headers stay, so the demuxer notices no damage.
            let (head, tail) = (16, 4)
            for index in start..<(start + count) {
                let range = head..<(tags.tags[index].bytes.count - tail)
                tags.tags[index].bytes.replaceSubrange(range, with: Data(count: range.count))
            }
            try tags.data.write(to: file)
            #expect(await ScriptedAnalysis.code(file, preset: .thorough) == code)
        }
    }

    @Test("A video may change its size in mid-stream, and needs no regular or positive times")
    func oddities() async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            try await TestVideo.make(file("1.ts"), seconds: 4, brightness: "0.1", TestVideo.shortGroups)
            try await TestVideo.make(
                file("2.ts"), seconds: 4, brightness: "0.95", size: "640x480", TestVideo.shortGroups)
            let joined = try Data(contentsOf: file("1.ts")) + Data(contentsOf: file("2.ts"))
            try joined.write(to: file("joined.ts"))
            let analysis = try await ScriptedAnalysis.analyze(file("joined.ts"))
            #expect(analysis.isSensitive)
            #expect(try #require(analysis.firstSensitiveTime) >= .milliseconds(3900))

            // The clock of a transport stream starts again after 95443.7 seconds.
            try await TestVideo.make(
                file("wrap.ts"), seconds: 10, brightness: "if(between(T,6,8),0.8,0.1)",
                TestVideo.shortGroups + ["-output_ts_offset", "95440"])
            let wrapped = try await ScriptedAnalysis.analyze(file("wrap.ts"))
            #expect(wrapped.isSensitive)
            let first = try #require(wrapped.firstSensitiveTime)
            #expect(first >= .milliseconds(5900) && first <= .milliseconds(6600), "\(first)")

            try await TestVideo.make(
                file("variable.mp4"), seconds: 20, brightness: "if(between(T,12,14),0.8,0.1)",
                TestVideo.shortGroups + ["-vf", "select='not(mod(floor(n/7),2))'", "-vsync", "vfr"])
            #expect(try await ScriptedAnalysis.analyze(file("variable.mp4")).isSensitive)

            try await TestVideo.make(
                file("negative.mkv"), seconds: 10, brightness: "if(between(T,4,6),0.8,0.1)",
                TestVideo.shortGroups + ["-output_ts_offset", "-3", "-avoid_negative_ts", "disabled"])
            #expect(try await ScriptedAnalysis.analyze(file("negative.mkv")).isSensitive)
        }
    }
}
