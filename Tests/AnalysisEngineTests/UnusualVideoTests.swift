// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos that are unusual", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct UnusualVideoTests {

    /// Returns the frames of an IVF file.
    private static func frames(_ file: Data) -> [Data] {
        var frames: [Data] = []
        var position = 32
        while position + 12 <= file.count {
            let size = (0..<4).reduce(0) { $0 | Int(file[position + $1]) << ($1 * 8) }
            frames.append(Data(file[(position + 12)..<(position + 12 + size)]))
            position += 12 + size
        }
        return frames
    }

    private static func littleEndian(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(value >> ($0 * 8) & 255) })
    }

    @Test(arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func `A video with two pictures in one packet is judged by both`(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            let options = ["-c:v", "libvpx-vp9", "-g", "1", "-deadline", "realtime", "-cpu-used", "8"]
            try await TestVideo.make(file("dark.ivf"), seconds: 2, brightness: TestVideo.moving, options)
            try await TestVideo.make(file("bright.ivf"), seconds: 2, brightness: "0.95", options)
            let dark = try Data(contentsOf: file("dark.ivf"))
            var joined = Data(dark.prefix(32))
            let pairs = zip(Self.frames(dark), Self.frames(try Data(contentsOf: file("bright.ivf"))))
            for (number, (one, other)) in pairs.enumerated() {
                // Source: VP9 bitstream specification, annex B: an index of sizes of four bytes behind the frames.
                let marker = Data([0xC0 | 3 << 3 | 1])
                let index = marker + Self.littleEndian(one.count, 4) + Self.littleEndian(other.count, 4) + marker
                let packet = one + other + index
                joined += Self.littleEndian(packet.count, 4) + Self.littleEndian(number, 8) + packet
            }
            try joined.write(to: file("joined.ivf"))
            try await TestVideo.make(file("a.webm"), ["-i", file("joined.ivf").path, "-c", "copy"])
            #expect(try await ScriptedAnalysis.analyze(file("a.webm"), preset: preset).isSensitive)
        }
    }

    @Test(
        "A video whose decoder gets new parameters on the way is judged by all frames behind them",
        arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func newParameters(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            let options = ["-c:v", "libx264", "-profile:v", "high", "-g", "50", "-bf", "0"]
            try await TestVideo.make(file("1.flv"), seconds: 4, brightness: TestVideo.moving, options)
            let changed = ["-x264-params", "cqm=jvt:cabac=0:scenecut=0"]
            // Each group of pictures is tried, because several decoders share the groups.
            for group in 0..<4 {
                let bright = "if(between(T,\(group * 2),\(group * 2 + 1).99),0.95,\(TestVideo.moving))"
                try await TestVideo.make(file("2.flv"), seconds: 8, brightness: bright, options + changed)
                var joined = FLVTags(try Data(contentsOf: file("1.flv")))
                joined.tags = joined.tags.filter { $0.isPicture && !$0.isEnd }
                for var tag in FLVTags(try Data(contentsOf: file("2.flv"))).tags where tag.isPicture && !tag.isEnd {
                    tag.time += 4000
                    joined.tags.append(tag)
                }
                try joined.data.write(to: file("joined.flv"))
                #expect(try await ScriptedAnalysis.analyze(file("joined.flv"), preset: preset).isSensitive, "\(group)")
            }
        }
    }

    @Test(arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func `A video with false key frames, at which lookups would begin, is judged by whole pictures`(
        preset: SamplingPreset
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 20, brightness: "0.8",
                ["-c:v", "mpeg4", "-q:v", "5", "-g", "125", "-sc_threshold", "1000000000"])
            var bytes = try Data(contentsOf: file)
            // The real key frames are 1, 126, 251 and 376; a false key frame follows each of them.
            try MP4Boxes.setKeyFrames([1, 5, 126, 130, 251, 255, 376, 380], replacing: 4, in: &bytes)
            try bytes.write(to: file)
            #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
        }
    }

    @Test(
        "A video with a short or small overwritten part is unknown",
        .enabled(if: Campaign.isRunning, Comment(rawValue: Campaign.remedy)), arguments: ScriptedAnalysis.presets)
    func smallHole(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.flv")
            try await TestVideo.make(
                file, seconds: 20, brightness: "if(between(T,9,11.99),0.95,0.1)", TestVideo.shortGroups)
            #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
            var tags = FLVTags(try Data(contentsOf: file))
            var count = 0
            for index in tags.tags.indices where (8960..<12040).contains(tags.tags[index].time) {
                count += tags.tags[index].bytes.count
                tags.tags[index].bytes = Data(count: tags.tags[index].bytes.count)
            }
            #expect((1 << 10..<16 << 10).contains(count))
            try tags.data.write(to: file)
            let code = await ScriptedAnalysis.code(file, preset: preset)
            #expect(code == .malformedMedia)
        }
    }

    @Test(
        "Ordinary videos are not unknown", arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func ordinary(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            // Slides with reordered frames, packets that show nothing, and joined recordings.
            try await TestVideo.make(
                file("few.mp4"), seconds: 200, brightness: TestVideo.moving, rate: "1/5",
                ["-c:v", "libx264", "-bf", "3"])
            let alternate = ["-c:v", "libvpx", "-b:v", "200k", "-auto-alt-ref", "1", "-lag-in-frames", "16"]
            let log = ["-passlogfile", file("log").path]
            for pass in ["1", "2"] {
                try await TestVideo.make(
                    file("invisible.webm"), seconds: 8, brightness: TestVideo.moving, alternate + log + ["-pass", pass])
            }
            try await TestVideo.make(file("1.ts"), seconds: 5, brightness: TestVideo.moving, TestVideo.shortGroups)
            try await TestVideo.make(
                file("2.ts"), seconds: 5, brightness: TestVideo.moving,
                TestVideo.shortGroups + ["-output_ts_offset", "100"])
            let joined = try (Data(contentsOf: file("1.ts")), Data(contentsOf: file("2.ts")))
            try (joined.0 + joined.1).write(to: file("forward.ts"))
            try (joined.1 + joined.0).write(to: file("back.ts"))
            for name in ["few.mp4", "invisible.webm", "forward.ts", "back.ts"] {
                do {
                    #expect(try await !ScriptedAnalysis.analyze(file(name), preset: preset).isSensitive)
                } catch {
                    Issue.record(error, "\(name)")
                }
            }
        }
    }

    @Test func `A look in a transport stream takes no more decoding than a look in another container`() async throws {
        try await TestFiles.withFolder { folder in
            var decoded: [String: Int] = [:]
            for container in ["ts", "mkv"] {
                let file = folder.appendingPathComponent("a.\(container)")
                try await TestVideo.make(
                    file, seconds: 60, brightness: "if(between(mod(T,5),2.5,2.89),0.8,\(TestVideo.moving))",
                    ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50"])
                let analysis = try await ScriptedAnalysis.analyze(file)
                #expect(!analysis.isSensitive)
                decoded[container] = analysis.framesDecoded
            }
            // A look steps back at most four times, and not to the start of the file.
            #expect(try #require(decoded["ts"]) <= 5 * #require(decoded["mkv"]), "\(decoded)")
        }
    }
}
