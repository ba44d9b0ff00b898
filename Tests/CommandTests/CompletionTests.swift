// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The completion of the command in shells")
struct CompletionTests {
    /// Returns the completions in bash for a command line, in a folder with "my file.jpg", plain.jpg and sub.
    private static func completions(_ words: [String]) async throws -> [String] {
        var lines: [String] = []
        try await ShellFolder.with { folder in
            try folder.write("", to: "my file.jpg")
            try folder.write("", to: "plain.jpg")
            try folder.write(
                """
                set -u
                set +u
                eval "$("$1" --generate-completion-script bash)"
                # The script starts the command by its name.
                PATH="$(dirname "$1"):$PATH"
                shift
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=$(printf %s "$*" | wc -c)
                _sca sca "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                [ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
                """, to: "complete")
            let quoted = words.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try await folder.run("mkdir sub; exec bash complete \"$0\" \(quoted)")
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            lines = outcome.lines
        }
        return lines
    }

    @Test(
        "Files and folders are completed where a command takes names",
        arguments: [
            (["analyze", "p"], "plain.jpg"), (["analyze", "--recursive", "s"], "sub"),
            (["analyze", "--", "p"], "plain.jpg"),
            (["analyze", "a.jpg", "b.jpg", "pl"], "plain.jpg"), (["analyze", "my"], "my file.jpg"),
            (["analyze", "--report", "pl"], "plain.jpg"), (["analyze", "--move-to", "s"], "sub"),
            (["analyze", "--files-from", "pl"], "plain.jpg"), (["watch", "pl"], "plain.jpg"),
            (["model", "add", "s"], "sub"), (["intervene", "pl"], "plain.jpg"),
            (["test-pattern", "-o", "pl"], "plain.jpg"),
            (["doctor", "--app", "pl"], "plain.jpg"),
        ])
    func files(words: [String], expected: String) async throws {
        #expect(try await Self.completions(["sca"] + words) == [expected])
    }

    @Test(
        "Commands, options, presets and verdicts are completed",
        arguments: [
            (["an"], "analyze"), (["analyze", "--pres"], "--preset"), (["analyze", "--preset", "th"], "thorough"),
            (["analyze", "--only", "not"], "not-sensitive"), (["model", "im"], "import"), (["cache", "c"], "clear"),
            (["test-pattern", "--type", "go"], "goreOrViolence"), (["help", "interv"], "intervene"),
            (["help", "exit"], "exit-codes"),
        ])
    func words(words: [String], expected: String) async throws {
        #expect(try await Self.completions(["sca"] + words) == [expected])
    }

    @Test(
        "The installed models are completed", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        arguments: [["analyze", "--model", "open"], ["watch", "--model", "open"], ["model", "verify", "open"]])
    func models(words: [String]) async throws {
        #expect(try await Self.completions(["sca"] + words) == ["open-nsfw"])
    }

    @Test("The scripts for zsh and fish have the subjects of help", arguments: ["zsh", "fish"])
    func subjects(shell: String) async throws {
        let outcome = try await Program.sca.run(["--generate-completion-script", shell])
        #expect(outcome.lines.contains { $0.contains("analyze cache") && $0.contains("exit-codes") }, "\(shell)")
    }

    @Test("The scripts for zsh and fish are read by their shells", arguments: ["zsh", "fish"])
    func otherShells(shell: String) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                command -v \(shell) > /dev/null || { echo "\(shell) is missing: run scripts/bootstrap --for test"; exit 98; }
                "$0" --generate-completion-script \(shell) > script && exec \(shell) -n script
                """)
            #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errors)")
        }
    }
}
