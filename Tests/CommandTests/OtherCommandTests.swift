// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Other commands")
struct OtherCommandTests {
    @Test(
        "sca doctor finds everything in place", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func doctor() async throws {
        let outcome = try await Program.sca.run(["doctor"])
        let missing = outcome.text.split(separator: "\n").filter { $0.hasPrefix("MISSING") }
        // What the kernel lacks of the sandbox is no fault of the installation; IntegrationTests/test-sandbox names it.
        #expect(missing.allSatisfy { $0.contains("sandbox of the") }, "\(missing)")
        #expect(outcome.exitCode == (missing.isEmpty ? 0 : 1))
        #expect(outcome.text.contains("Everything is in place.") == missing.isEmpty)
        #expect(Requirements.hasMemoryLimit || missing.count { $0.contains("memory-limit: ") } == 3)
    }

    @Test(.enabled(if: Requirements.hasNoInstalledDecoder, "\(Requirements.decoderRemedy)"))
    func `sca doctor says what is missing, and what to do`() async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            // A copy of the program alone, with a home of its own.
            let copy = folder.appendingPathComponent("sca")
            try await Program.copy("sca", to: copy)
            program.executable = copy
            program.environment["HOME"] = folder.path
            let outcome = try await program.run(["doctor"])
            #expect(outcome.exitCode == 1)
            #expect(outcome.text.contains("MISSING image decoder: The program sca-image-decoder was not found."))
        }
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func `sca doctor reports a damaged model once, with its path and the command that mends it`() async throws {
        try await Self.withDamagedModel { program, model in
            let outcome = try await program.run(["doctor"])
            let missing = outcome.lines.filter { $0.hasPrefix("MISSING") && !$0.contains("sandbox of the") }
            #expect(missing.count == 1, "\(outcome.text)")
            #expect(missing[0].contains("is in \(model.path). ") && missing[0].contains("unset it"), "\(missing[0])")
            #expect(outcome.text.contains("-       OpenVINO: not checked, since an earlier check has failed"))
        }
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount },
        arguments: [[], ["-l", "--only", "unknown"], ["--format", "jsonl"], ["--unordered"]])
    func `A damaged default model is one error with its path and a remedy, and no file is called unknown`(
        options: [String]
    ) async throws {
        try await Self.withDamagedModel { program, model in
            let files = ["plain/plain.jpg", "plain/plain.png"].map {
                TestFiles.fixtures.appendingPathComponent($0).path
            }
            let outcome = try await program.run(["analyze"] + options + ["--"] + files)
            #expect(outcome.exitCode == 69 && outcome.output.isEmpty, "\(outcome.text)")
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 1, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("Error: The model cannot be used. "), "\(outcome.errors)")
            #expect(outcome.errors.contains("The model is in \(model.path). The variable SCA_MODELS names this folder"))
        }
    }

    @Test(.enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func `sca model list shows that a model's file is damaged`() async throws {
        try await Self.withDamagedModel { program, model in
            let outcome = try await program.run(["model", "list"])
            #expect(outcome.text.contains("open-nsfw\n    not usable: "), "\(outcome.text)")
            #expect(outcome.text.contains("size or SHA-256 differ") && outcome.text.contains(model.path))
        }
    }

    /// Runs a closure with a program whose default model has some wrong bytes, and with the folder of the model.
    private static func withDamagedModel(_ body: (Program, URL) async throws -> Void) async throws {
        try await TestFiles.withFolder { folder in
            let model = folder.appendingPathComponent("open-nsfw")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: false)
            // A copy by the system would keep root as the owner.
            let installed = URL(fileURLWithPath: try #require(Requirements.modelFolder) + "/open-nsfw")
            for name in ["manifest.json", "model.onnx"] {
                try Data(contentsOf: installed.appendingPathComponent(name))
                    .write(to: model.appendingPathComponent(name))
            }
            let file = try FileHandle(forWritingTo: model.appendingPathComponent("model.onnx"))
            try file.seek(toOffset: 1000)
            try file.write(contentsOf: Data("damage".utf8))
            try file.close()
            var program = Program.sca
            program.environment["SCA_MODELS"] = folder.path
            try await body(program, model)
        }
    }

    @Test
    func `sca doctor --app looks for the programs that the app would start, and asks for no entitlement`() async throws
    {
        try await TestFiles.withFolder { folder in
            let decoder = folder.appendingPathComponent("sca-image-decoder")
            try await Program.copy("sca-image-decoder", to: decoder)
            let app = folder.appendingPathComponent("app")
            try Data("#!/bin/sh\n".utf8).write(to: app)
            let outcome = try await Program.sca.run(["doctor", "--app", app.path])
            let line = outcome.lines.first { $0.contains(" image decoder: ") }
            #expect(line?.contains(decoder.path) == true, "\(outcome.text)")
            #expect(outcome.lines.contains { $0.hasPrefix("ok      entitlement of app: none. ") }, "\(outcome.text)")
        }
    }

    @Test("sca test-pattern does not replace a file unless told to")
    func overwriting() async throws {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent("p.png").path
            #expect(try await Program.sca.run(["test-pattern", "-o", path]).exitCode == 0)
            let first = try Data(contentsOf: URL(fileURLWithPath: path))
            let second = try await Program.sca.run(["test-pattern", "-o", path, "--type", "goreOrViolence"])
            #expect(second.exitCode == 64 && second.errors.contains("--force"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
            #expect(
                try await Program.sca.run(["test-pattern", "-o", path, "--type", "goreOrViolence", "--force"]).exitCode
                    == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != first)
            #expect(try await Program.sca.run(["test-pattern", "-o", "-"]).output == first)
        }
    }

    @Test(
        "The pattern of each content type is found after one second of its GIF and after two seconds of its MP4",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount },
        arguments: ["sexuallyExplicit", "goreOrViolence"],
        [("a.gif", "animation", "1.0"), ("a.mp4", "video", "2.0"), ("a.MP4", "video", "2.0")])
    func moving(type: String, file: (name: String, media: String, time: String)) async throws {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent(file.name).path
            #expect(try await Program.sca.run(["test-pattern", "--type", type, "-o", path]).exitCode == 0)
            var program = Program.sca
            #expect(try await program.run(["analyze", path]).exitCode == 0)
            program.environment["SCA_TEST_MODE"] = "1"
            let outcome = try await program.run(["analyze", "--format", "jsonl", path])
            #expect(outcome.exitCode == 1)
            #expect(outcome.text.contains("\"media\":\"\(file.media)\""))
            #expect(outcome.text.contains("\"detectedTypes\":[\"\(type)\"]"), "\(outcome.text)")
            #expect(outcome.text.contains("\"firstSensitiveTime\":\(file.time)}"), "\(outcome.text)")
        }
    }

    @Test(
        "A picture that is named like a video is judged as a picture",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func misnamed() async throws {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent("a.mp4").path
            #expect(try await Program.sca.run(["test-pattern", "-o", path, "--format", "png"]).exitCode == 0)
            let outcome = try await Program.sca.run(["analyze", "--format", "jsonl", path])
            #expect(outcome.exitCode == 0 && outcome.text.contains("\"media\":\"image\""))
        }
    }

    @Test(
        "sca model verifies what is installed", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func models() async throws {
        let list = try await Program.sca.run(["model", "list"])
        #expect(list.exitCode == 0 && list.text.contains("open-nsfw 1.0 (default)"))
        #expect(list.text.contains("BSD-2-Clause"))
        let verified = try await Program.sca.run(["model", "verify"])
        #expect(verified.exitCode == 0 && verified.text.contains("open-nsfw: correct"))
        let unknown = try await Program.sca.run(["model", "verify", "no-such-model"])
        #expect(unknown.exitCode == 1)
    }

    @Test func `Without /proc, where the arguments are, sca says so and does nothing`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                # Not every kernel lets an account make namespaces; then the test has nothing to look at.
                unshare --user --map-root-user --mount true 2> /dev/null || { echo SKIPPED; exit 69; }
                exec unshare --user --map-root-user --mount sh -c \
                    'mount -t tmpfs none /proc && exec "$0" analyze -- victim.jpg' "$0"
                """)
            guard !outcome.text.contains("SKIPPED") else {
                return print("SKIPPED: sca without /proc, because this account cannot make namespaces")
            }
            #expect(outcome.exitCode == 69 && outcome.output.isEmpty, "\(outcome.exitCode) \(outcome.text)")
            #expect(outcome.errors.contains("/proc is not mounted"), "\(outcome.errors)")
        }
    }

    @Test("sca says how to use it")
    func help() async throws {
        for arguments in [
            ["--help"], ["analyze", "--help"], ["doctor", "--help"], ["model", "--help"], ["test-pattern", "--help"],
        ] {
            let outcome = try await Program.sca.run(arguments)
            #expect(outcome.exitCode == 0 && outcome.text.contains("USAGE:"))
        }
    }
}
