// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("sca copy", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
struct CopyCommandTests {
    private static let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg").path

    @Test(arguments: [
        ("a.png", [0x89, 0x50, 0x4E, 0x47]), ("a.JPG", [0xFF, 0xD8, 0xFF]), ("a.webp", [0x52, 0x49, 0x46, 0x46]),
        ("a.mp4", [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70]),
    ])
    func `The name of a copy tells its format`(name: String, beginning: [UInt8]) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" copy -- '\(Self.picture)' \(name)")
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(outcome.text.hasPrefix("not sensitive") && outcome.text.contains("The copy is \(name)."))
            let copy = try Data(contentsOf: folder.url.appendingPathComponent(name))
            #expect(copy.starts(with: beginning))
            #expect(try folder.names() == [name, "victim.jpg"].sorted())
        }
    }

    @Test func `A model that is not installed is wrong usage, as for sca analyze`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" copy --model none -- '\(Self.picture)' a.png")
            #expect(outcome.exitCode == 64 && outcome.errors.contains("sca model list"), "\(outcome.errors)")
            #expect(try folder.names() == ["victim.jpg"])
        }
    }

    @Test func `A sensitive picture leaves no copy, or a cover if one is asked for`() async throws {
        try await ShellFolder.with { folder in
            let refused = try await folder.run("exec \"$0\" copy -- victim.jpg copy.png")
            #expect(refused.exitCode == 1 && refused.text.contains("No copy was written."))
            #expect(try folder.names() == ["victim.jpg"])
            let covered = try await folder.run("exec \"$0\" copy --cover -- victim.jpg copy.png")
            #expect(covered.exitCode == 1 && covered.text.contains("A cover is copy.png."))
            let cover = try await folder.run("exec \"$0\" analyze -- copy.png")
            #expect(cover.exitCode == 0)
        }
    }

    @Test(arguments: ["missing.png", "text.txt", "https://a.b/c.png"])
    func `A file that cannot be judged leaves no copy`(
        name: String
    ) async throws {
        try await ShellFolder.with { folder in
            try folder.write("no picture", to: "text.txt")
            let outcome = try await folder.run("exec \"$0\" copy -- \(name) copy.png")
            #expect(outcome.exitCode == 2 && outcome.text.contains("unknown") && outcome.text.contains("No copy"))
            #expect(try folder.names() == ["text.txt", "victim.jpg"])
        }
    }

    @Test func `A folder has no copy, and the error names the command that copies folders`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" copy -- . copy.png")
            #expect(outcome.exitCode == 64 && outcome.errors.contains("sca analyze -r --copy-to"), "\(outcome.errors)")
        }
    }

    @Test func `A copy on standard output stands there alone`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" copy --format png -- - - < '\(Self.picture)'")
            #expect(outcome.exitCode == 0 && outcome.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(outcome.errors.contains("The copy is on standard output."))
            let sensitive = try await folder.run("exec \"$0\" copy --format png -- victim.jpg -")
            #expect(sensitive.exitCode == 1 && sensitive.output.isEmpty)
        }
    }

    @Test func `A file that exists is replaced only on request, and only by a copy`() async throws {
        try await ShellFolder.with { folder in
            try folder.write("old", to: "copy.png")
            #expect(try await folder.run("exec \"$0\" copy -- '\(Self.picture)' copy.png").exitCode == 64)
            #expect(try await folder.run("exec \"$0\" copy --force -- victim.jpg copy.png").exitCode == 1)
            #expect(try folder.text(of: "copy.png") == "old")
            #expect(try await folder.run("exec \"$0\" copy --force -- '\(Self.picture)' copy.png").exitCode == 0)
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("copy.png")).count > 1000)
        }
    }

    @Test(arguments: [
        ("copy -- a.jpg b.gif", 64), ("copy -- a.jpg", 64), ("copy --quality 0 -- a.jpg b.jpg", 64),
        ("copy --max-size 0 -- a.jpg b.jpg", 64), ("copy --background red -- a.jpg b.jpg", 64),
        ("copy --no-sound -- a.mp4 b.mp4", 64), ("copy --remux -- a.mp4 b.webp", 64), ("copy -- a.mp4 b.mkv", 64),
        ("copy --remux --cover -- a.mp4 b.mp4", 64), ("copy --remux --max-size 9 -- a.mp4 b.mp4", 64),
        ("copy -- a.jpg missing/b.jpg", 74), ("copy --format png -- a.jpg /dev/full", 74),
    ])
    func `Arguments that mean nothing end the command before anything is decoded`(
        arguments: String, code: Int32
    ) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" \(arguments)")
            #expect(outcome.exitCode == code && outcome.output.isEmpty, "\(outcome.errors)")
        }
    }
}
