// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Files that sca writes")
struct OutputTests {
    @Test(
        "Nothing is written onto an input or another output, however it is named",
        arguments: [
            "analyze --report victim.jpg -- victim.jpg",
            "analyze --force --report victim.jpg -- victim.jpg",
            "analyze --force --report=\"$PWD/folder/../victim.jpg\" -- victim.jpg",
            "analyze --force --report link.jpg -- victim.jpg",
            "analyze --force --report victim.jpg -- link.jpg",
            "analyze --force --report hard.jpg -- victim.jpg",
            "analyze --force --report victim.jpg -- a.jpg hard.jpg",
            "analyze --force --report link-to-here/victim.jpg -- victim.jpg",
            "analyze --force --report victim.jpg -- - < hard.jpg",
            "analyze --force --report folder/inner.jpg --recursive -- .",
            "analyze --force --report link-to-here/folder/inner.jpg --recursive -- folder",
            "analyze --force --report hard.jpg --recursive -- folder-of-victim",
            "analyze --force --timeline victim.jpg -- victim.jpg",
            "analyze --force --timeline hard.jpg -- link.jpg",
            "analyze --report new.html -- new.html",
            "analyze --report new.html -- victim.jpg link-to-here/new.html",
            "analyze --report to-new.html --force -- new.html",
            "analyze --report new.html --timeline new.html -- victim.jpg",
            "analyze --report new.html --timeline ./new.html -- victim.jpg",
            "analyze --report link-to-here/new.html --timeline \"$PWD/new.html\" -- victim.jpg",
            "analyze --force --report old.html --timeline hard-old.html -- victim.jpg",
            "analyze --force --report old.html --timeline to-old.html -- victim.jpg",
            "analyze --force --report old.html -- victim.jpg >> old.html",
            "analyze --force --report hard-old.html -- victim.jpg 2>> old.html",
            "analyze -- victim.jpg >> victim.jpg",
            "analyze -- link.jpg 1<> hard.jpg",
            "analyze --format jsonl --report - -- victim.jpg",
            "analyze --report - --timeline - -- victim.jpg",
            "intervene --pretend nudity --save-cover victim.jpg --force -- victim.jpg",
            "intervene --pretend nudity --save-cover hard.jpg --force -- link.jpg",
            "intervene --pretend nudity --save-cover - -- victim.jpg",
            "copy --force --format png -- victim.jpg victim.jpg",
            "copy --force --format png -- link.jpg hard.jpg",
            "copy --force --format png -- - victim.jpg < hard.jpg",
            "copy --force --format png -- victim.jpg old.html >> hard-old.html",
            "copy --format png -- victim.jpg - >> victim.jpg",
            "copy --format png -- - - < victim.jpg >> hard.jpg",
            "copy --format png -- link.jpg - 1<> hard.jpg",
            "test-pattern --force --output old.html >> hard-old.html",
        ])
    func conflicts(arguments: String) async throws {
        try await ShellFolder.with { folder in
            _ = try await folder.run(
                """
                cp victim.jpg a.jpg; mkdir folder folder-of-victim; mv a.jpg folder/inner.jpg; cp victim.jpg a.jpg
                ln victim.jpg hard.jpg; ln victim.jpg folder-of-victim/x.jpg; ln -s victim.jpg link.jpg
                ln -s . link-to-here; ln -s new.html to-new.html
                echo old > old.html; ln old.html hard-old.html; ln -s old.html to-old.html
                """)
            let before = try folder.state()
            #expect(before.count == 13)
            for arguments in Set([arguments, arguments.replacing("--force ", with: "")]) {
                let outcome = try await folder.run("exec \"$0\" \(arguments)")
                #expect(outcome.exitCode == 64, "\(arguments): \(outcome.exitCode): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
                var after = try folder.state()
                if arguments.contains("2>> old.html") {
                    // The shell has opened it for errors, and there is an error.
                    #expect(try folder.text(of: "old.html").hasPrefix("old\nError: "))
                    for name in ["old.html", "hard-old.html"] { after[name] = before[name] }
                } else {
                    #expect(outcome.errors.hasPrefix("Error: "))
                }
                #expect(after == before)
            }
        }
    }

