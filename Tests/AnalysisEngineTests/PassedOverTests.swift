// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("What demuxers and decoders pass over without a word", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct PassedOverTests {
    /// A brightness over the threshold for 4 of 20 seconds, between harmless motion.
    static let hidden = "if(between(T,8,11.9),0.95,0.1+0.05*sin(N*X/9))"

    // Some files show no trace of a part that was cut out, but no player can show that part either.
    @Test(
        "Zeros in the place of the relevant pictures make a video unknown",
        arguments: Campaign.cases(["ts", "mkv", "flv"], gate: ["ts"]),
        Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func holes(container: String, preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.\(container)")
            try await TestVideo.make(file, seconds: 20, brightness: Self.hidden, TestVideo.shortGroups)
            #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
            var bytes = try Data(contentsOf: file)
            // Bright frames are small, and lie slightly behind the middle of the file.
            let range = (bytes.count * 3 / 10)..<(bytes.count * 7 / 10)
            bytes.replaceSubrange(range, with: Data(count: range.count))
            try bytes.write(to: file)
            #expect(await ScriptedAnalysis.code(file, preset: preset) == .malformedMedia)
        }
    }

    @Test(
        "Zeros in a transport stream make it unknown, whatever its counters say",
        arguments: Campaign.cases(Array(0..<16), gate: [5]))
    func counters(shift: Int) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.ts")
            try await TestVideo.make(file, seconds: 10, brightness: TestVideo.moving, TestVideo.shortGroups)
            var bytes = try Data(contentsOf: file)
            // For one of the sixteen shifts, the packet counter continues behind the hole without a jump.
            let start = bytes.count / 3 / 188 * 188
            let range = start..<(start + (bytes.count / 4 / 188 + shift) * 188)
            bytes.replaceSubrange(range, with: Data(count: range.count))
            try bytes.write(to: file)
            #expect(await ScriptedAnalysis.code(file, preset: .balanced) == .malformedMedia)
        }
    }

    @Test(
        "Fragments that are missing from an MP4 file make it unknown",
        arguments: Campaign.cases([SamplingPreset.balanced, .thorough], gate: [.balanced]))
    func fragments(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 20, brightness: Self.hidden,
                TestVideo.shortGroups + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
            #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
            let whole = try Data(contentsOf: file)
            try whole.prefix(whole.count * 2 / 5).write(to: file)
            #expect(await ScriptedAnalysis.code(file, preset: preset) == .malformedMedia)
        }
    }

    @Test
    func `An MP4 file in fragments is seen to its end, although its sound lies behind its pictures`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            let sound = folder.appendingPathComponent("a.wav")
            // Noise fills the whole bit rate of the sound.
            try await TestVideo.make(sound, ["-f", "lavfi", "-i", "anoisesrc=d=6"])
            try await TestVideo.make(
                file, seconds: 6, brightness: "0.1",
                [
                    "-i", sound.path, "-c:v", "libx264", "-c:a", "aac", "-b:a", "256k", "-ac", "2", "-movflags",
                    "frag_keyframe+empty_moov",
                ])
            #expect(await ScriptedAnalysis.code(file) == nil)
            let whole = try Data(contentsOf: file)
            // The cut is in the sound and all pictures are there, but the analysis cannot know this.
            try whole.prefix(whole.count - 2000).write(to: file)
            #expect(await ScriptedAnalysis.code(file) == .malformedMedia)
            // No program knows the content of such a box, so it may hide pictures.
            try (whole + Data([0, 0, 0x40, 0]) + Data("free".utf8) + Data(count: 0x4000 - 8)).write(to: file)
            #expect(await ScriptedAnalysis.code(file) == .malformedMedia)
        }
    }

    @Test(
        "Frames that a decoder gives later than their timestamps are found",
        arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced, .thorough]))
    func lateFrames(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let (source, file) = (folder.appendingPathComponent("a.mp4"), folder.appendingPathComponent("late.mp4"))
            // From frame 26 on, only each thirteenth frame is harmless, and its timestamp is a second later.
            try await TestVideo.make(
                source, seconds: 8, brightness: "if(gte(N,26)*mod(N,13),0.95,0.1)",
                ["-c:v", "libx264", "-bf", "0", "-g", "500", "-sc_threshold", "0"])
            let moments = "if(lt(N,24),N,if(eq(N,24),26,if(eq(N,25),39,if(mod(N,13),N,N+26))))*512"
            try await TestVideo.make(
                file,
                [
                    "-i", source.path, "-c", "copy", "-bsf:v", "setts=dts=DTS:pts='\(moments)'",
                    "-video_track_timescale", "12800",
                ])
            #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
        }
    }

    @Test(
        "Damaged image data make an animated PNG unknown",
        arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func animatedPNG(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.png")
            try await TestVideo.make(
                file, seconds: 6, brightness: "0.1+0.05*sin(X*N)", rate: "1", ["-f", "apng", "-plays", "0"])
            #expect(await ScriptedAnalysis.code(file, preset: preset) == nil)
            let whole = try Data(contentsOf: file)
            var from = whole.startIndex
            var count = 0
            while let chunk = whole.range(of: Data("fdAT".utf8), in: from..<whole.endIndex) {
                from = chunk.upperBound
                var bytes = whole
                bytes[chunk.upperBound + 40] ^= 1
                try bytes.write(to: file)
                #expect(await ScriptedAnalysis.code(file, preset: preset) == .malformedMedia)
                count += 1
            }
            #expect(count == 5)
        }
    }

    @Test("Pictures in a stream that begins in mid-file are found or unknown")
    func lateStream() async throws {
        try await TestFiles.withFolder { folder in
            func part(
                _ offset: Int, id: Int, _ brightness: String, size: String, _ options: [String] = []
            ) async throws -> Data {
                let file = folder.appendingPathComponent("part.ts")
                try await TestVideo.make(
                    file, seconds: 4, brightness: brightness, size: size,
                    options + TestVideo.shortGroups + ["-streamid", "0:\(id)", "-output_ts_offset", "\(offset)"])
                return try Data(contentsOf: file)
            }
            let file = folder.appendingPathComponent("joined.ts")
            // Grain makes the file large.
            let grain = ["-vf", "noise=alls=100:allf=t"]
            let first = try await part(0, id: 256, "0.2", size: "640x360", grain)
            let late = try await part(4, id: 300, "0.95", size: "320x180")
            let last = try await part(8, id: 256, "0.2", size: "640x360", grain)
            // Both parts are longer than the data that the demuxer reads at the ends of a file to find the streams.
            #expect(min(first.count, last.count) > 4 << 20)
            try (first + late).write(to: file)
            #expect(try await ScriptedAnalysis.analyze(file).isSensitive)
            try (first + late + last).write(to: file)
            for preset in ScriptedAnalysis.presets {
                #expect(await ScriptedAnalysis.code(file, preset: preset) == .unsupportedMedia)
            }
        }
    }

    /// Whether neighbouring pixels in the middle row differ.
    private static func hasDetail(_ view: PixelImage) -> Bool {
        let bytes = view.bytes
        let row = view.height / 2 * view.width
        return (0..<view.width - 1).contains { column in
            let start = (row + column) * PixelImage.bytesPerPixel
            return abs(Int(bytes[start]) - Int(bytes[start + PixelImage.bytesPerPixel])) > 20
        }
    }

    @Test("A difference in detail only, without a difference in brightness, is found")
    func detail() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 12, brightness: "if(between(T,6.2,6.69),0.5+0.3*sgn(mod(X,8)-3.5),0.5)", size: "512x512",
                ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-sc_threshold", "0"])
            for (preset, policy) in [
                (SamplingPreset.balanced, AnalysisPolicy.simple), (.thorough, .simple), (.fast, .descriptive),
            ] {
                let analysis = try await ScriptedAnalysis.analyze(
                    file, preset: preset, policy: policy, score: { Self.hasDetail($0) ? 0.95 : 0.1 })
                #expect(analysis.isSensitive, "\(preset) \(policy)")
            }
        }
    }

    @Test(arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func `Frames behind a false key frame are not taken for harmless`(preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 20, brightness: "if(between(T,11,14),0.95,0.1+0.05*sin(N*X/9))",
                ["-c:v", "libx264", "-preset", "ultrafast", "-g", "100", "-sc_threshold", "0"])
            var bytes = try Data(contentsOf: file)
            // The real key frames are 1, 101, 201, 301 and 401.
            try MP4Boxes.setKeyFrames([1, 131, 231, 331, 431], replacing: 5, in: &bytes)
            try bytes.write(to: file)
            do {
                #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive)
            } catch let failure as AnalysisFailure {
                #expect(failure.code == .malformedMedia)
            }
        }
    }
}
