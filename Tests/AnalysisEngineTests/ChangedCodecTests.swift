// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos that change their codec", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct ChangedCodecTests {
    private static let presets = Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced])
    private static let encoders = [
        "h264": ["-c:v", "libx264"], "hevc": ["-c:v", "libx265", "-x265-params", "log-level=none"],
        "mpeg2": ["-c:v", "mpeg2video", "-q:v", "3"], "mpeg4": ["-c:v", "mpeg4", "-q:v", "3"],
        "vp8": ["-c:v", "libvpx"], "theora": ["-c:v", "libtheora"], "flv1": ["-c:v", "flv", "-q:v", "3"],
    ]

    private static func part(
        _ folder: URL, _ codec: String, _ container: String, bright: Bool, offset: Int, _ options: [String] = []
    ) async throws -> Data {
        let file = folder.appendingPathComponent("part.\(container)")
        try await TestVideo.make(
            file, seconds: 4, brightness: bright ? "0.95" : TestVideo.moving,
            encoders[codec]! + ["-g", "25", "-output_ts_offset", "\(offset)"] + options)
        return try Data(contentsOf: file)
    }

    /// Expects that a file is sensitive or fails with each preset.
    private static func expectNoFalseVerdict(_ data: Data, _ name: String, in folder: URL) async throws {
        let file = folder.appendingPathComponent("joined.\(name)")
        try data.write(to: file)
        for preset in presets {
            do {
                #expect(try await ScriptedAnalysis.analyze(file, preset: preset).isSensitive, "\(name) \(preset)")
            } catch let failure as AnalysisFailure {
                let expected: [AnalysisFailure.Code] = [.unsupportedMedia, .ambiguousMedia, .malformedMedia]
                #expect(expected.contains(failure.code), "\(name) \(preset)")
            }
        }
    }

    @Test("An FLV file that gives its parameters again is unknown where they are others", arguments: [false, true])
    func parametersAgain(areOthers: Bool) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.flv")
            try await TestVideo.make(
                file, seconds: 4, brightness: TestVideo.moving, Self.encoders["h264"]! + ["-g", "25"])
            var tags = FLVTags(try Data(contentsOf: file))
            let first = try #require(tags.tags.firstIndex { $0.isPicture && $0.bytes[12] == 0 })
            var again = tags.tags[first]
            // The byte is the level of H.264, which changes no picture.
            if areOthers { again.bytes[19] += 1 }
            again.time = 2000
            tags.tags.insert(again, at: try #require(tags.tags.firstIndex { $0.isPicture && $0.time >= 2000 }))
            try tags.data.write(to: file)
            #expect(await ScriptedAnalysis.code(file, preset: .balanced) == (areOthers ? .unsupportedMedia : nil))
        }
    }

    private static let pairs = ["h264", "hevc", "mpeg2", "mpeg4"].flatMap { one in
        ["h264", "hevc", "mpeg2", "mpeg4"].filter { $0 != one }.map { (one, $0) }
    }

    @Test(
        "A transport stream whose tables name another codec for a while is found or unknown",
        arguments: Campaign.cases(pairs, gate: [("mpeg4", "mpeg2"), ("h264", "hevc")]))
    func transportStream(one: String, other: String) async throws {
        try await TestFiles.withFolder { folder in
            let first = try await Self.part(folder, one, "ts", bright: false, offset: 0)
            let bright = try await Self.part(folder, other, "ts", bright: true, offset: 4)
            let last = try await Self.part(folder, one, "ts", bright: false, offset: 8)
            try await Self.expectNoFalseVerdict(first + bright + last, "ts", in: folder)
            try await Self.expectNoFalseVerdict(first + bright, "ts", in: folder)
            try await Self.expectNoFalseVerdict(bright + last, "ts", in: folder)
            // The part is shorter than the data that the demuxer reads to find the streams.
            let short = try await Self.part(folder, other, "ts", bright: true, offset: 4, ["-t", "1.2"])
            try await Self.expectNoFalseVerdict(short + last, "ts", in: folder)
        }
    }

    @Test("A transport stream of one codec that is joined from several is judged")
    func sameCodec() async throws {
        try await TestFiles.withFolder { folder in
            let first = try await Self.part(folder, "mpeg2", "ts", bright: false, offset: 0)
            let last = try await Self.part(folder, "mpeg2", "ts", bright: false, offset: 4)
            let file = folder.appendingPathComponent("joined.ts")
            try (first + last).write(to: file)
            #expect(try await !ScriptedAnalysis.analyze(file).isSensitive)
        }
    }

    @Test("An FLV file whose codec changes on the way is found or unknown")
    func flash() async throws {
        try await TestFiles.withFolder { folder in
            let parts = [
                try await Self.part(folder, "h264", "flv", bright: false, offset: 0),
                try await Self.part(folder, "flv1", "flv", bright: true, offset: 0),
                try await Self.part(folder, "h264", "flv", bright: false, offset: 0),
            ]
            for count in [2, 3] {
                var joined = FLVTags(parts[0])
                joined.tags = []
                for (number, part) in parts.prefix(count).enumerated() {
                    for var tag in FLVTags(part).tags where tag.isPicture && !tag.isEnd {
                        tag.time += number * 4000
                        joined.tags.append(tag)
                    }
                }
                try await Self.expectNoFalseVerdict(joined.data, "flv", in: folder)
            }
        }
    }

    @Test("Matroska files of two codecs, one behind the other, are found or unknown")
    func matroska() async throws {
        try await TestFiles.withFolder { folder in
            for other in ["mpeg4", "vp8"] {
                let first = try await Self.part(folder, "h264", "mkv", bright: false, offset: 0)
                let last = try await Self.part(folder, other, "mkv", bright: true, offset: 4)
                try await Self.expectNoFalseVerdict(first + last, "mkv", in: folder)
            }
        }
    }

    @Test("Ogg files that are joined from two streams are found or unknown")
    func ogg() async throws {
        try await TestFiles.withFolder { folder in
            for other in ["theora", "vp8"] {
                let first = try await Self.part(folder, "theora", "ogv", bright: false, offset: 0)
                let last = try await Self.part(folder, other, "ogv", bright: true, offset: 0, ["-s", "160x90"])
                try await Self.expectNoFalseVerdict(first + last, "ogv", in: folder)
            }
        }
    }

    @Test("A transport stream with a stream of pictures that FFmpeg does not know is unknown")
    func unknownPictures() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.ts")
            try await TestVideo.make(
                file, seconds: 4, brightness: TestVideo.moving,
                ["-f", "lavfi", "-i", "sine=d=4", "-map", "0", "-map", "1", "-c:a", "mp2"] + TestVideo.shortGroups)
            var bytes = try Data(contentsOf: file)
            #expect(try await !ScriptedAnalysis.analyze(file).isSensitive)
            try TransportTables.setKind(of: 0x101, to: 0x33, in: &bytes)
            try bytes.write(to: file)
            #expect(await ScriptedAnalysis.code(file) == .unsupportedMedia)
        }
    }
}