    @Test(
        "A file that exists is replaced only with --force, and what a link leads to is replaced in its place",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount },
        arguments: ["old", "link", "dangling"],
        [
            ("analyze --report OUT", "victim.jpg", 1), ("analyze --timeline OUT", "clip.gif", 1),
            ("intervene --pretend gore --save-cover OUT", "victim.jpg", 0), ("test-pattern --output OUT", "", 0),
        ])
    func existing(target: String, arguments: (options: String, input: String, exitCode: Int32)) async throws {
        try await ShellFolder.with { folder in
            let made = try await folder.run(
                """
                mkdir elsewhere && ln -s elsewhere/old link && ln -s elsewhere/new dangling && echo old > old
                echo old > elsewhere/old && exec "$0" test-pattern --output clip.gif
                """)
            #expect(made.exitCode == 0)
            let before = try folder.state()
            let options = arguments.options.replacing("OUT", with: target)
            let input = arguments.input.isEmpty ? "" : "-- \(arguments.input)"
            let refused = try await folder.run("exec \"$0\" \(options) \(input)")
            #expect(refused.exitCode == 64 && refused.errors.contains("--force") && refused.output.isEmpty)
            #expect(refused.errors.contains("Error: \(target) "), "\(refused.errors)")
            #expect(try folder.state() == before)

            let forced = try await folder.run("exec \"$0\" \(options) --force \(input)")
            #expect(forced.exitCode == arguments.exitCode, "\(forced.errors)")
            let written = ["old": "old", "link": "elsewhere/old", "dangling": "elsewhere/new"][target] ?? ""
            var after = try folder.state()
            #expect(after[written]?.hasPrefix("NSFileTypeRegular") == true && after[written] != before[written])
            after[written] = before[written]
            #expect(after == before)
        }
    }

    private static let unwritablePaths =
        [
            "missing/out", "folder", "folder/", "folder/..", "victim.jpg/out", "fifo", "to-fifo", "to-full", "self",
            "/proc/out", String(repeating: "x", count: 256),
        ] + (geteuid() == 0 ? [] : ["folder/out"])

    @Test(
        "An output that cannot be written ends the command with 74 before anything is analysed",
        arguments: unwritablePaths)
    func unwritable(path: String) async throws {
        try await ShellFolder.with { folder in
            let made = try await folder.run(
                """
                mkdir folder && mkfifo fifo && ln -s /dev/full to-full && ln -s fifo to-fifo && ln -s self self
                chmod 555 folder
                """)
            #expect(made.exitCode == 0)
            let before = try folder.state()
            for arguments in [
                "analyze --report OUT -- victim.jpg", "analyze --timeline OUT -- victim.jpg",
                "intervene --pretend nudity --save-cover OUT -- victim.jpg", "test-pattern --output OUT",
                "test-pattern --force --output OUT",
            ] {
                let outcome = try await folder.run("exec \"$0\" \(arguments.replacing("OUT", with: path))")
                #expect(outcome.exitCode == 74, "\(arguments) \(outcome.exitCode) \(outcome.errors)")
                #expect(outcome.errors.hasPrefix("Error: \(path) cannot be written"), "\(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            #expect(try folder.state() == before)
        }
    }

    @Test(
        "A model that cannot be kept ends the command with 74",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        arguments: ["HOME=\"$PWD/victim.jpg\" \"$0\" model add -- model", "\"$0\" model compile --prefix prefix"])
    func models(script: String) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                mkdir -p prefix/share/sensitive-content-analysis/models && : > prefix/lib
                ln -s "$SCA_MODELS/open-nsfw" prefix/share/sensitive-content-analysis/models
                mkdir model && ln -s "$SCA_MODELS/open-nsfw/model.onnx" model
                sed 's/"name": "open-nsfw"/"name": "copy"/' "$SCA_MODELS/open-nsfw/manifest.json" > model/manifest.json
                \(script)
                """)
            #expect(outcome.exitCode == 74 && outcome.errors.contains(" cannot be written ("), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("A name that is not UTF-8 is wrong usage, since the file would get another name")
    func misnamed() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run("exec \"$0\" test-pattern --output \"$(printf 'caf\\351.png')\"")
            #expect(outcome.exitCode == 64 && outcome.errors.contains("UTF-8"))
            #expect(try folder.names() == ["victim.jpg"])
        }
    }

    @Test("A report that the disk has no room for ends the command with 74, and leaves the old report")
    func fullDisk() async throws {
        try await ShellFolder.with { folder in
            try folder.write("old", to: "old.html")
            let before = try folder.state()
            // Missing files: their part of the page needs neither a decoder nor a model.
            let names = (0..<60).map { "missing-\($0).jpg" }.joined(separator: " ")
            for out in ["old.html", "new.html"] {
                let outcome = try await folder.run(
                    "ulimit -f 8; exec \"$0\" analyze --force --report \(out) -- \(names)")
                #expect(outcome.exitCode == 74)
                #expect(outcome.errors.contains("Error: \(out) cannot be written"), "\(outcome.errors)")
                #expect(try folder.state() == before)
            }
        }
    }

    @Test(
        "A command that is ended by a signal leaves nothing of its report", arguments: ["TERM", "HUP", "INT", "QUIT"])
    func signals(name: String) async throws {
        try await ShellFolder.with { folder in
            // Tests that run in the background hand on that signals are ignored.
            let outcome = try await folder.run(
                """
                mkfifo in
                {
                    exec 3> in; tries=0
                    while [ "$(ls -A | wc -l)" -lt 4 ] && [ $tries -lt 600 ]; do tries=$((tries + 1)); sleep 0.05; done
                    ls -A | wc -l; kill -\(name) "$(cat pid)"; sleep 60
                } & watcher=$!
                sh -c 'echo $$ > pid; exec env --default-signal=HUP,INT,QUIT "$0" analyze --report new.html -- -' "$0" < in
                echo $?; kill $watcher
                """)
            #expect(outcome.lines == ["4", ["TERM": "143", "HUP": "129", "INT": "130", "QUIT": "131"][name]])
            #expect(!outcome.errors.contains("crash"), "\(outcome.errors)")
            #expect(try folder.names() == ["in", "pid", "victim.jpg"])
        }
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func `A page that cannot be written ends the command with 74, after all results and the totals`() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                mkdir pages; mkfifo in
                {
                    exec 3> in; tries=0
                    while [ -z "$(ls -A pages)" ] && [ $tries -lt 600 ]; do tries=$((tries + 1)); sleep 0.05; done
                    rm -r pages; cat "\(TestFiles.fixtures.appendingPathComponent("plain/plain.jpg").path)" >&3
                } &
                exec "$0" analyze --report pages/page.html -- - victim.jpg < in
                """)
            #expect(
                outcome.exitCode == 74 && outcome.errors.contains("page.html cannot be written"), "\(outcome.errors)")
            #expect(outcome.text.contains("victim.jpg"), "\(outcome.text)")
            #expect(outcome.text.contains("2 files: 1 sensitive, 1 not sensitive"), "\(outcome.text)")
        }
    }

    @Test("A file that replaces another keeps its permissions, of which a report gives up those of others")
    func permissions() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                umask 022; echo old > pattern.png && echo old > report.html && chmod 664 pattern.png report.html
                "$0" test-pattern --force --output pattern.png && "$0" analyze --force --report report.html -- missing.jpg
                stat -c %a pattern.png report.html
                """)
            #expect(outcome.lines.suffix(2) == ["664", "600"], "\(outcome.errors)")
        }
    }

    @Test(
        "A setting that cannot be written ends the command with 74",
        arguments: ["set on", "allow-app firefox", "deny-app firefox", "forget-app firefox"])
    func settings(arguments: String) async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                "XDG_CONFIG_HOME=\"$PWD/victim.jpg\" exec \"$0\" policy \(arguments)")
            #expect(outcome.exitCode == 74 && outcome.output.isEmpty, "\(outcome.exitCode) \(outcome.errors)")
        }
    }

    @Test("policy forget-app takes back the choice for one app, and no other, and says so")
    func forgottenApp() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                export XDG_CONFIG_HOME="$PWD"
                for each in "allow-app chat" "deny-app mail" "forget-app chat" "forget-app mail"; do
                    "$0" policy $each >said || exit
                    tr -d ' \\n' <sensitive-content-analysis/settings.json
                    echo
                done
                cat said
                """)
            let apps = outcome.lines.prefix(4).map {
                $0.contains("chat") ? "chat" : "" + ($0.contains("mail") ? "mail" : "")
            }
            #expect(apps == ["chat", "chat", "mail", ""], "\(outcome.text)\(outcome.errors)")
            #expect(outcome.lines.last?.contains("no choice for mail alone") == true, "\(outcome.text)")
        }
    }

    @Test("Standard output is offered for a cover only where the dialogue does not take it")
    func offers() async throws {
        let outcome = try await Program.sca.run(["intervene", "--save-cover", "", "--", "a.jpg"])
        #expect(outcome.exitCode == 64 && outcome.errors.hasSuffix("Name a file.\n"), "\(outcome.errors)")
        let pattern = try await Program.sca.run(["test-pattern", "--output", ""])
        #expect(pattern.exitCode == 64 && pattern.errors.hasSuffix("or - for standard output.\n"), "\(pattern.errors)")
    }
}
