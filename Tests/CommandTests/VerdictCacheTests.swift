// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "The cache of verdicts", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct VerdictCacheTests {
    /// Runs a script in a folder with pictures/victim.jpg and pictures/plain.jpg and with an empty cache folder.
    ///
    /// In the script, `judge` analyses the pictures with the cache and prints the totals after the rows.
    private static func run(
        _ script: String, check: (ShellFolder, Program.Outcome) async throws -> Void
    ) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                mkdir pictures; mv victim.jpg pictures; cp "\(fixture("plain/plain.jpg"))" pictures
                # The compiled copy of the model is kept, because compiling it takes longer than all else.
                mkdir -p cache/sensitive-content-analysis
                ln -s "$XDG_CACHE_HOME/sensitive-content-analysis/compiled" cache/sensitive-content-analysis
                export XDG_CACHE_HOME="$PWD/cache"
                file="$XDG_CACHE_HOME/sensitive-content-analysis/verdicts/verdicts.sqlite"
                sca="$0"
                judge() { "$sca" analyze --cache -r "$@" -- pictures; }
                \(script)
                """)
            try await check(folder, outcome)
        }
    }

    private static let found = "2 files: 1 sensitive, 1 not sensitive, 0 unknown."
    private static let cached = "\(found) 2 verdicts from the cache. Model: open-nsfw."

    /// Puts a view in the place of the table.
    private static let plantedView = """
        python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("DROP TABLE verdicts")
        c.execute("CREATE VIEW verdicts AS SELECT 1"); c.commit()' "$file"
        """

    @Test("A second run takes the verdicts of unchanged files from the cache, also under new names")
    func secondRun() async throws {
        try await Self.run("judge; mv pictures/victim.jpg pictures/a.png; judge") { _, outcome in
            let totals = outcome.lines.filter { $0.contains(" files: ") }
            #expect(totals == ["\(Self.found) Model: open-nsfw.", Self.cached], "\(outcome.text)\(outcome.errors)")
            #expect(outcome.lines.filter { $0.hasPrefix("SENSITIVE") }.count == 2)
        }
    }

    @Test("A video has the same line of JSON from the cache as from its analysis")
    func video() async throws {
        try await Self.run(
            "\"$0\" test-pattern -o pictures/v.mp4; judge --format jsonl; echo; judge --format jsonl"
        ) { _, outcome in
            let runs = outcome.text.components(separatedBy: "\n\n").map {
                $0.trimmingCharacters(in: .newlines).split(separator: "\n")
            }
            #expect(runs.count == 2 && runs[0].count == 3 && runs[0] == runs[1], "\(outcome.text)")
            #expect(runs[0].contains { $0.contains("\"firstSensitiveTime\":") })
        }
    }

    @Test("Without --cache, no cache is made or used")
    func withoutCache() async throws {
        try await Self.run(
            "\"$0\" analyze -r pictures; [ -e \"$file\" ] && exit 99; judge; exec \"$0\" analyze -r pictures"
        ) { _, outcome in
            #expect(!outcome.text.contains("from the cache") && outcome.exitCode == 1, "\(outcome.text)")
        }
    }

    @Test("A changed file is judged again, even if its size, time and name stay the same")
    func changedFile() async throws {
        try await Self.run(
            """
            # Larger than both pictures.
            size=400000; truncate -s $size pictures/victim.jpg
            judge > /dev/null; touch -r pictures/victim.jpg time
            cp pictures/plain.jpg pictures/victim.jpg
            truncate -s $size pictures/victim.jpg; touch -r time pictures/victim.jpg
            judge
            """
        ) { _, outcome in
            #expect(outcome.text.contains("1 verdict from the cache"), "\(outcome.text)")
            #expect(!outcome.text.contains("SENSITIVE"))
        }
    }

    @Test(
        "A verdict under other conditions is not used",
        arguments: [
            "judge --policy descriptive", "judge --preset thorough", "judge --max-pixels 90000000",
            "SCA_TEST_MODE=0 judge",
        ])
    func otherConditions(command: String) async throws {
        try await Self.run("judge > /dev/null; \(command)") { _, outcome in
            #expect(outcome.text.contains("2 files: ") && !outcome.text.contains("from the cache"), "\(outcome.text)")
        }
    }

    @Test("A verdict of a model with other thresholds is not used")
    func otherThresholds() async throws {
        try await Self.run(
            """
            mkdir models; cp -r "\(Requirements.modelFolder ?? "")/open-nsfw" models; SCA_MODELS="$PWD/models"; export SCA_MODELS
            judge > /dev/null; sed -i 's/"simple": *[0-9.]*/"simple": 0.79/' models/open-nsfw/manifest.json; judge
            """
        ) { _, outcome in
            #expect(outcome.text.contains(Self.found) && !outcome.text.contains("from the cache"), "\(outcome.text)")
        }
    }

    @Test("Only the account can read the cache, and no names are in it")
    func privacy() async throws {
        try await Self.run(
            "umask 0; judge > /dev/null; stat -c %a \"$file\" \"$(dirname \"$file\")\"; grep -c victim \"$file\"*"
        ) {
            _, outcome in
            #expect(outcome.lines.prefix(2) == ["600", "700"], "\(outcome.text)")
            #expect(outcome.lines.dropFirst(2).allSatisfy { $0.hasSuffix(":0") || $0 == "0" }, "\(outcome.text)")
        }
    }

    @Test(
        "A cache that another account could have changed is not used, and every file is judged",
        arguments: [
            "chmod 644 \"$file\"", "chmod 755 \"$(dirname \"$file\")\"",
            "mv \"$file\" other; ln -s \"$PWD/other\" \"$file\"",
            "echo nonsense > \"$file\"", "rm \"$file\"; mkfifo \"$file\"", "chmod 777 cache/sensitive-content-analysis",
            plantedView,
        ])
    func untrustworthy(damage: String) async throws {
        try await Self.run("judge > /dev/null; rm -f \"$file\"-*; \(damage); judge") { _, outcome in
            #expect(outcome.text.contains(Self.found) && !outcome.text.contains("from the cache"), "\(outcome.text)")
            #expect(outcome.errors.contains("Every file is judged anew: "), "\(outcome.errors)")
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "Only root can give a file to another account."),
        arguments: ["chown 12345 \"$file\"", "chown 12345 \"$(dirname \"$file\")\""])
    func `A cache that belongs to another account is not used`(change: String) async throws {
        try await Self.run("judge > /dev/null; rm -f \"$file\"-*; \(change); judge") { _, outcome in
            #expect(outcome.text.contains(Self.found) && !outcome.text.contains("from the cache"), "\(outcome.text)")
            #expect(outcome.errors.contains("Every file is judged anew: "), "\(outcome.errors)")
        }
    }

    @Test(
        "A row that this version does not write is no verdict",
        arguments: ["score=7", "types='none'", "framesAnalyzed=0", "model=x'ff'"])
    func strangeRow(change: String) async throws {
        try await Self.run(
            """
            judge > /dev/null
            python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("UPDATE verdicts SET " + sys.argv[2]); c.commit()' \\
                "$file" "\(change)" || exit 99
            judge
            """
        ) { _, outcome in
            #expect(outcome.text.contains(Self.found) && !outcome.text.contains("from the cache"), "\(outcome.text)")
        }
    }

    @Test("A run that is killed leaves the verdicts that it has printed")
    func killed() async throws {
        try await Self.run(
            """
            mkfifo names; "$0" analyze --cache --unordered --files-from names > out & run=$!
            exec 3> names; echo pictures/victim.jpg >&3
            tries=0; while ! grep -q victim out && [ $tries -lt 1200 ]; do tries=$((tries + 1)); sleep 0.05; done
            kill -9 $run; exec 3>&-; judge
            """
        ) { _, outcome in
            #expect(
                outcome.text.contains("\(Self.found) 1 verdict from the cache."), "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test("Two runs at once use the same cache")
    func concurrent() async throws {
        try await Self.run("judge > 1 & judge > 2 & wait; tail -qn 1 1 2; judge") { _, outcome in
            #expect(outcome.text.contains(Self.cached) && outcome.errors.isEmpty, "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test("The cache can be shown and removed")
    func clear() async throws {
        try await Self.run(
            "\"$0\" cache show; judge > /dev/null; \"$0\" cache show; \"$0\" cache clear; \"$0\" cache clear; ls -A \"$(dirname \"$file\")\""
        ) { folder, outcome in
            #expect(outcome.lines.first == "There is no cache. 'sca analyze --cache' makes one.")
            #expect(outcome.text.contains("2 verdicts, in \(folder.url.path)"), "\(outcome.text)")
            #expect(outcome.lines.suffix(2) == ["The cache was removed.", "There is no cache."])
        }
    }
}
