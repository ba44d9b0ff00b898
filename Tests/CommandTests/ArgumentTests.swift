// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Arguments of sca")
struct ArgumentTests {
    private static let namesLikeOptions = [
        "-h.png", "-beach.png", "-h", "-help", "--help", "--help-hidden", "--version", "--experimental-dump-help",
        "--generate-completion-script", "--generate-completion-script=bash", "-r", "--recursive", "-r.png",
        "--report=victim.jpg", "--force", "--policy=simple", "--no-such-option",
    ]

    @Test("A name that begins with a dash and was not put after -- is wrong usage", arguments: namesLikeOptions)
    func names(name: String) async throws {
        try await ShellFolder.with { folder in
            try folder.copyVictim(to: name)
            let before = try folder.state()
            for names in ["*", "-*"] {
                let outcome = try await folder.run("exec \"$0\" analyze \(names)")
                #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("Put -- before names"), "\(outcome.errors)")
            }
            #expect(try folder.state() == before)
        }
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func `A name that begins with a dash is judged where it was put after --`() async throws {
        try await ShellFolder.with { folder in
            for name in Self.namesLikeOptions { try folder.copyVictim(to: name) }
            let outcome = try await folder.run("exec \"$0\" analyze --format jsonl -- *")
            let lines = try Line.all(outcome)
            #expect(Set(lines.map(\.path)) == Set(Self.namesLikeOptions + ["victim.jpg"]))
            #expect(lines.allSatisfy { $0.verdict == "sensitive" } && outcome.exitCode == 1)
        }
    }

    @Test(
        "Help and version are printed where they stand alone",
        arguments: [
            ["--help"], ["-h"], ["help"], ["help", "analyze"], ["help", "model", "add"], ["analyze", "--help"],
            ["analyze", "-h"], ["doctor", "--help"], ["intervene", "-h"], ["model", "--help"], ["model", "add", "-h"],
            ["policy", "--help"], ["policy", "allow-app", "--help"], ["test-pattern", "--help"], ["--version"],
            ["--generate-completion-script", "bash"],
        ])
    func alone(arguments: [String]) async throws {
        let outcome = try await Program.sca.run(arguments)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test(
        "Advice on wrong usage names a command that works, or none",
        arguments: [
            ("test-pattern --output -h.png", "value of an option: ./-h.png\n"),
            ("-h.png", "sca analyze -- -h.png\n"), ("test-pattern -h.png", "For help: sca test-pattern --help\n"),
            ("analyze -h a.png", "For help: sca analyze --help\n"), ("-h a.png", "For help: sca --help\n"),
            ("--version a.png", "For help: sca --help\n"),
            ("analyze a.png --version", "For help: sca analyze --help\n"),
            ("analyze -h.png", "sca analyze -- -h.png\n"),
            ("analyze -r -beach.png", "value of an option: ./-beach.png\n"),
        ])
    func advice(arguments: String, advice: String) async throws {
        let outcome = try await Program.sca.run(arguments.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 64 && outcome.errors.hasSuffix(advice), "\(outcome.errors)")
        #expect(!outcome.errors.contains("-NAME") && !outcome.errors.contains("test-pattern -- "))
    }

    @Test(
        "Help and version among other arguments are wrong usage",
        arguments: [
            [], ["model"], ["help", "no-such-command"], ["help", "analyze", "a.png"], ["--help", "analyze"],
            ["--help", "analyze", "a.png"], ["--version", "a.png"], ["analyze", "--version"],
            ["analyze", "--help", "a.png"], ["analyze", "a.png", "-h"], ["analyze", "a.png", "--help"],
            ["analyze", "-h.png"], ["analyze", "-beach.png", "a.png"], ["analyze", "-rh"],
            ["analyze", "--help-hidden"],
            ["analyze", "a.png", "--version"], ["analyze", "--experimental-dump-help", "a.png"],
            ["analyze", "a.png", "--generate-completion-script", "bash"],
            ["analyze", "a.png", "--generate-completion-script"], ["analyze", "--help", "--", "a.png"],
            ["doctor", "--app", "a", "--help"], ["doctor", "-beach"], ["intervene", "-h.png"],
            ["intervene", "a.png", "--version"], ["model", "list", "-shell"], ["model", "verify", "-h.model"],
            ["model", "add", "-hidden"], ["model", "compile", "-beach"], ["policy", "show", "--app", "a", "-h"],
            ["policy", "set", "on", "--help"], ["policy", "allow-app", "-h.app"], ["policy", "deny-app", "-h.app"],
            ["policy", "forget-app", "-h.app"],
            ["policy", "child", "-hans"], ["policy", "child", "kim", "on", "--version"], ["policy", "watch", "-hh"],
            ["test-pattern", "-o", "-h.png"], ["test-pattern", "-oh"], ["test-pattern", "--output", "a", "--help"],
        ])
    func amongOthers(arguments: [String]) async throws {
        try await ShellFolder.with { folder in
            let words = arguments.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try await folder.run("HOME=\"$PWD\" exec \"$0\" \(words)")
            #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome.exitCode) \(outcome.text.prefix(99))")
            #expect(outcome.errors.hasPrefix("Error: "), "\(outcome.errors)")
            #expect(try folder.names() == ["victim.jpg"])
        }
    }

    @Test("A file named - is not passed over for standard input")
    func dash() async throws {
        try await ShellFolder.with { folder in
            try folder.copyVictim(to: "-")
            for names in ["*", "-- *"] {
                let outcome = try await folder.run("exec \"$0\" analyze \(names) < /dev/null")
                #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("./-"), "\(outcome.errors)")
            }
        }
    }

    @Test(
        "A file named -- is not passed over for the end of the options",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func twoDashes() async throws {
        try await ShellFolder.with { folder in
            _ = try await folder.run("mv victim.jpg ./--; mkdir empty")
            for arguments in ["*", "-r *", "-- empty"] {
                let outcome = try await folder.run("exec \"$0\" analyze \(arguments)")
                #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("./--"), "\(outcome.errors)")
            }
            for arguments in ["-r -- *", "./--", "-- -- --"] {
                let outcome = try await folder.run("exec \"$0\" analyze --format jsonl \(arguments)")
                #expect(try Line.all(outcome).first?.verdict == "sensitive" && outcome.exitCode == 1)
            }
        }
    }
}
