// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("MP4 files that contradict themselves", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct ContradictoryMovieTests {
    private static let presets = Campaign.cases(ScriptedAnalysis.presets, gate: [.balanced])

    /// Analyses a file of a harmless and a bright track that a closure changed; returns the outcome with each preset.
    private static func judge(
        bright: [String] = ["-c:v", "libx264"], name: String = "changed.mp4", _ change: (inout MP4Tree) throws -> Void
    ) async throws -> [AnalysisFailure.Code?] {
        try await TestFiles.withFolder { folder in
            func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
            try await TestVideo.make(
                file("dark.mp4"), seconds: 4, brightness: TestVideo.moving, ["-c:v", "libx264", "-g", "25"])
            try await TestVideo.make(file("bright.mp4"), seconds: 4, brightness: "0.95", bright)
            try await TestVideo.make(
                file("both.mp4"),
                [
                    "-i", file("dark.mp4").path, "-i", file("bright.mp4").path, "-map", "0:v", "-map", "1:v", "-c",
                    "copy",
                ])
            var tree = MP4Tree(try Data(contentsOf: file("both.mp4")))
            #expect(tree.data == (try Data(contentsOf: file("both.mp4"))))
            try change(&tree)
            try tree.data.write(to: file(name))
            var codes: [AnalysisFailure.Code?] = []
            for preset in presets {
                do {
                    let analysis = try await ScriptedAnalysis.analyze(file(name), preset: preset)
                    #expect(analysis.isSensitive, "\(preset)")
                    codes.append(nil)
                } catch let failure as AnalysisFailure {
                    codes.append(failure.code)
                }
            }
            return codes
        }
    }

    /// Marks the second track as sound everywhere except in its sample descriptions.
    private static func callSound(_ tree: inout MP4Tree) {
        tree.tracks[1]["mdia"]["hdlr"] = MP4Tree.handler("soun")
        tree.tracks[1]["mdia"]["minf"]["vmhd"] = MP4Tree.Box("smhd", Data(count: 8))
    }

    @Test("A track of pictures is seen where a second handler names it one, at any depth and in any order")
    func handlers() async throws {
        let pictures = MP4Tree.handler("vide")
        let codes = try await Self.judge {
            Self.callSound(&$0)
            $0.tracks[1]["mdia"]["minf"].children.insert(pictures, at: 1)
        }
        #expect(codes.allSatisfy { $0 == nil || $0 == .ambiguousMedia })
        for (place, isFirst) in [("mdia", true), ("mdia", false), ("trak", true), ("trak", false), ("udta", false)] {
            let codes = try await Self.judge {
                Self.callSound(&$0)
                switch place {
                case "mdia":
                    let position = isFirst ? 0 : $0.tracks[1]["mdia"].children.count
                    $0.tracks[1]["mdia"].children.insert(pictures, at: position)
                case "trak": $0.tracks[1].children.insert(pictures, at: isFirst ? 0 : $0.tracks[1].children.count)
                default: $0.tracks[1].children.append(MP4Tree.Box("udta", Data(), [pictures]))
                }
            }
            #expect(
                codes.allSatisfy { $0 == nil || $0 == .ambiguousMedia || $0 == .unsupportedMedia },
                "\(place) \(isFirst)")
        }
    }

    @Test func `A track whose samples are described as pictures is not passed over as sound`() async throws {
        #expect(try await Self.judge { Self.callSound(&$0) }.allSatisfy { $0 == .ambiguousMedia })
        // FFmpeg obeys the last handler of a track, and other programs obey the handler of the media box.
        let codes = try await Self.judge {
            $0.tracks[1].children.append(MP4Tree.Box("udta", Data(), [MP4Tree.handler("soun")]))
        }
        #expect(codes.allSatisfy { $0 == nil || $0 == .ambiguousMedia })
    }

    @Test("A file with a second movie, before or behind the first, is not judged by one of them")
    func severalMovies() async throws {
        // FFmpeg finds a movie in `udta` before the first movie; no program looks for one in `udta` behind it.
        for (name, isFirst) in [("moov", true), ("moov", false), ("hoov", true), ("hoov", false), ("udta", true)] {
            let codes = try await Self.judge {
                var bright = $0.movie
                bright.children.remove(at: bright.children.firstIndex { $0.name == "trak" }!)
                $0.tracks.removeLast()
                if name == "udta" { bright = MP4Tree.Box("udta", Data(), [bright]) }
                bright.name = name
                let place = $0.boxes.firstIndex { $0.name == "moov" }!
                $0.boxes.insert(bright, at: isFirst ? place : place + 1)
            }
            #expect(codes.allSatisfy { $0 == nil || $0 == .ambiguousMedia }, "\(name) \(isFirst)")
        }
    }

    @Test("Samples that have a description of another codec are not left out without a word")
    func descriptions() async throws {
        for isFragmented in [false, true] {
            let codes = try await Self.judge(bright: ["-c:v", "mpeg4", "-q:v", "3"]) { tree in
                // The dark track gets the bright description as its second, and then the bright samples.
                let bright = tree.tracks[1]["mdia"]["minf"]["stbl"]
                tree.tracks.removeLast()
                tree.tracks[0]["mdia"]["minf"]["stbl"]["stsd"].content = Data([0, 0, 0, 0, 0, 0, 0, 2])
                tree.tracks[0]["mdia"]["minf"]["stbl"]["stsd"].children += bright["stsd"].children
                if isFragmented { tree.movie.children.append(MP4Tree.Box("mvex")) }
            }
            #expect(codes.allSatisfy { $0 == .unsupportedMedia }, "\(isFragmented)")
        }
    }

    @Test("A video that another track names as its chapters is judged by all of its pictures")
    func chapters() async throws {
        let codes = try await Self.judge(bright: ["-c:v", "libx264", "-vf", "fade=in:0:50"]) {
            let number = MP4Tree.Box("chap", Data([0, 0, 0, 2]))
            $0.tracks[0].children.append(MP4Tree.Box("tref", Data(), [number]))
        }
        #expect(codes.allSatisfy { $0 == nil })
    }

    @Test("64 tracks are judged, and a file with more is refused by their number")
    func counts() async throws {
        for (count, code) in [(62, nil), (63, AnalysisFailure.Code.limitExceeded), (200, .limitExceeded)] {
            let codes = try await Self.judge {
                var text = $0.tracks[0]
                text["mdia"]["hdlr"] = MP4Tree.handler("meta")
                text["mdia"]["minf"]["stbl"]["stsd"] = MP4Tree.Box(
                    "stsd", Data([0, 0, 0, 0, 0, 0, 0, 1]), [MP4Tree.Box("mett", Data(count: 20))])
                $0.tracks += Array(repeating: text, count: count)
            }
            #expect(codes.allSatisfy { $0 == code }, "\(count): \(codes)")
        }
    }
}
