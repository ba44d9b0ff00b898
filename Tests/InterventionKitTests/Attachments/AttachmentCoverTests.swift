// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("The cover of an attachment")
struct AttachmentCoverTests {
    private static func attachment(_ words: String, in folder: URL, _ script: ScriptedAnalysis) throws
        -> MediaAttachment
    {
        let file = folder.appendingPathComponent(UUID().uuidString)
        try Data(words.utf8).write(to: file)
        return MediaAttachment(kind: .image, source: .local(file), checker: AttachmentChecker(script.analysis))
    }

    @Test("A cover shows as much as the flow allows, and uncovered media have no cover")
    func degrees() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("gore", in: folder, script)
            _ = try await attachment.coverSamples()
            #expect(try await attachment.isSensitive)
            for action in [InterventionAction.show, .showMore] {
                _ = attachment.choose(action, in: attachment.flow)
                _ = try await attachment.coverSamples()
            }
            _ = attachment.choose(.showMore, in: attachment.flow)
            #expect(try await attachment.coverSamples() == nil)
            #expect(script.covers == [.full, .coarse, .fine])
        }
    }

    @Test("A cover shows no more than the flow allows when it is ready")
    func tightened() async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis()
            let attachment = try Self.attachment("gore", in: folder, script)
            #expect(try await attachment.isSensitive)
            _ = attachment.choose(.show, in: attachment.flow)
            script.duringCover { script.set(.descriptiveInterventions) }
            _ = try await attachment.coverSamples()
            #expect(script.covers == [.coarse, .full])
        }
    }

    @Test("A cover of remote media is made from a file that is downloaded once")
    func remote() async throws {
        try await TestFiles.withFolder { folder in
            let media = try RemoteMedia { _ in
                let file = folder.appendingPathComponent("a.png")
                try Data("nudity".utf8).write(to: file)
                return file
            }
            for _ in 0..<2 { #expect(try await media.attachment.coverSamples() != nil) }
            #expect(try await media.attachment.isSensitive)
            #expect(media.downloadCount == 1)
        }
    }
}

// The cover needs no model.
@Suite("The cover of a file", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct FileCoverTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    private static let analyzer = SCSensitivityAnalyzer(configuration: .patient)

    private static func samples(
        _ file: URL, _ cover: InterventionPresentation.Cover = .full
    ) async throws -> CoverSamples {
        try await CoverSamples(ofFileAt: file, cover: cover, analyzer: analyzer)
    }

    /// Makes a picture or a video with a red left half and a blue right half.
    private static func make(_ file: URL, _ options: [String], seconds: Int = 1) async throws {
        try await TestVideo.make(
            file,
            [
                "-f", "lavfi", "-i", "color=red:s=320x320:d=\(seconds)", "-f", "lavfi", "-i",
                "color=blue:s=320x320:d=\(seconds)", "-filter_complex", "hstack",
            ] + options)
    }

    @Test(
        "The cover of a file is made from its first picture, whatever its kind and name are",
        arguments: [
            ("a.png", ["-frames:v", "1"]), ("a.jpg", ["-frames:v", "1"]), ("a.gif", []),
            ("a.mp4", ["-c:v", "libx264"]),
            ("video.jpg", ["-c:v", "libx264", "-f", "mp4"]),
            ("picture.mp4", ["-frames:v", "1", "-c:v", "png", "-f", "image2"]),
        ])
    func kinds(name: String, options: [String]) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent(name)
            try await Self.make(file, options)
            let sizes: [(InterventionPresentation.Cover, Int)] = [(.full, 9), (.coarse, 28), (.fine, 72)]
            for (cover, width) in sizes {
                let samples = try await Self.samples(file, cover)
                #expect(
                    samples.width == width && samples.height == width / 2,
                    "\(cover): \(samples.width) × \(samples.height)")
                func color(_ column: Int) -> [UInt8] { Array(samples.colors[column * 3..<column * 3 + 3]) }
                let (left, right) = (color(0), color(width - 1))
                #expect(left[0] > 200 && left[1] < 40 && left[2] < 40, "\(left)")
                #expect(right[0] < 40 && right[1] < 40 && right[2] > 200, "\(right)")
            }
        }
    }

    @Test("A cover is refused if there is no picture, nothing to cover, or no protection is enabled")
    func refused() async throws {
        let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")
        func code(
            _ file: URL, _ cover: InterventionPresentation.Cover = .full,
            _ analyzer: SCSensitivityAnalyzer = Self.analyzer
        ) async -> SensitivityAnalysisError.Code? {
            let error = await #expect(throws: SensitivityAnalysisError.self) {
                try await CoverSamples(ofFileAt: file, cover: cover, analyzer: analyzer)
            }
            return error?.code
        }
        #expect(await code(TestFiles.fixtures.appendingPathComponent("README.md")) == .unsupportedMedia)
        #expect(await code(URL(fileURLWithPath: TestFiles.missing)) == .inputUnreadable)
        #expect(await code(picture, .none) == .invalidArgument)
        let disabled = SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .disabled))
        #expect(await code(picture, .full, disabled) == .analysisDisabled)
        let remote = try #require(URL(string: "https://example.org/a.png"))
        #expect(await code(remote) == .invalidArgument)
    }
}
