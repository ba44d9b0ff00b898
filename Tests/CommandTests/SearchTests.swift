// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite(
    "The search of sca analyze", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct SearchTests {
    /// Runs a script in a folder with sub/a.jpg, sub/b.png, sub/cache/c.jpg and victim.jpg, all with the test pattern.
    private static func run(
        _ script: String, check: (Program.Outcome) throws -> Void
    ) async throws {
        try await ShellFolder.with { folder in
            try check(
                try await folder.run(
                    "mkdir -p sub/cache; for each in a.jpg b.png cache/c.jpg; do cp victim.jpg sub/$each; done\n\(script)"
                ))
        }
    }

    /// Returns the inputs that a search finds in the folder, with the kinds of those that are not judged.
    private static func found(in folder: URL, _ paths: [String], _ filter: SearchFilter) -> [String] {
        let finder = InputFinder(
            paths: paths.map { InputPath("\(folder.path)/\($0)") }, isRecursive: true, filter: filter)
        let iterator = finder.makeIterator(names: nil)
        var found: [String] = []
        while let input = iterator.next() {
            let name = input.path.text.dropFirst(folder.path.count + 1)
            found.append(input.kind == .inFolder || input.kind == .named ? String(name) : "\(name): \(input.kind)")
        }
        return found
    }

    /// Calls a function with a folder that holds sub/a.jpg, sub/b.png, sub/cache/c.jpg and v.jpg.
    private static func withFolder(_ body: (URL) throws -> Void) async throws {
        try await TestFiles.withFolder { folder in
            let sub = folder.appendingPathComponent("sub/cache")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            for name in ["sub/a.jpg", "sub/b.png", "sub/cache/c.jpg", "v.jpg"] {
                try Data("picture".utf8).write(to: folder.appendingPathComponent(name))
            }
            try body(folder)
        }
    }

    private static let leftOut = "skipped(SCATool.SkipReason.leftOut)"

    @Test(
        "Patterns leave out files and folders",
        arguments: [
            (["*.jpg"], [], ["sub/a.jpg: -", "sub/b.png", "sub/cache/c.jpg: -", "v.jpg: -"]),
            (["cache/"], [], ["sub/a.jpg", "sub/b.png", "sub/cache: -", "v.jpg"]),
            (["b.png/"], [], ["sub/a.jpg", "sub/b.png", "sub/cache/c.jpg", "v.jpg"]),
            (["sub/cache"], [], ["sub/a.jpg", "sub/b.png", "sub/cache: -", "v.jpg"]),
            (["sub/*"], [], ["sub/a.jpg: -", "sub/b.png: -", "sub/cache: -", "v.jpg"]),
            ([], ["*.jpg"], ["sub/a.jpg", "sub/b.png: -", "sub/cache/c.jpg", "v.jpg"]),
            (["cache", "v*"], ["*.jpg"], ["sub/a.jpg", "sub/b.png: -", "sub/cache: -", "v.jpg: -"]),
            (["[ab].*"], [], ["sub/a.jpg: -", "sub/b.png: -", "sub/cache/c.jpg", "v.jpg"]),
        ] as [([String], [String], [String])])
    func patterns(excluded: [String], included: [String], expected: [String]) async throws {
        try await Self.withFolder { folder in
            let filter = SearchFilter(
                excluded: excluded.compactMap(NamePattern.init), included: included.compactMap(NamePattern.init))
            let found = Self.found(in: folder, ["."], filter).map { $0.replacing("./", with: "") }
            #expect(found.map { $0.replacing(Self.leftOut, with: "-") } == expected)
        }
    }

    @Test("A path that is named is judged, whatever the patterns say")
    func named() async throws {
        try await Self.run("\"$0\" analyze -rl --exclude '*.jpg' -- victim.jpg") { outcome in
            #expect(outcome.lines == ["victim.jpg"])
        }
    }

    @Test func `Filters for folders without --recursive are refused`() async throws {
        try await Self.run("\"$0\" analyze --exclude '*.jpg' -- victim.jpg") { outcome in
            #expect(outcome.exitCode == 64 && outcome.errors.contains("Add --recursive."))
        }
    }

    @Test("With --newer-than, files are judged that were changed or put into the folder since")
    func newer() async throws {
        try await Self.withFolder { folder in
            let old = Date(timeIntervalSince1970: 1_000_000_000)
            for name in ["sub/a.jpg", "sub/b.png", "sub/cache/c.jpg"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: old], ofItemAtPath: folder.appendingPathComponent(name).path)
            }
            // File systems count time in steps.
            Thread.sleep(forTimeInterval: 0.05)
            let mark = folder.appendingPathComponent("mark")
            try Data().write(to: mark)
            Thread.sleep(forTimeInterval: 0.05)
            try Data("new".utf8).write(to: folder.appendingPathComponent("sub/b.png"))
            // The move gives the file a new time, although the time of its content stays the same.
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent("sub/a.jpg"), to: folder.appendingPathComponent("sub/d.jpg"))
            let filter = SearchFilter(newerThan: try #require(TimeLimit(argument: mark.path)))
            let found = Self.found(in: folder, ["sub"], filter)
            #expect(found == ["sub/b.png", "sub/cache/c.jpg: \(Self.leftOut)", "sub/d.jpg"])
        }
    }

    @Test(
        "Ages, dates and times are moments",
        arguments: [("30m", 998_200), ("2h", 992_800), ("1d", 913_600), ("1w", 395_200), ("0s", 1_000_000)])
    func ages(text: String, seconds: Int) throws {
        let limit = try #require(TimeLimit(text, now: 1_000_000))
        var status = stat()
        status.st_mtim.tv_sec = seconds - 1
        #expect(!limit.isBefore(status))
        // A file of the same moment may have been written after it, because the clock of files has steps.
        status.st_ctim.tv_sec = seconds
        #expect(limit.isBefore(status))
    }

    @Test("Texts that are no moment are refused", arguments: ["", "7", "d", "-1d", "2026-13-01", "tomorrow", "1.5d"])
    func noMoment(text: String) {
        #expect(TimeLimit(argument: text) == nil)
    }

    @Test("With --follow, links are followed, and a circle of links ends")
    func follow() async throws {
        try await Self.withFolder { folder in
            let links = ["x/link": "../sub", "sub/cache/up": "../../sub", "x/v": "../v.jpg", "x/z": "nowhere"]
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("x"), withIntermediateDirectories: false)
            for (name, target) in links {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
            }
            let link = "skipped(SCATool.SkipReason.link)"
            #expect(
                Self.found(in: folder, ["x"], SearchFilter(followsLinks: true))
                    == [
                        "x/v", "x/z: \(link)", "x/link/a.jpg", "x/link/b.png", "x/link/cache/c.jpg",
                        "x/link/cache/up: \(link)",
                    ])
            #expect(
                Self.found(in: folder, ["x"], SearchFilter()) == ["x/link: \(link)", "x/v: \(link)", "x/z: \(link)"])
        }
    }

    @Test("Names come from a list, with any byte in them, and folders in it are searched")
    func list() async throws {
        try await Self.run(
            "printf 'sub/cache\\0new\\nline.jpg\\0missing' > list; cp victim.jpg \"$(printf 'new\\nline.jpg')\"; exec \"$0\" analyze -r -0 --format jsonl --files-from list victim.jpg"
        ) { outcome in
            let lines = try Line.all(outcome)
            #expect(lines.map(\.path) == ["victim.jpg", "sub/cache/c.jpg", "new\nline.jpg", "missing"])
            #expect(lines.map(\.verdict) == ["sensitive", "sensitive", "sensitive", "unknown"])
        }
    }

    @Test func `The name - in a list is a file and not standard input`() async throws {
        try await Self.run(
            "mv victim.jpg ./-; printf '%s\\n' - > list; \"$0\" analyze --files-from list < sub/none; "
                + "exec \"$0\" analyze -l --files-from list < /dev/null"
        ) { outcome in
            #expect(outcome.lines.last == "./-" && outcome.exitCode == 1, "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test func `A folder is searched by its own path, even if a link with an earlier name leads to it`() async throws {
        try await Self.run("ln -s sub aaa; exec \"$0\" analyze -rl --follow --exclude 'aaa/*' -- .") { outcome in
            #expect(outcome.lines.sorted() == ["./sub/a.jpg", "./sub/b.png", "./sub/cache/c.jpg", "./victim.jpg"])
        }
    }

    @Test
    func `A folder behind two links is unknown if a pattern leaves out files by the path of one of them`() async throws
    {
        try await Self.run(
            "mkdir lib; mv victim.jpg lib; ln -s ../sub lib/aaa; ln -s ../sub lib/bbb\n"
                + "exec \"$0\" analyze -rl --only unknown --follow --exclude 'aaa/*' -- lib"
        ) { outcome in
            #expect(outcome.lines == ["lib/bbb"], "\(outcome.text)")
        }
    }

    @Test("With --newer-than, the files of a folder that was moved since are judged")
    func movedFolder() async throws {
        try await Self.withFolder { folder in
            let (old, library) = (folder.appendingPathComponent("old"), folder.appendingPathComponent("library"))
            for each in [old, library] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            try Data("x".utf8).write(to: old.appendingPathComponent("a"))
            Thread.sleep(forTimeInterval: 0.05)
            let stamp = folder.appendingPathComponent("stamp")
            try Data().write(to: stamp)
            Thread.sleep(forTimeInterval: 0.05)
            let filter = SearchFilter(newerThan: try #require(TimeLimit(argument: stamp.path)))
            #expect(Self.found(in: folder, ["old"], filter) == ["old/a: \(Self.leftOut)"])
            try FileManager.default.moveItem(at: old, to: library.appendingPathComponent("old"))
            #expect(Self.found(in: folder, ["library"], filter) == ["library/old/a"])
        }
    }

    @Test("Names that end with NUL, and are read as lines, are an error")
    func lines() async throws {
        try await Self.run("printf 'missing\\0victim.jpg\\0' | \"$0\" analyze --format jsonl --files-from -") {
            outcome in
            #expect(outcome.exitCode == 2 && outcome.text.contains("end with NUL. Use -0."), "\(outcome.text)")
        }
    }

    @Test("A folder that two links lead to is skipped the second time, and not forgotten; a named folder is searched")
    func twice() async throws {
        try await Self.withFolder { folder in
            let files = FileManager.default
            try files.createDirectory(at: folder.appendingPathComponent("x"), withIntermediateDirectories: false)
            for name in ["a", "b"] {
                try files.createSymbolicLink(
                    atPath: folder.appendingPathComponent("x/\(name)").path, withDestinationPath: "../sub/cache")
            }
            let link = "skipped(SCATool.SkipReason.link)"
            let filter = SearchFilter(followsLinks: true)
            #expect(Self.found(in: folder, ["x"], filter) == ["x/a/c.jpg", "x/b: \(link)"])
            let found = Self.found(in: folder, ["x", "sub/cache"], filter)
            #expect(found == ["sub/cache/c.jpg", "x/a: \(link)", "x/b: \(link)"])
        }
    }

    @Test("Arguments that are not UTF-8 keep their bytes behind --, and are refused before it")
    func bytes() async throws {
        let raw =
            ["analyze", "a.jpg", "--"].map { InputPath($0) } + [InputPath(bytes: [0xFE]), InputPath(bytes: [0xFF])]
        #expect(InputPath.names(["a.jpg", "\u{FFFD}", "\u{FFFD}"], raw: raw) == [raw[1], raw[3], raw[4]])
        #expect(throws: CommandFailure.self) { try ArgumentCheck.requireText([InputPath(bytes: [0xFF])]) }
        #expect(throws: Never.self) { try ArgumentCheck.requireText(raw) }
    }

    @Test("Results of named files are printed while the list is still being written")
    func watcher() async throws {
        try await Self.run(
            """
            : > out
            { echo victim.jpg
              tries=0; while ! grep -q victim out && [ $tries -lt 1200 ]; do tries=$((tries + 1)); sleep 0.05; done
              grep -q victim out && echo sub/a.jpg; } | "$0" analyze -l --files-from - > out
            cat out
            """
        ) { outcome in
            #expect(outcome.lines == ["victim.jpg", "sub/a.jpg"], "\(outcome.errors)")
        }
    }

    @Test("With --skip-other, listed files without media and files that are gone are skipped, and the others judged")
    func skipOther() async throws {
        let names = "printf '%s\\n' victim.jpg notes.txt gone.jpg sub"
        try await Self.run(
            """
            echo text > notes.txt
            \(names) | "$0" analyze -r --skip-other --list-skipped --format jsonl --files-from -; echo $?
            \(names) | "$0" analyze --format jsonl --files-from - | grep -c unknown
            """
        ) { outcome in
            let lines = outcome.lines
            #expect(lines.contains { $0.contains("victim.jpg") && $0.contains("\"verdict\"") }, "\(outcome.text)")
            #expect(lines.contains { $0.contains("notes.txt") && $0.contains("\"skipped\"") }, "\(outcome.text)")
            #expect(lines.contains { $0.contains("gone.jpg") && $0.contains("\"skipped\"") }, "\(outcome.text)")
            #expect(lines.contains { $0.contains("sub/a.jpg") && $0.contains("\"verdict\"") }, "\(outcome.text)")
            #expect(lines.last == "3", "without the option, the text, the missing file and the folder are unknown")
        }
        try await Self.run("exec \"$0\" analyze --skip-other victim.jpg") { outcome in
            #expect(outcome.exitCode == 64 && outcome.errors.contains("always judged"), "\(outcome.errors)")
        }
    }

    @Test("A list with CR LF names the files without CR, and a file whose name ends with CR is judged as well")
    func carriageReturns() async throws {
        try await Self.run(
            """
            printf 'victim.jpg\\r\\nsub/a.jpg\\r\\n' | "$0" analyze -l --files-from -
            cp sub/a.jpg "$(printf 'b.jpg\\r')"
            printf 'b.jpg\\r\\n' | "$0" analyze -l --files-from - | od -An -c | tr -d ' '
            cp sub/a.jpg b.jpg
            printf 'b.jpg\\r\\n' | "$0" analyze -l --files-from - | od -An -c | tr -d ' '
            """
        ) { outcome in
            let expected = ["victim.jpg", "sub/a.jpg", #"b.jpg\r\n"#, #"b.jpg\nb.jpg\r\n"#]
            #expect(outcome.lines == expected, "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test
    func `A list that begins with a byte order mark names the file without it, also with --skip-other`() async throws {
        try await Self.run(
            #"printf '\357\273\277victim.jpg\r\nsub/a.jpg\r\n' | "$0" analyze -l --skip-other --files-from -"#
        ) { outcome in
            #expect(outcome.lines == ["victim.jpg", "sub/a.jpg"], "\(outcome.text)\(outcome.errors)")
        }
    }

    @Test("With -q, the first sensitive file ends the command, although names may follow")
    func quiet() async throws {
        try await Self.run(
            """
            mkfifo names; { echo victim.jpg; exec sleep 300; } > names & writer=$!
            "$0" analyze -q --files-from names 2> errors; echo $?; kill $writer; cat errors
            """
        ) { outcome in
            #expect(outcome.lines == ["1"], "\(outcome.text)")
        }
    }

    @Test(
        "A list that cannot be read is an error and not an empty list",
        arguments: [("--files-from missing.txt", 64), ("--files-from long", 2), ("--files-from sub", 2)])
    func unreadableList(options: String, exitCode: Int32) async throws {
        try await Self.run("head -c 100000 /dev/zero | tr '\\0' a > long; exec \"$0\" analyze \(options)") { outcome in
            #expect(outcome.exitCode == exitCode, "\(outcome.text)\(outcome.errors)")
            #expect((outcome.text + outcome.errors).contains("ist"))
        }
    }

    @Test(
        "Options that contradict each other are refused",
        arguments: [
            "-q -l victim.jpg", "-l --format csv victim.jpg", "-l --list-skipped victim.jpg", "-0 victim.jpg",
            "--files-from - -",
            "--dry-run victim.jpg",
            "--cache --labels victim.jpg", "--jobs 0 victim.jpg", "--only harmless victim.jpg",
            "-q --move-to x victim.jpg",
            "--move-to x -", "-r --move-to sub sub", "-r --copy-to sub sub", "-q --copy-to x victim.jpg",
            "--copy-to x --move-to y victim.jpg", "--copy-to x --cache victim.jpg", "--max-size 9 victim.jpg",
            "--copy-to x --preset fast victim.jpg", "--copy-to x --max-size 0 victim.jpg",
        ])
    func contradictions(arguments: String) async throws {
        try await Self.run("exec \"$0\" analyze \(arguments) < /dev/null") { outcome in
            #expect(outcome.exitCode == 64 && outcome.output.isEmpty && outcome.errors.hasPrefix("Error: "))
        }
    }
}
