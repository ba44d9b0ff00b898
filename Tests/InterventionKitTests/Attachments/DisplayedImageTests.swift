// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("Judged pixels in the place of a file", .timeLimit(.minutes(1)))
struct DisplayedImageTests {
    /// Returns a word for the content that is given out.
    private static func displayed(_ attachment: MediaAttachment, size: Int? = nil) async throws -> String {
        switch try await attachment.displayedImage(maximumPixelSize: size) {
        case .content(let image): "image of \(image.width)"
        case .cover(let samples): samples == nil ? "plain cover" : "cover"
        case .file(let file): try "file of \(file.readToEnd()?.count ?? 0)"
        }
    }

    private static func expect(
        _ attachment: MediaAttachment, size: Int? = nil, _ word: String, location: SourceLocation = #_sourceLocation
    ) async throws {
        let seen = try await displayed(attachment, size: size)
        #expect(seen == word, sourceLocation: location)
    }

    private static func withAttachment(
        _ words: String, policy: SCSensitivityAnalysisPolicy = .simpleInterventions,
        display: AttachmentChecker.Display = .judgedPixels,
        _ body: (MediaAttachment, ScriptedAnalysis) async throws -> Void
    ) async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: policy)
            let checker = AttachmentChecker(script.analysis, display: display)
            try await body(try MediaAttachmentTests.attachment(words, in: folder, checker), script)
        }
    }

    @Test func `A harmless image is covered until it was checked, and then its judged pixels are given out`()
        async throws
    {
        try await Self.withAttachment("harmless") { attachment, _ in
            try await Self.expect(attachment, "cover")
            #expect(try await !attachment.isSensitive)
            try await Self.expect(attachment, "image of 8")
            try await Self.expect(attachment, size: 3, "image of 3")
        }
    }

    @Test func `A sensitive image is covered until the person chooses to see it`() async throws {
        try await Self.withAttachment("nudity") { attachment, _ in
            #expect(try await attachment.isSensitive)
            try await Self.expect(attachment, "cover")
            _ = attachment.choose(.show, in: attachment.flow)
            try await Self.expect(attachment, "image of 8")
        }
    }

    @Test func `Pixels that are sensitive although the file was not cover the attachment`() async throws {
        try await Self.withAttachment("harmless") { attachment, script in
            #expect(try await !attachment.isSensitive)
            script.set(pixels: .sensitive([.sexuallyExplicit]))
            try await Self.expect(attachment, "cover")
            #expect(!attachment.flow.presentation.isUncovered && attachment.flow.verdict != .notSensitive)
            // The person decides about these pixels as about any others.
            _ = attachment.choose(.show, in: attachment.flow)
            try await Self.expect(attachment, "image of 8")
        }
    }

    @Test func `Pixels are not given out if the file is replaced while they are decoded`() async throws {
        try await Self.withAttachment("harmless") { attachment, script in
            #expect(try await !attachment.isSensitive)
            let file = try #require(attachment.localFile)
            script.duringDecoding { try? Data("nudity".utf8).write(to: file) }
            try await Self.expect(attachment, "cover")
            #expect(try await attachment.isSensitive)
        }
    }

    @Test func `A file whose pixels were judged is not handed out, and a file that was judged is`() async throws {
        try await Self.withAttachment("harmless") { attachment, _ in
            let isSensitive = try await attachment.isSensitive
            #expect(!isSensitive)
            let error = #expect(throws: SensitivityAnalysisError.self) { try attachment.openUncoveredFile() }
            #expect(error?.code == .invalidArgument)
        }
        try await Self.withAttachment("harmless", display: .files) { attachment, _ in
            #expect(try await !attachment.isSensitive)
            let handle = try attachment.openUncoveredFile()
            #expect(handle != nil)
            try await Self.expect(attachment, "image of 8")
        }
    }

    @Test func `Under a disabled policy the file itself is displayed, because nothing was judged`() async throws {
        try await Self.withAttachment("harmless", policy: .disabled) { attachment, _ in
            try await Self.expect(attachment, "file of 8")
        }
    }
}
