// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite(
    "Files for review", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct ReviewTests {
    /// Runs a script in a folder with victim.jpg (score 1), plain.jpg (score below 0.1) and broken.jpg (unknown).
    private static func run(_ script: String) async throws -> Program.Outcome {
        var outcome: Program.Outcome?
        try await ShellFolder.with { folder in
            outcome = try await folder.run(
                """
                cp "\(fixture("plain/plain.jpg"))" plain.jpg; head -c 20 plain.jpg >broken.jpg
                \(script)
                """)
        }
        return try #require(outcome)
    }

    @Test func `a score in the range is marked in each format, and the verdict stays`() async throws {
        let table = try await Self.run("exec \"$0\" analyze -r --review 0-0.5 -- .")
        #expect(table.lines.contains { $0.hasPrefix("not sensitive") && $0.hasSuffix("plain.jpg  (for review)") })
        #expect(table.text.contains("1 for review (score 0.0 to 0.5)."), "\(table.text)")
        #expect(table.exitCode == 1)
        let lines = try await Self.run("exec \"$0\" analyze -r --review 0-0.5 --format jsonl -- .")
        #expect(lines.lines.filter { $0.contains("\"review\":true") }.count == 1)
        #expect(lines.text.contains("\"verdict\":\"notSensitive\""))
        let values = try await Self.run("exec \"$0\" analyze -r --review 0-0.5 --format csv -- .")
        #expect(values.lines.filter { $0.hasSuffix(",true") }.map { $0.prefix(11) } == ["./plain.jpg"])
    }

    @Test func `--only review lists and moves the files of the range alone`() async throws {
        let outcome = try await Self.run(
            "\"$0\" analyze -rl --review 0-0.5 --only review -- . ; "
                + "\"$0\" analyze -r --review 0-0.5 --only review --move-to looked -- . >/dev/null; ls looked")
        #expect(outcome.text == "./plain.jpg\nplain.jpg\n", "\(outcome.text)\(outcome.errors)")
    }

    @Test func `the report marks files of the range`() async throws {
        let outcome = try await Self.run(
            "\"$0\" analyze -r --review 0-0.5 --report page.html -- . >/dev/null; grep -o 'verdict review' page.html; "
                + "grep -o '1 for review' page.html")
        #expect(outcome.text == "verdict review\n1 for review\n", "\(outcome.text)")
    }

    @Test func `a range with the higher score first is refused with the reason`() async throws {
        let outcome = try await Self.run("exec \"$0\" analyze --review 0.7-0.3 -- plain.jpg")
        #expect(outcome.exitCode == 64 && outcome.errors.contains("The lower score comes first: 0.3-0.7."))
    }

    @Test(
        arguments: [
            "--review 0.5", "--review 0.1-1.5", "--review=-0.1-0.5", "--only review",
            "--threshold 0", "--threshold 1.01", "--threshold nan", "--threshold=-1",
        ])
    func `an impossible range or threshold is refused`(option: String) async throws {
        let outcome = try await Self.run("exec \"$0\" analyze \(option) -- plain.jpg")
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a threshold decides about the verdict, also of a verdict that another threshold has kept`() async throws
    {
        let outcome = try await Self.run(
            """
            export XDG_CACHE_HOME="$PWD/cache"
            for threshold in 0.9 0.00001 0.9; do
                "$0" analyze --cache --threshold $threshold --format jsonl -- plain.jpg 2>/dev/null |
                    grep -o '"verdict":"[a-zA-Z]*"'
            done
            """)
        let (harmless, sensitive) = ("\"verdict\":\"notSensitive\"", "\"verdict\":\"sensitive\"")
        #expect(outcome.lines == [harmless, sensitive, harmless], "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a stream is judged by the threshold`() async throws {
        let outcome = try await Self.run(
            """
            "$0" test-pattern --output film.mp4 >/dev/null; export SCA_TEST_MODE=0
            for threshold in 1 0.00001; do
                "$0" watch --threshold $threshold --format jsonl -- film.mp4 | grep -c '"state":"sensitive"'
            done
            """)
        #expect(outcome.lines == ["0", "1"], "\(outcome.text)\(outcome.errors)")
    }
}
