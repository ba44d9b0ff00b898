// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Copies of films without encoding", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct RemuxedCopyTests {
    private static func copy(
        _ file: URL, _ container: FilmContainer = .mp4, keepsSound: Bool = true,
        preset: SamplingPreset = .balanced, policy: AnalysisPolicy = .simple,
        score: @escaping @Sendable (PixelImage) throws -> Float = { _ in 0 }
    ) async throws -> RemuxedCopy {
        var request = JudgedFramesTests.request(policy: policy)
        request.options.preset = preset
        return try await AnalysisEngineTests.engine(score: score).remuxedCopy(
            request, container, keepsSound: keepsSound
        ) { .file(path: file.path) }.get()
    }

    private static func make(_ file: URL, _ arguments: [String], brightness: String = "0.1+0.02*N") async throws {
        try await TestVideo.make(file, seconds: 1, brightness: brightness, arguments)
    }

    @Test(arguments: [
        ("a.mp4", ["-c:v", "libx264", "-bf", "2"], FilmContainer.mp4),
        ("a.mp4", ["-c:v", "libx264", "-bf", "2"], .matroska),
        ("a.ts", ["-c:v", "libx264"], .mp4), ("a.mkv", ["-c:v", "libx265"], .mp4),
        ("a.webm", ["-c:v", "libvpx-vp9"], .mp4),
        ("a.webm", ["-c:v", "libvpx"], .matroska), ("a.mov", ["-c:v", "mpeg4"], .mp4),
        ("a.flv", ["-c:v", "libx264"], .matroska),
    ])
    func `A copy has exactly the frames of the film, with their times`(
        name: String, arguments: [String], container: FilmContainer
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent(name)
            try await Self.make(file, arguments + ["-metadata", "title=PRIVATE"])
            let copied = try #require(try await Self.copy(file, container).file)
            let original = try await SequenceCopyTests.frames { .file(path: file.path) }.frames
            let frames = try await SequenceCopyTests.frames { .memory(copied) }.frames
            #expect(frames.count == original.count && frames.count == 25)
            let (first, wanted) = (frames.first?.start ?? .zero, original.first?.start ?? .zero)
            for (frame, other) in zip(frames, original) {
                #expect(frame.bytes == other.bytes)
                let difference = (frame.start - first) - (other.start - wanted)
                #expect(abs(difference / .milliseconds(1)) < 2)
            }
            let text = try unsafe copied.withBytes { unsafe String(decoding: $0, as: Unicode.ASCII.self) }
            #expect(!text.contains("PRIVATE"))
            let isMatroska = unsafe copied.withBytes { unsafe $0.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) }
            #expect(isMatroska == (container == .matroska))
        }
    }

    @Test(arguments: [AnalysisPolicy.simple, .descriptive])
    func `A film with one sensitive frame has no copy, whatever the preset`(policy: AnalysisPolicy) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            // No key frame is at the sensitive one.
            try await Self.make(
                file, ["-c:v", "libx264", "-sc_threshold", "0"], brightness: "if(eq(N,7),0.9,0.2*(X/W))")
            let copy = try await Self.copy(file, preset: .fast, policy: policy) {
                AnalysisEngineTests.brightness($0) > 0.7 ? 0.95 : 0
            }
            #expect(copy.analysis.isSensitive && copy.file == nil)
        }
    }

    @Test(arguments: [
        ("a.webm", ["-c:v", "libvpx"], "end in .mkv"),
        ("a.avi", ["-c:v", "libx264", "-bf", "2"], "when its frames are shown"),
        ("turned.mp4", ["-c:v", "libx264"], "turned"),
        ("a.webm", ["-vf", "format=yuva420p", "-c:v", "libvpx-vp9"], "opacity"),
    ])
    func `A film that has to be encoded is refused with the reason and the remedy`(
        name: String, arguments: [String], words: String
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent(name)
            try await Self.make(file, arguments)
            if name == "turned.mp4" {
                let upright = folder.appendingPathComponent("upright.mp4")
                try FileManager.default.moveItem(at: file, to: upright)
                try await TestVideo.make(file, ["-i", upright.path, "-c", "copy", "-metadata:s:v:0", "rotate=90"])
            }
            let failure = try await #require(throws: AnalysisFailure.self) { _ = try await Self.copy(file) }
            #expect(failure.code == .unsupportedMedia, "\(failure.message)")
            #expect(
                failure.message.contains(words) && failure.message.lowercased().contains("leave out --remux"),
                "\(failure.message)")
        }
    }

    @Test func `A cut film and a picture have no copy without encoding`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await Self.make(file, ["-c:v", "libx264"])
            let bytes = try Data(contentsOf: file)
            try bytes.prefix(bytes.count * 2 / 3).write(to: file)
            let cut = try await #require(throws: AnalysisFailure.self) { _ = try await Self.copy(file) }
            #expect(cut.message.contains("parts of it are missing"), "\(cut.message)")
            let picture = TestFiles.fixtures.appendingPathComponent("several/animated.gif")
            let failure = try await #require(throws: AnalysisFailure.self) { _ = try await Self.copy(picture) }
            #expect(failure.code == .unsupportedMedia && failure.message.contains("no video"))
        }
    }

    @Test(arguments: [["-c:v", "libtheora", "-c:a", "libvorbis"], ["-c:v", "libvpx", "-c:a", "libvorbis"]])
    func `Tags in the headers of codecs do not come along, and the sound is the same`(codecs: [String]) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent(codecs.contains("libtheora") ? "a.ogv" : "a.webm")
            try await TestVideo.make(
                file,
                [
                    "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-metadata",
                    "title=PRIVATE",
                ]
                    + codecs + ["-metadata:s:a:0", "comment=PRIVATE"])
            let copy = folder.appendingPathComponent("a.mkv")
            let copied = try #require(try await Self.copy(file, .matroska).file)
            let bytes = unsafe copied.withBytes { unsafe Data($0) }
            #expect(bytes.range(of: Data("PRIVATE".utf8)) == nil)
            try bytes.write(to: copy)
            // Ogg cuts the sound to the sample, and other containers do not.
            var hashes: [Data] = []
            for source in [file, copy] {
                let hash = folder.appendingPathComponent("\(hashes.count).md5")
                try await TestVideo.make(hash, ["-i", source.path, "-map", "0:a", "-f", "md5"])
                hashes.append(try Data(contentsOf: hash))
            }
            if !codecs.contains("libtheora") { #expect(hashes[0] == hashes[1]) }
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A film that begins late has copies in both containers, and in Matroska its length is that of its frames`()
        async throws
    {
        try await TestFiles.withFolder { folder in
            let (film, late) = (folder.appendingPathComponent("a.mp4"), folder.appendingPathComponent("late.mkv"))
            try await Self.make(film, ["-c:v", "libx264"])
            try await TestVideo.make(late, ["-itsoffset", "2", "-i", film.path, "-c", "copy", "-copyts"])
            for container in FilmContainer.allCases {
                #expect(try await Self.copy(late, container).file != nil)
            }
        }
    }

    @Test func `Only the first track of pictures and the first track of sound come along`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(
                file,
                [
                    "-f", "lavfi", "-i", "color=c=0x202020:s=64x64:r=25:d=1", "-f", "lavfi", "-i",
                    "color=c=white:s=64x64:r=25:d=1",
                    "-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1", "-map", "2", "-map", "2", "-c:v",
                    "libx264",
                    "-c:a", "aac",
                ])
            func tracks(_ keepsSound: Bool) async throws -> Int {
                let copy = try #require(try await Self.copy(file, keepsSound: keepsSound).file)
                return try unsafe copy.withBytes { bytes in
                    unsafe String(decoding: bytes, as: Unicode.ASCII.self).components(separatedBy: "tkhd").count - 1
                }
            }
            #expect(try await tracks(true) == 2)
            #expect(try await tracks(false) == 1)
        }
    }
}
