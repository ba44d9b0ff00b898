// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Photographs with a video in their file", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct MotionPhotoTests {
    private static let jpeg = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")
    private static let heic = TestFiles.fixtures.appendingPathComponent("plain/plain.heic")

    private static func video(_ brightness: String, in folder: URL) async throws -> Data {
        let file = folder.appendingPathComponent("video.mp4")
        try await TestVideo.make(
            file, seconds: 1, brightness: brightness, size: "64x64", rate: "5", TestVideo.shortGroups)
        return try Data(contentsOf: file)
    }

    private static func box(_ name: String, _ content: Data) -> Data {
        let size = withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Data($0) }
        return size + Data(name.utf8) + content
    }

    /// Returns a photograph with an appended video, in the layout of one maker of phones.
    private static func photograph(_ kind: String, with video: Data) throws -> Data {
        switch kind {
        case "jpg": try Data(contentsOf: jpeg) + video
        case "samsung.jpg":
            try Data(contentsOf: jpeg) + Data("MotionPhoto_Data".utf8) + video + Data("SEFHabcdSEFT".utf8)
        default: try Data(contentsOf: heic) + box("mpvd", video)
        }
    }

    @Test(
        "A photograph with a video is judged by all pictures of the video as well",
        arguments: ["jpg", "samsung.jpg", "heic"])
    func judged(kind: String) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("photograph.\(kind)")
            for (brightness, isSensitive) in [("0.95", true), (TestVideo.moving, false)] {
                try Self.photograph(kind, with: try await Self.video(brightness, in: folder)).write(to: file)
                let analysis = try await ScriptedAnalysis.analyze(file)
                #expect(analysis.isSensitive == isSensitive)
                #expect(analysis.kind == .video)
            }
        }
    }

    @Test("A photograph is unknown if programs may play different videos of its file")
    func ambiguous() async throws {
        try await TestFiles.withFolder { folder in
            let video = try await Self.video(TestVideo.moving, in: folder)
            let movie = video.dropFirst(Int(video[3]))
            let (jpeg, heic) = (try Data(contentsOf: Self.jpeg), try Data(contentsOf: Self.heic))
            let (box, hidden) = (Self.box("mpvd", video), Self.box("free", Data(movie)))
            let files: [(String, [Data])] = [
                ("two.jpg", [jpeg, video, video]), ("inside.jpg", [jpeg, video, hidden]),
                ("headless.jpg", [jpeg, movie]), ("two.heic", [heic, box, box]), ("beside.heic", [heic, box, movie]),
                ("cut.heic", [heic, box.dropLast(9)]),
            ]
            for (name, parts) in files {
                let file = folder.appendingPathComponent(name)
                try Data(parts.joined()).write(to: file)
                #expect(await ScriptedAnalysis.code(file) == .ambiguousMedia, "\(name)")
            }
        }
    }

    @Test("A photograph with more boxes than are read is unknown, for a video may follow them")
    func manyBoxes() async throws {
        try await TestFiles.withFolder { folder in
            let video = try await Self.video(TestVideo.moving, in: folder)
            let boxes = Data((0..<20_001).map { _ in Self.box("free", Data()) }.joined())
            let file = folder.appendingPathComponent("photograph.heic")
            try (try Data(contentsOf: Self.heic) + Self.box("mpvd", video) + boxes).write(to: file)
            #expect(await ScriptedAnalysis.code(file) == .limitExceeded)
        }
    }

    @Test("An empty box for a video leaves a photograph a picture")
    func emptyBox() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("photograph.heic")
            try (try Data(contentsOf: Self.heic) + Self.box("mpvd", Data())).write(to: file)
            #expect(try await ScriptedAnalysis.analyze(file).kind == .image)
        }
    }

    @Test("A photograph is unknown if its video cannot be played")
    func broken() async throws {
        try await TestFiles.withFolder { folder in
            let video = try await Self.video(TestVideo.moving, in: folder)
            let file = folder.appendingPathComponent("photograph.jpg")
            try (try Data(contentsOf: Self.jpeg) + video.prefix(200)).write(to: file)
            #expect(await ScriptedAnalysis.code(file) == .malformedMedia)
        }
    }

    @Test("A photograph is judged by a picture behind its video as well")
    func pictureBehind() async throws {
        try await TestFiles.withFolder { folder in
            let video = try await Self.video(TestVideo.moving, in: folder)
            let bright = folder.appendingPathComponent("bright.jpg")
            try await TestVideo.make(
                bright, ["-f", "lavfi", "-i", "color=white:s=64x64", "-frames:v", "1", "-update", "1"])
            let file = folder.appendingPathComponent("photograph.jpg")
            try (try Data(contentsOf: Self.jpeg) + video + (try Data(contentsOf: bright))).write(to: file)
            #expect(try await ScriptedAnalysis.analyze(file).isSensitive)
        }
    }
}
