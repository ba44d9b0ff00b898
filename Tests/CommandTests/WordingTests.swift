// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite("The words of the command")
struct WordingTests {
    @Test(
        "A misspelt command is named, with the command that was probably meant",
        arguments: [
            ("anaylze a.png", "There is no command 'sca anaylze'. Did you mean 'sca analyze'?"),
            ("model lst", "There is no command 'sca model lst'. Did you mean 'sca model list'?"),
            ("plumbing", "There is no command 'sca plumbing'. 'sca --help' shows all of them."),
            ("version", "There is no command 'sca version'. The version is shown by 'sca --version'."),
            ("victim.jpg", "There is no command 'sca victim.jpg'. To judge a file: sca analyze -- victim.jpg"),
        ])
    func misspelt(arguments: String, words: String) async throws {
        try await ShellFolder.with { folder in
            try folder.copyVictim(to: "other.jpg")
            let outcome = try await folder.run("HOME=\"$PWD\" exec \"$0\" \(arguments)")
            #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("Error: \(words)"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("unexpected argument"))
        }
    }

    @Test(arguments: [
        ("-r Pictures", "Options come after a command: sca analyze -r"),
        ("--only unknown", "Options come after a command: sca analyze --only"),
        ("-v", "The version: sca --version"),
    ])
    func `An option without a command is answered with the place where it belongs`(arguments: String, words: String)
        async throws
    {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" \(arguments)")
            #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
            #expect(outcome.errors.hasSuffix("\(words)\n"), "\(outcome.errors)")
        }
    }

    @Test(
        "Numbers of bytes may have a unit",
        arguments: [
            ("0", 0), ("268435456", 268_435_456), ("256M", 256 << 20), ("256m", 256 << 20), ("256MiB", 256 << 20),
            ("256MB", 256 << 20), ("1K", 1024), ("1T", 1 << 40), ("12B", 12),
        ])
    func bytes(text: String, number: Int) {
        #expect(ByteCount(argument: text)?.value == number)
    }

    @Test(
        "Texts that are no number of bytes are refused",
        arguments: ["", "M", "1.5G", "-1", "1MM", "1 M", "9999999999T", "1X", "x", "iB"])
    func noBytes(text: String) {
        #expect(ByteCount(argument: text) == nil)
    }

    @Test("Default numbers of bytes are shown with their unit")
    func defaults() async throws {
        let help = try await Program.sca.run(["help", "analyze"])
        #expect(help.text.contains("(default: 256M)") && help.text.contains("(default: 1T)"))
        let outcome = try await Program.sca.run(["analyze", "--max-bytes", "1M", "--", TestFiles.missing])
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
    }

    @Test(
        "The test pattern is written in the kind that the name tells, and another name is refused",
        arguments: [("x.jpg", 64), ("x.mov", 64), ("x.PNG", 0), ("x.gif", 0), ("x", 0), ("folder.d/x", 0)])
    func patternNames(name: String, exitCode: Int32) async throws {
        try await TestFiles.withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("folder.d"), withIntermediateDirectories: false)
            let file = folder.appendingPathComponent(name).path
            let outcome = try await Program.sca.run(["test-pattern", "--output", file])
            #expect(outcome.exitCode == exitCode, "\(outcome.errors)")
            #expect(FileManager.default.fileExists(atPath: file) == (exitCode == 0))
            #expect(exitCode == 0 || outcome.errors.contains("Let it end in .png, .gif or .mp4"))
        }
    }

    @Test("A model with the name of the default model is not added, because it would silently take its place")
    func defaultName() async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["HOME"] = folder.path
            let model = TestFiles.packageFolder.appendingPathComponent("Resources/models/open-nsfw")
            let outcome = try await program.run(["model", "add", model.path])
            #expect(
                outcome.exitCode == 64 && outcome.errors.contains("belongs to the default model"), "\(outcome.errors)")
        }
    }

    @Test("A model that is not installed or has lost its file is one error, and no input is judged")
    func model() async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["HOME"] = folder.path
            let models = folder.appendingPathComponent(".local/share/sensitive-content-analysis/models/lost")
            try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
            let manifest = TestFiles.packageFolder.appendingPathComponent("Resources/models/open-nsfw/manifest.json")
            let text = try String(contentsOf: manifest, encoding: .utf8)
                .replacing("\"name\": \"open-nsfw\"", with: "\"name\": \"lost\"")
            try Data(text.utf8).write(to: models.appendingPathComponent("manifest.json"))
            for (name, words) in [("nope", "is not installed"), ("lost", "file of the model lost is missing")] {
                let outcome = try await program.run(["analyze", "--model", name, "--", "/dev/null", TestFiles.missing])
                #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome.text)")
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
            }
            program.environment["SCA_MODELS"] = nil
            let list = try await program.run(["model", "list"])
            #expect(list.text.contains("lost\n    not usable: The file of the model lost is missing."), "\(list.text)")
        }
    }
}
