// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
    "Standard output of sca", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct StandardOutputTests {
    private static let commands = [
        "analyze missing.jpg", "analyze --format jsonl missing.jpg", "analyze --report - missing.jpg",
        "test-pattern --output -", "model list", "model verify", "doctor", "policy", "policy set on",
        "policy allow-app chat", "policy set --test-mode off", "--version", "--help", "help analyze",
        "intervene --pretend nudity victim.jpg",
    ]

    @Test(
        "A command ends with 74 where standard output cannot be written, and says so", arguments: commands,
        ["> /dev/full", ">&-"])
    func failing(arguments: String, redirection: String) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("HOME=\"$PWD\" exec \"$0\" \(arguments) \(redirection)")
            #expect(outcome.exitCode == 74, "\(outcome.exitCode) \(outcome.errors)")
            #expect(outcome.errors.contains("standard output"), "\(outcome.errors)")
        }
    }

    @Test("Where standard output is closed, nothing is analysed, and no result goes into another file")
    func closed() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" analyze --report new.html -- victim.jpg >&-")
            #expect(outcome.exitCode == 74)
            #expect(try folder.names() == ["victim.jpg"])
        }
    }

    /// A script whose output nobody reads: the reader has gone before the command starts.
    private static func unread(_ command: String) -> String {
        """
        { while [ ! -e gone ]; do sleep 0.01; done; \(command); echo $? > code; } |
            { exec < /dev/null; : > gone; while [ ! -s code ]; do sleep 0.05; done; }
        """
    }

    @Test(arguments: commands)
    func `A command whose reader has gone ends by SIGPIPE without a word, and leaves no report`(arguments: String)
        async throws
    {
        try await ShellFolder.with { folder in
            let report = arguments == "analyze missing.jpg" ? "--report new.html" : ""
            let outcome = try await folder.run(Self.unread("HOME=\"$PWD\" \"$0\" \(arguments) \(report)"))
            #expect(try folder.text(of: "code") == "141\n" && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(try folder.names().filter { !$0.hasPrefix(".config") } == ["code", "gone", "victim.jpg"])
        }
    }

    @Test("A command whose reader has gone ends with 74 where SIGPIPE is ignored")
    func ignoredSignal() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("trap '' PIPE; " + Self.unread("\"$0\" analyze victim.jpg"))
            #expect(try folder.text(of: "code") == "74\n" && outcome.errors.contains("standard output"))
        }
    }

    @Test("A report can be written to standard output, instead of the table")
    func report() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" analyze --report - -- victim.jpg missing.jpg")
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors == "2 files: 1 sensitive, 0 not sensitive, 1 unknown. Model: open-nsfw.\n")
            #expect(outcome.text.hasPrefix("<!doctype html>") && outcome.text.hasSuffix("</html>\n"))
            #expect(!outcome.text.contains("VERDICT"))
            let plot = try await folder.run("\"$0\" test-pattern -o a.gif && exec \"$0\" analyze --timeline - -- a.gif")
            #expect(plot.exitCode == 1 && plot.text.hasPrefix("<svg") && plot.text.hasSuffix("</svg>\n"))
        }
    }

    @Test("Scores over time that a file does not have are an output that cannot be written")
    func noTimeline() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                "echo old > a.svg; exec \"$0\" analyze --force --timeline a.svg -- victim.jpg")
            #expect(outcome.exitCode == 74 && outcome.errors.contains("--timeline was not written"))
            #expect(try folder.text(of: "a.svg") == "old\n")
        }
    }

    @Test func `A report in a folder that is searched is no input of its own`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" analyze --report new.html -r -- .")
            #expect(
                outcome.exitCode == 1 && outcome.text.contains("\n1 file: 1 sensitive, 0 not sensitive, 0 unknown."))
            #expect(try folder.names() == ["new.html", "victim.jpg"])
        }
    }

    @Test("Results are not added to a file in a folder that is searched, and may go into a new file there")
    func appended() async throws {
        try await ShellFolder.with { folder in
            let before = try Data(contentsOf: folder.url.appendingPathComponent("victim.jpg"))
            let added = try await folder.run("exec \"$0\" analyze -r -- . >> victim.jpg")
            #expect(added.exitCode == 64 && added.errors.contains("in a folder that is searched"), "\(added.errors)")
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("victim.jpg")) == before)
            let new = try await folder.run("exec \"$0\" analyze -r -- . > new.txt")
            let results = try folder.text(of: "new.txt")
            #expect(new.exitCode == 1 && results.contains("\n1 file: 1 sensitive"))
        }
    }

    @Test("Nothing is written where there was no input, and the exit code is 66")
    func noInput() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                "mkdir folder; echo text > folder/a.txt; exec \"$0\" analyze --report new.html -r -- folder")
            #expect(outcome.exitCode == 66 && outcome.output.isEmpty)
            #expect(outcome.errors.contains("No input was found, 1 skipped (1 without pictures)."))
            #expect(try folder.names() == ["folder", "folder/a.txt", "victim.jpg"])
        }
    }
}
