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
        "analyze missing.jpg", "analyze --format jsonl missing.jpg",
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

    @Test("Where standard output is closed, nothing is analysed")
    func closed() async throws {
        try await ShellFolder.with { folder in
            // Standard input would be waited for.
            let outcome = try await folder.run("mkfifo in; exec 3<> in; exec \"$0\" analyze -- - < in >&-")
            #expect(outcome.exitCode == 74)
        }
    }

    /// A script whose output nobody reads: the reader has gone before the command starts.
    private static func unread(_ command: String) -> String {
        """
        { while [ ! -e gone ]; do sleep 0.01; done; \(command); echo $? > code; } |
            { exec < /dev/null; : > gone; while [ ! -s code ]; do sleep 0.05; done; }
        """
    }

    @Test("A command whose reader has gone ends by SIGPIPE without a word", arguments: commands)
    func readerHasGone(arguments: String) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(Self.unread("HOME=\"$PWD\" \"$0\" \(arguments)"))
            #expect(try folder.text(of: "code") == "141\n" && outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }

    @Test("A command whose reader has gone ends with 74 where SIGPIPE is ignored")
    func ignoredSignal() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("trap '' PIPE; " + Self.unread("\"$0\" analyze victim.jpg"))
            #expect(try folder.text(of: "code") == "74\n" && outcome.errors.contains("standard output"))
        }
    }
}
