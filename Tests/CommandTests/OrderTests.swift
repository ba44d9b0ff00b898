// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
    "The order of results", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct OrderTests {
    /// Analyses standard input before two files.
    ///
    /// Standard input ends only when both files have their results, or when it has been waited for too long.
    private static func analyze(_ options: String, in folder: ShellFolder) async throws -> Program.Outcome {
        try await folder.run(
            """
            echo text > text.txt; : > out
            {
                tries=0
                while [ "$(grep -c 'text.txt\\|clip.gif' out)" -lt 2 ] && [ $tries -lt \(patience) ]; do
                    tries=$((tries + 1)); sleep 0.05
                done
                cat victim.jpg
            } | "$0" analyze \(options) -- - text.txt clip.gif > out
            code=$?; cat out; exit $code
            """)
    }

    /// How often a file that is slow on purpose looks for the results of the others: for a minute.
    private static let patience = 1200

    private static func withClip(_ body: (ShellFolder) async throws -> Void) async throws {
        try await ShellFolder.with { folder in
            #expect(try await folder.run("exec \"$0\" test-pattern --output clip.gif").exitCode == 0)
            try await body(folder)
        }
    }

    @Test("With --unordered, results are printed as they come, and a slow file holds up none")
    func unordered() async throws {
        try await Self.withClip { folder in
            let outcome = try await Self.analyze("--unordered --format jsonl", in: folder)
            let paths = try Line.all(outcome).map(\.path)
            #expect(outcome.exitCode == 1 && paths.last == "-" && Set(paths) == ["-", "text.txt", "clip.gif"])
        }
    }

    @Test("With --unordered, the rows of the table come in the same way, and its last line counts them all")
    func table() async throws {
        try await Self.withClip { folder in
            let outcome = try await Self.analyze("--unordered", in: folder)
            #expect(outcome.exitCode == 1 && outcome.lines.first == "VERDICT        SCORE   FILE")
            let last = outcome.lines.suffix(2)
            #expect(last.first?.contains("(standard input)") == true, "\(outcome.text)")
            #expect(last.last == "3 files: 2 sensitive, 0 not sensitive, 1 unknown. Model: open-nsfw.")
        }
    }

    @Test("With --unordered, the report is in the order of the inputs all the same")
    func page() async throws {
        try await Self.withClip { folder in
            let outcome = try await Self.analyze("--unordered --report page.html", in: folder)
            #expect(outcome.exitCode == 1 && outcome.lines.suffix(2).first?.contains("(standard input)") == true)
            let page = try folder.text(of: "page.html")
            let names = page.matches(of: /<h[23]>(.*)<\/h[23]>/).map { String($0.output.1) }
            #expect(names == ["Sensitive", "(standard input)", "clip.gif", "Unknown", "text.txt"])
            #expect(page.hasSuffix("</html>\n"))
            #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") })
        }
    }

    @Test("Without --unordered, results wait for the slow file before them")
    func ordered() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                : > out; mkfifo in; "$0" analyze --format jsonl -- - missing-1 missing-2 < in > out & pid=$!
                # More than a pipe holds, so the shell goes on only when the command reads.
                truncate -s 400000 victim.jpg
                exec 3> in; cat victim.jpg >&3; wc -l < out; exec 3>&-; wait $pid; cat out
                """)
            #expect(outcome.lines.first == "0")
            let paths = outcome.lines.dropFirst().map { $0.firstMatch(of: /"path":"([^"]*)"/)?.output.1 ?? "" }
            #expect(paths == ["-", "missing-1", "missing-2"])
        }
    }

    @Test("With --unordered, a slow file does not keep any of several hundred others from being begun")
    func manySlow() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                : > out
                {
                    tries=0
                    while [ "$(wc -l < out)" -lt 300 ] && [ $tries -lt \(Self.patience) ]; do
                        tries=$((tries + 1)); sleep 0.05
                    done
                } | "$0" analyze --unordered --format jsonl -- - $(seq -f missing-%g 300) > out
                tail -n 1 out; wc -l < out
                """)
            #expect(outcome.lines.first?.contains("\"path\":\"-\"") == true && outcome.lines.last == "301")
        }
    }
}
