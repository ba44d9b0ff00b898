// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelEvaluation
import TestSupport
import Testing

@testable import SCATool

@Suite(
    "sca evaluate", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct EvaluateCommandTests {
    /// Runs a script in a folder that has `set` with two pictures and a text for each label, and a cache of its own.
    ///
    /// The test pattern has the label sensitive.
    private static func run(_ script: String) async throws -> Program.Outcome {
        var outcome: Program.Outcome?
        try await ShellFolder.with { folder in
            outcome = try await folder.run(
                """
                mkdir -p set/sensitive set/harmless cache/sensitive-content-analysis
                ln -s "$XDG_CACHE_HOME/sensitive-content-analysis/compiled" cache/sensitive-content-analysis
                export XDG_CACHE_HOME="$PWD/cache"
                mv victim.jpg set/sensitive; "$0" test-pattern -o set/sensitive/other.png >/dev/null
                cp "\(fixture("plain/plain.jpg"))" set/harmless/one.jpg
                cp "\(fixture("plain/plain.png"))" set/harmless/two.png
                for each in sensitive harmless; do echo text >set/$each/notes.txt; done
                \(script)
                """)
        }
        return try #require(outcome)
    }

    private struct Record: Decodable {
        struct Figure: Decodable {
            let value: Double
        }
        struct Label: Decodable {
            let judged: Int
            let unknown: Int
        }
        struct Part: Decodable {
            let name: String
            let sensitive: Label
            let harmless: Label
            let area: Figure?
        }
        struct Scoring: Decodable {
            let all: Part
            let slices: [Part]
            let failures: [String: Int]
        }
        let leftOut: Int
        let scorings: [Scoring]
    }

    private static func record(_ outcome: Program.Outcome) throws -> Record {
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Record.self, from: outcome.output)
    }

    @Test func `a folder with a folder for each label is evaluated, and files that are no media are left out`()
        async throws
    {
        let record = try Self.record(try await Self.run("exec \"$0\" evaluate --format jsonl -- set"))
        let all = try #require(record.scorings.first).all
        #expect(all.sensitive.judged == 2 && all.harmless.judged == 2 && record.leftOut == 2)
        #expect(all.area?.value == 1)
    }

    @Test func `a list names files beside it, and an unknown file is counted and in no figure`() async throws {
        let record = try Self.record(
            try await Self.run(
                """
                head -c 30 set/harmless/one.jpg >set/broken.jpg
                printf 'path,label,slice\\r\\nsensitive/victim.jpg,sensitive,"a;b"\\r\\nharmless/one.jpg,harmless,a\\r\\n' >set/list.csv
                printf 'broken.jpg,harmless,\\r\\ngone.jpg,sensitive,b\\r\\n' >>set/list.csv
                exec "$0" evaluate --format jsonl -- set/list.csv
                """))
        let scoring = try #require(record.scorings.first)
        #expect(scoring.all.sensitive.judged == 1 && scoring.all.sensitive.unknown == 1)
        #expect(scoring.all.harmless.judged == 1 && scoring.all.harmless.unknown == 1)
        #expect(scoring.failures == ["malformedMedia": 1, "inputUnreadable": 1])
        #expect(scoring.slices.map(\.name) == ["a", "b"])
        #expect(scoring.slices.map(\.sensitive.unknown) == [0, 1])
    }

    @Test(arguments: [("", 4), ("--no-cache", 0), ("--preset fast", 0)])
    func `a second evaluation judges no file again unless another way of judging is asked for`(
        option: String, cached: Int
    ) async throws {
        let outcome = try await Self.run(
            """
            "$0" evaluate -- set >first
            exec "$0" evaluate \(option) -- set
            """)
        let words = "2 sensitive and 2 harmless files judged, none is unknown. 2 left out."
        let expected = cached == 0 ? words : "\(words) \(cached) scores from the cache."
        #expect(outcome.lines.first == "open-nsfw on set: \(expected)", "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a file that has changed is judged again although its digest was kept`() async throws {
        let outcome = try await Self.run(
            """
            # The digest of a file that has just been written is not kept.
            sleep 3; "$0" evaluate -- set >/dev/null
            "$0" evaluate -- set | grep -c '4 scores from the cache'
            cp set/harmless/two.png set/harmless/one.jpg; "$0" evaluate --scores - -- set | grep -c 0.0
            "$0" evaluate -- set | head -n 1
            """)
        #expect(outcome.lines.first == "1" && outcome.lines.last?.hasSuffix(" 4 scores from the cache.") == true)
    }

    @Test(
        arguments: [
            ("--format jsonl -- nothing.csv", 66, "cannot be read"),
            ("-- no-heading.csv", 64, "must name the columns path and label"),
            ("-- labels.csv", 64, "These labels mean nothing yet: cats, dogs."),
            ("--sensitive cats --harmless cats -- labels.csv", 64, "is named twice"),
            ("-- score.csv", 64, "Row 3 of score.csv has a score that is not from 0 to 1."),
            ("-- some.jsonl", 64, "Some rows of the list have a score and others none."),
            ("-- broken.jsonl", 64, "Line 2 of broken.jsonl is no JSON object"),
            ("-- empty.csv", 66, "has no files"),
            ("-- quote.csv", 64, "has a value whose quote does not end"),
            ("-- twice.csv", 64, "names ./a.jpg twice"),
            ("--false-alarms 2 -- set", 64, "such as 0.01 for 1 %"),
            ("--model none -- set", 64, "sca model list"),
        ])
    func `a fault of a set is named with its place and a remedy`(
        arguments: String, exitCode: Int32, words: String
    ) async throws {
        let outcome = try await Self.run(
            """
            printf 'a.jpg,sensitive\\n' >no-heading.csv
            printf 'path,label\\na.jpg,cats\\nb.jpg,dogs\\n' >labels.csv
            printf 'path,label,score\\na.jpg,sensitive,0.5\\nb.jpg,harmless,1.5\\n' >score.csv
            printf '{"path":"a","label":"sensitive","score":0.5}\\n{"path":"b","label":"harmless"}\\n' >some.jsonl
            printf '{"path":"a","label":"sensitive"}\\n{"path"\\n' >broken.jsonl
            printf 'path,label\\n' >empty.csv
            printf 'path,label\\n"a.jpg,sensitive\\nb.jpg,harmless\\n' >quote.csv
            printf 'path,label\\na.jpg,sensitive\\na.jpg,harmless\\n' >twice.csv
            exec "$0" evaluate \(arguments)
            """)
        #expect(outcome.exitCode == exitCode, "\(outcome.errors)")
        #expect(outcome.errors.replacing("\n", with: " ").contains(words), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test func `scores of other programs are evaluated without a model, and written scores give the same figures`()
        async throws
    {
        let outcome = try await Self.run(
            """
            printf 'path,label,source,score,against\\n' >set.csv
            for i in 1 2 3 4 5 6 7 8 9; do
                printf '%s.jpg,sensitive,s%s,0.%s,0.9\\nx%s.jpg,harmless,,0.0%s,\\n' $i $i $i $i $i >>set.csv
            done
            SCA_LIBEXEC=/nowhere "$0" evaluate --format csv --scores copy.csv -- set.csv >first
            "$0" evaluate --format csv -- copy.csv >second
            grep '^scores,' first >a; grep '^scores,' second >b; cmp a b && grep -c '^against,' first
            stat -c %a copy.csv
            """)
        #expect(outcome.lines.count == 2 && outcome.lines.last == "600", "\(outcome.text)\(outcome.errors)")
        #expect(Int(outcome.lines.first ?? "") ?? 0 > 5)
    }

    @Test func `a suggested threshold has its rate in verdicts, whose scores have fewer digits`() throws {
        // The nearest score to 0.3432 lies below it, and counts as reaching it.
        let edge = Double(Float(0.3432))
        let files = (0..<100).map { index in
            LabelledScore(isPositive: index < 50, score: index < 50 ? 0.9 : index < 60 ? edge : 0.1)
        }
        let evaluation = Evaluation(of: files, thresholds: [], bootstrap: nil)
        let strict = try #require(ThresholdSuggestion(.falseAlarmRate(atMost: 0.05), evaluation))
        #expect(files.count { !$0.isPositive && Float($0.score ?? 0) >= Float(strict.threshold) } == 0)
        let lax = try #require(ThresholdSuggestion(.falseAlarmRate(atMost: 0.2), evaluation))
        #expect(files.count { !$0.isPositive && Float($0.score ?? 0) >= Float(lax.threshold) } == 10)
        #expect(lax.counts.falsePositives == 10)
    }

    @Test func `a wanted rate that no threshold has is named`() async throws {
        let outcome = try await Self.run(
            """
            printf 'path,label,score\\na.jpg,sensitive,0.2\\nb.jpg,harmless,1\\n' >list.csv
            exec "$0" evaluate --false-alarms 0 --sensitivity 1 -- list.csv
            """)
        let unmet = "- No threshold from 0.0001 to 1 has at most 0 % false alarms on this set."
        #expect(outcome.exitCode == 0 && outcome.lines.contains(unmet), "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text.contains("For at least 100 % found: sca analyze --threshold 0.2,"))
    }

    @Test func `a score of a list reaches a threshold with the same digits`() async throws {
        let outcome = try await Self.run(
            """
            printf 'path,label,score\\na.jpg,sensitive,0.4\\nb.jpg,harmless,0.39\\n' >list.csv
            exec "$0" evaluate --threshold 0.4 -- list.csv
            """)
        let row = try #require(outcome.lines.first { $0.hasPrefix("given ") })
        #expect(row.contains("0.4  100.0 %  20.7 % to 100.0 %  0.0 %"), "\(outcome.text)")
    }

    @Test(arguments: ["--page set.csv", "--scores one.jpg"])
    func `--force never replaces the list or a file of the set`(option: String) async throws {
        let outcome = try await Self.run(
            """
            cp set/harmless/one.jpg one.jpg; printf 'path,label\\none.jpg,harmless\\n' >set.csv
            cp set.csv before.csv
            "$0" evaluate --force \(option) -- set.csv; code=$?
            cmp set.csv before.csv && cmp one.jpg set/harmless/one.jpg && exit $code
            exit 99
            """)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome.text)\(outcome.errors)")
    }

    @Test(arguments: ["\\r\\n", "\\n\\n", "\\n \\r\\n\\n"])
    func `line ends of any kind and empty lines separate the lines of a list`(end: String) async throws {
        let outcome = try await Self.run(
            """
            line='{"path":"%s.jpg","label":"%s","score":%s}\(end)'
            printf "$line" a sensitive 0.9 >list.jsonl; printf "$line" b harmless 0.1 >>list.jsonl
            printf 'path,label,score\(end)a.jpg,sensitive,0.9\(end)b.jpg,harmless,0.1\(end)' >list.csv
            "$0" evaluate --format csv -- list.jsonl >one && exec "$0" evaluate --format csv -- list.csv | cmp - one
            """)
        #expect(outcome.exitCode == 0 && outcome.output.isEmpty, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `equal thresholds are counted once and shown as often as they are named`() async throws {
        let outcome = try await Self.run("exec \"$0\" evaluate --threshold 0.7 --threshold 0.7 -- set")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.lines.filter { $0.hasPrefix("given ") }.count == 2)
    }

    @Test func `the worked example of the documentation runs and prints what the page shows`() async throws {
        let page = try String(
            contentsOf: TestFiles.packageFolder.appendingPathComponent("docs/evaluation.md"), encoding: .utf8)
        let blocks = page.matches(of: /```(sh|text) file=example[^\n]*\n((?s).*?)```/)
        #expect(blocks.map { String($0.output.1) } == ["sh", "text"])
        let script = String(try #require(blocks.first).output.2)
        let outcome = try await Self.run(
            """
            mkdir bin; ln -s "$0" bin/sca; PATH="$PWD/bin:$PATH"; export PATH
            cd "\(TestFiles.packageFolder.path)" || exit 99
            TMPDIR="$OLDPWD"; export TMPDIR
            \(script)
            """)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        // The name of the list differs, and the last digits of scores differ between machines.
        let counts = "10 sensitive and 14 harmless files judged, none is unknown."
        #expect(page.contains(counts) && outcome.text.contains(counts))
        for line in String(try #require(blocks.last).output.2).split(separator: "\n") where line.contains(".7 ") {
            #expect(outcome.lines.contains(String(line)), "\(line)\n\(outcome.text)")
        }
    }
}
