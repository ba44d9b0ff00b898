// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct VideoAnalysisTests {
    /// An encoder with groups of pictures of ten seconds.
    static let longGroups = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250"]

    @Test("A video with a still shot over the threshold is sensitive in every preset")
    func stillShot() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 60, brightness: "0.8", Self.longGroups)
            for preset in ScriptedAnalysis.presets {
                let analysis = try await ScriptedAnalysis.analyze(file, preset: preset)
                #expect(analysis.isSensitive && analysis.kind == .video, "\(preset)")
                #expect(analysis.firstSensitiveTime == .zero && analysis.duration == .seconds(60))
                #expect(abs(analysis.score - 0.8) < 0.02)
            }
            #expect(try await ScriptedAnalysis.analyze(file, policy: .descriptive).isSensitive)
        }
    }

    @Test("A video with two seconds over the threshold is sensitive in every preset")
    func twoSeconds() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(
                file, seconds: 60, brightness: "if(between(T,20,21.99),0.8,0.1)", Self.longGroups)
            for preset in ScriptedAnalysis.presets {
                let analysis = try await ScriptedAnalysis.analyze(file, preset: preset)
                #expect(analysis.isSensitive, "\(preset)")
                let first = try #require(analysis.firstSensitiveTime)
                #expect(first >= .seconds(20) && first <= .milliseconds(20_500))
            }
            #expect(try await ScriptedAnalysis.analyze(file, policy: .descriptive).isSensitive)
            let whole = try await ScriptedAnalysis.analyze(file, keepsTimeline: true)
            #expect(whole.spans.count == 1 && whole.points.count >= 3)
        }
    }

    @Test("A single frame makes a video sensitive over the strong threshold, and not over the ordinary one")
    func flash() async throws {
        try await TestFiles.withFolder { folder in
            for (level, isSensitive) in [(0.8, false), (0.95, true)] {
                let file = folder.appendingPathComponent("\(level).mp4")
                try await TestVideo.make(
                    file, seconds: 10, brightness: "if(eq(N,130),\(level),0)", Self.longGroups)
                let analysis = try await ScriptedAnalysis.analyze(file, preset: .thorough)
                #expect(analysis.isSensitive == isSensitive, "\(level)")
                #expect(abs(analysis.score - Float(level)) < 0.02, "The frame was looked at.")
            }
        }
    }

    @Test(
        "A frame is found again when it is looked up, in containers with an index and without",
        arguments: Campaign.cases(["mp4", "mkv", "avi", "ts", "flv"], gate: ["ts"]))
    func lookups(container: String) async throws {
        try await TestFiles.withFolder { folder in
            // The score is high for 0.96 s or 1.04 s, so only exact looks on both sides tell the lengths apart.
            for (frames, isSensitive) in [(24, false), (26, true)] {
                let file = folder.appendingPathComponent("\(frames).\(container)")
                try await TestVideo.make(
                    file, seconds: 30, brightness: "if(between(N,402,\(401 + frames)),0.8,0.1)",
                    Self.longGroups + ["-bf", "2"])
                let analysis = try await ScriptedAnalysis.analyze(file)
                #expect(analysis.isSensitive == isSensitive, "\(frames) frames")
            }
        }
    }

    private static let encoders = [
        ["-c:v", "libx264", "-g", "250", "-sc_threshold", "0"], ["-c:v", "mpeg4", "-bf", "2", "-q:v", "3"],
        ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "2M"], ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "3"],
        ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:open-gop=1:keyint=20"],
    ]

    @Test(
        "With the thorough preset, a single frame over the strong threshold is sensitive, wherever it is",
        arguments: Campaign.cases(encoders, gate: Array(encoders.suffix(1))))
    func singleFrame(encoder: [String]) async throws {
        try await TestFiles.withFolder { folder in
            for frame in [0, 1, 57, 99] {
                let file = folder.appendingPathComponent("\(frame).mkv")
                try await TestVideo.make(
                    file, seconds: 4, brightness: "if(eq(N,\(frame)),1,0.3+0.1*sin(X/20+N/3))", encoder)
                let analysis = try await ScriptedAnalysis.analyze(file, preset: .thorough) { view in
                    AnalysisEngineTests.brightness(view) > 0.85 ? 0.95 : 0.1
                }
                #expect(analysis.isSensitive, "frame \(frame)")
            }
        }
    }

    @Test("Half a second of faint content is sensitive with the presets that promise it")
    func faint() async throws {
        try await TestFiles.withFolder { folder in
            var found: [String: Int] = [:]
            let starts = [0, 40, 93, 151, 208, 237]
            for start in starts {
                let file = folder.appendingPathComponent("\(start).mp4")
                // Both halves have moving waves of the same mean; the left half gets lighter by eight of 255 levels.
                let faint = "0.03*between(N,\(start),\(start + 12))*lt(X,160)"
                try await TestVideo.make(
                    file, seconds: 10, brightness: "0.4+0.2*sin(X*PI/40+N/15)+\(faint)",
                    Self.longGroups + ["-sc_threshold", "0"])
                for (name, preset, policy) in [
                    ("fast", SamplingPreset.fast, AnalysisPolicy.simple), ("balanced", .balanced, .simple),
                    ("thorough", .thorough, .simple), ("descriptive", .balanced, .descriptive),
                ] {
                    let analysis = try await ScriptedAnalysis.analyze(file, preset: preset, policy: policy) { view in
                        Self.leftIsLighter(view) ? 0.95 : 0.1
                    }
                    found[name, default: 0] += analysis.isSensitive ? 1 : 0
                }
            }
            print("half a second that hardly shows, found of \(starts.count): \(found.sorted { $0.key < $1.key })")
            #expect(found["thorough"] == starts.count && found["descriptive"] == starts.count)
        }
    }

    static func leftIsLighter(_ view: PixelImage) -> Bool {
        let (bytes, half) = (view.bytes, view.width / 2)
        var sums = (left: 0, right: 0)
        for row in 0..<view.height {
            for column in 0..<(half * 2) {
                let level = Int(bytes[(row * view.width + column) * PixelImage.bytesPerPixel])
                if column < half { sums.left += level } else { sums.right += level }
            }
        }
        return Double(sums.left - sums.right) / Double(half * view.height) > 4
    }

    @Test("A GIF picture over the threshold that is shown for three seconds is sensitive")
    func gif() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.gif")
            try await TestVideo.make(file, seconds: 9, brightness: "if(eq(N,1),0.8,0.1)", rate: "1/3")
            for preset in ScriptedAnalysis.presets {
                let analysis = try await ScriptedAnalysis.analyze(file, preset: preset)
                #expect(analysis.isSensitive && analysis.kind == .animation, "\(preset)")
                #expect(analysis.firstSensitiveTime == .seconds(3))
            }
        }
    }

    @Test(
        "A page over the ordinary threshold is sensitive",
        arguments: Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced]))
    func page(preset: SamplingPreset) async throws {
        let fixtures = TestFiles.fixtures.appendingPathComponent("several")
        let second = try await RealDecoder.pixels(fixtures.appendingPathComponent("frame-2.png"))
        let file = fixtures.appendingPathComponent("pages.tiff")
        for (score, isSensitive) in [(Float(0.8), true), (0.6, false)] {
            let analysis = try await ScriptedAnalysis.analyze(file, preset: preset) { view in
                difference(view.bytes, second).mean < 12 ? score : 0
            }
            #expect(analysis.isSensitive == isSensitive, "\(score)")
        }
    }

    @Test(
        "A file with several pictures is judged by all of them",
        arguments: [
            "animated.gif", "animated.webp", "animated.png", "animated.jxl", "sequence.avif", "sequence.heic",
            "sequence-as-avif.avif",
            "sequence-as-heic.heic", "pages.tiff", "layers.psd", "layers-packed.psd", "layers.avif",
        ], Campaign.cases(Array(1...3), gate: [3]))
    func everyPicture(name: String, number: Int) async throws {
        let fixtures = TestFiles.fixtures.appendingPathComponent("several")
        let wanted = try await RealDecoder.pixels(fixtures.appendingPathComponent("frame-\(number).png"))
        let analysis = try await ScriptedAnalysis.analyze(fixtures.appendingPathComponent(name)) { view in
            difference(view.bytes, wanted).mean < 12 ? 0.95 : 0
        }
        #expect(analysis.isSensitive)
        let none = try await ScriptedAnalysis.analyze(fixtures.appendingPathComponent(name)) { _ in 0.1 }
        #expect(!none.isSensitive && none.framesAnalyzed >= 3)
    }

    @Test(arguments: [false, true])
    func `A Photoshop file of two levels is judged as it is and as a negative`(isNegative: Bool) async throws {
        let folder = TestFiles.fixtures.appendingPathComponent("colour/simple")
        let wanted = try await RealDecoder.pixels(folder.appendingPathComponent("expected-bilevel.png"))
            .map { isNegative ? 255 - $0 : $0 }
        let analysis = try await ScriptedAnalysis.analyze(folder.appendingPathComponent("bilevel.psd")) { view in
            difference(view.bytes, wanted).largest <= 1 ? 0.95 : 0
        }
        #expect(analysis.isSensitive)
    }

    @Test(arguments: 1...4)
    func `Frames of an animated PNG are drawn as browsers draw them, over others, brought back and cleared`(
        number: Int
    ) async throws {
        let fixtures = TestFiles.fixtures.appendingPathComponent("several")
        let wanted = try await RealDecoder.pixels(fixtures.appendingPathComponent("parts-\(number).png"))
        let analysis = try await ScriptedAnalysis.analyze(fixtures.appendingPathComponent("parts.png")) { view in
            difference(view.bytes, wanted).largest <= 2 ? 0.95 : 0
        }
        #expect(analysis.isSensitive)
    }

    @Test func `An animated JPEG XL picture lasts as long as its frames say, and is damaged if it ends early`()
        async throws
    {
        let file = TestFiles.fixtures.appendingPathComponent("several/animated.jxl")
        #expect(try await ScriptedAnalysis.analyze(file) { _ in 0 }.duration == .milliseconds(600))
        try await TestFiles.withFolder { folder in
            let cut = folder.appendingPathComponent("cut.jxl")
            try Data(contentsOf: file).dropLast(40).write(to: cut)
            #expect(await ScriptedAnalysis.code(cut) == .malformedMedia)
        }
    }
}
