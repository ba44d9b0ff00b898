// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension AnalyzeCommandTests {
    @Test("The table has no escapes for a program that reads it, and no control characters from file names")
    func table() async throws {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent("a\u{1B}[2Jb\n.jpg").path
            try FileManager.default.copyItem(atPath: fixture("plain/plain.jpg"), toPath: path)
            let outcome = try await Program.sca.run(["analyze", path])
            #expect(outcome.exitCode == 0)
            #expect(!outcome.text.contains("\u{1B}"))
            #expect(outcome.lines.count == 3)
            #expect(outcome.lines[0] == "VERDICT        SCORE   FILE")
            #expect(outcome.lines[1].hasPrefix("not sensitive  0."))
            #expect(outcome.lines[2].hasPrefix("1 file: 0 sensitive, 1 not sensitive, 0 unknown. Model: open-nsfw."))
            let json = try await Self.analyze([path])
            #expect(try Line.all(json).map(\.path) == [path])
        }
    }

    @Test("sca analyze names the remedy if the model is not installed")
    func unknownModel() async throws {
        let outcome = try await Self.analyze(["--model", "no-such-model", fixture("plain/plain.jpg")])
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("sca model list"), "\(outcome.errors)")
    }

    @Test("sca analyze ends in order while the model is being compiled, and leaves a usable cache")
    func earlyEnd() async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["XDG_CACHE_HOME"] = folder.path
            for _ in 0..<12 {
                try? FileManager.default.removeItem(at: folder.appendingPathComponent("sensitive-content-analysis"))
                let early = try await program.run([
                    "analyze", "--format", "jsonl", fixture("regression/malformedMedia-broken-motion-jpeg.avi"),
                ])
                #expect(early.exitCode == 2)
            }
            let later = try await program.run(["analyze", fixture("plain/plain.jpg")])
            #expect(later.exitCode == 0)
        }
    }

    @Test(
        "sca analyze judges although the cache is damaged or cannot be written",
        arguments: ["no blob", "broken blob", "no folder"])
    func cache(damage: String) async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["XDG_CACHE_HOME"] = folder.path
            let cache = folder.appendingPathComponent("sensitive-content-analysis")
            if damage == "no folder" {
                try Data().write(to: cache)
            } else {
                #expect(try await program.run(["analyze", fixture("plain/plain.jpg")]).exitCode == 0)
                let files = try #require(FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil))
                let blobs = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "blob" }
                #expect(blobs.count == 1)
                for blob in blobs {
                    try FileManager.default.removeItem(at: blob)
                    if damage == "broken blob" { try Data("no model".utf8).write(to: blob) }
                }
            }
            let outcome = try await program.run(["analyze", "--format", "jsonl", fixture("plain/plain.jpg")])
            #expect(outcome.exitCode == 0, "\(outcome.text)")
        }
    }

    @Test("A large file in a folder that is no media is skipped, also when it is over the limit")
    func largeText() async throws {
        try await TestFiles.withFolder { folder in
            try Data(repeating: 0x20, count: 10_000).write(to: folder.appendingPathComponent("notes.txt"))
            try FileManager.default.copyItem(
                atPath: fixture("colour/bilevel.tiff"), toPath: folder.appendingPathComponent("a").path)
            let outcome = try await Self.analyze(["-r", folder.path, "--max-bytes", "9999"])
            #expect(outcome.exitCode == 0 && outcome.lines.count == 1)
        }
    }

    @Test("The policy for children judges more strictly")
    func policy() async throws {
        let outcome = try await Self.analyze(["--policy", "descriptive", fixture("plain/plain.jpg")])
        #expect(try Line.all(outcome).first?.policy == "descriptive")
    }
}
