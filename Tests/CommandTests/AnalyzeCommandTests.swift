// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// One line of the JSON output.
struct Line: Decodable, Equatable {
    struct Failure: Decodable, Equatable {
        let code: String
        let message: String
    }

    let schema: Int
    let path: String
    let pathBase64: String?
    let media: String?
    let verdict: String
    let detectedTypes: [String]?
    let score: Double?
    let model: String?
    let policy: String?
    let error: Failure?

    static func all(_ outcome: Program.Outcome) throws -> [Line] {
        try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

func fixture(_ path: String) -> String {
    TestFiles.fixtures.appendingPathComponent(path).path
}

@Suite(
    "sca analyze", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct AnalyzeCommandTests {
    static func analyze(_ arguments: [String], testMode: Bool = false, input: Data? = nil) async throws
        -> Program.Outcome
    {
        var program = Program.sca
        if testMode { program.environment["SCA_TEST_MODE"] = "1" }
        // With time for a busy machine: no test here is about the ordinary limit.
        return try await program.run(["analyze", "--format", "jsonl", "--time-limit", "180"] + arguments, input: input)
    }

    /// Runs a script in which `$0` is the command and `$1` the argument.
    static func shell(
        _ script: String, _ argument: String, environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        var shell = Program.sca
        let command = shell.executable.path
        shell.executable = URL(fileURLWithPath: "/bin/sh")
        shell.environment.merge(environment) { _, new in new }
        return try await shell.run(["-c", script, command, argument])
    }

    static func pattern(in folder: URL, type: String = "sexuallyExplicit") async throws -> String {
        let path = folder.appendingPathComponent("pattern-\(type).png").path
        let outcome = try await Program.sca.run(["test-pattern", "--type", type, "--output", path])
        #expect(outcome.exitCode == 0)
        return path
    }

    @Test("sca analyze prints a line for each input in their order, and ends with 0 if none is sensitive")
    func clean() async throws {
        let paths = (0..<20).map { fixture(["plain/plain.jpg", "plain/plain.png", "plain/plain.heic"][$0 % 3]) }
        let outcome = try await Self.analyze(paths)
        #expect(outcome.exitCode == 0)
        let lines = try Line.all(outcome)
        #expect(lines.map(\.path) == paths)
        #expect(lines.allSatisfy { $0.schema == 1 && $0.media == "image" && $0.verdict == "notSensitive" })
        #expect(lines.allSatisfy { $0.model == "open-nsfw" && $0.policy == "simple" && $0.detectedTypes == [] })
        #expect(outcome.errors == "20 files: 0 sensitive, 20 not sensitive, 0 unknown. Model: open-nsfw.\n")
    }

    @Test("The JSON lines have the members of the contract in their order")
    func contract() async throws {
        let outcome = try await Self.analyze([fixture("plain/plain.jpg"), TestFiles.missing])
        let names = ["schema", "path", "media", "verdict", "detectedTypes", "score", "model", "policy"]
        let positions = names.map { outcome.lines[0].range(of: "\"\($0)\":")?.lowerBound }
        #expect(positions.allSatisfy { $0 != nil })
        #expect(positions.compactMap { $0 } == positions.compactMap { $0 }.sorted())
        let failure = #"{"schema":1,"path":"\#(TestFiles.missing)","verdict":"unknown","error":{"code":"#
        #expect(outcome.lines[1].hasPrefix(failure))
    }

    @Test(
        "sca analyze finds the test pattern in test mode only, and then ends with 1",
        arguments: ["sexuallyExplicit", "goreOrViolence"])
    func pattern(type: String) async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(in: folder, type: type)
            let off = try await Self.analyze([pattern])
            #expect(off.exitCode == 0)
            #expect(try Line.all(off).map(\.verdict) == ["notSensitive"])
            let on = try await Self.analyze([fixture("plain/plain.jpg"), pattern, TestFiles.missing], testMode: true)
            #expect(on.exitCode == 1)
            let lines = try Line.all(on)
            #expect(lines.map(\.verdict) == ["notSensitive", "sensitive", "unknown"])
            #expect(lines[1].score == 1 && lines[1].detectedTypes == [type])
        }
    }

    @Test("sca analyze reads standard input")
    func standardInput() async throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture("plain/plain.webp")))
        let outcome = try await Self.analyze(["-"], input: data)
        #expect(outcome.exitCode == 0)
        #expect(try Line.all(outcome).map(\.path) == ["-"])
        let empty = try await Self.analyze(["-"], input: Data())
        #expect(empty.exitCode == 2)
        #expect(try Line.all(empty).first?.error?.code == "unsupportedMedia")
        let large = try await Self.analyze(["-", "--max-bytes", "100"], input: data)
        #expect(try Line.all(large).first?.error?.code == "limitExceeded")
    }

    @Test("Folders are searched, files without media are skipped and counted by kind, and links are not followed")
    func folders() async throws {
        try await TestFiles.withFolder { folder in
            let files = FileManager.default
            let inner = folder.appendingPathComponent("b/inner")
            try files.createDirectory(at: inner, withIntermediateDirectories: true)
            try files.copyItem(atPath: fixture("plain/plain.jpg"), toPath: inner.appendingPathComponent("2").path)
            try files.copyItem(atPath: fixture("plain/plain.png"), toPath: folder.appendingPathComponent("a.txt").path)
            try Data("text".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try Data().write(to: folder.appendingPathComponent("empty.jpg"))
            try files.createSymbolicLink(
                atPath: folder.appendingPathComponent("link.jpg").path, withDestinationPath: fixture("plain/plain.jpg"))
            try files.createSymbolicLink(
                atPath: folder.appendingPathComponent("loop").path, withDestinationPath: folder.path)
            #expect(mkfifo(folder.appendingPathComponent("fifo.jpg").path, 0o600) == 0)
            try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]).write(to: folder.appendingPathComponent("z.jpg"))

            let outcome = try await Self.analyze(["--recursive", folder.path])
            let lines = try Line.all(outcome)
            #expect(lines.map(\.path) == ["a.txt", "b/inner/2", "z.jpg"].map { "\(folder.path)/\($0)" })
            #expect(lines.map(\.verdict) == ["notSensitive", "notSensitive", "unknown"])
            #expect(outcome.exitCode == 2)

            let table = try await Program.sca.run(["analyze", "--recursive", folder.path])
            #expect(
                table.text.contains(
                    "3 files: 0 sensitive, 2 not sensitive, 1 unknown,"
                        + " 5 skipped (1 without pictures, 1 empty, 2 links, 1 pipe or device)."))
        }
    }

    @Test(
        "Wrong usage ends with 64",
        arguments: [
            [], ["-", "-"], ["--policy", "lax", "x"], ["--max-pixels", "-1", "x"], ["--time-limit", "nan", "x"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await Self.analyze(arguments)
        #expect(outcome.exitCode == 64)
        #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    }

    @Test("Files and folders whose names are not UTF-8 are judged, and their exact paths are in the output")
    func misnamed() async throws {
        try await TestFiles.withFolder { folder in
            let pattern = try await Self.pattern(in: folder)
            // "caf\u{E9}.png" in Latin 1, and a folder of such a name.
            let bytes = Array("\(folder.path)/caf".utf8) + [0xE9]
            func path(_ end: String) -> [CChar] { (bytes + Array(end.utf8) + [0]).map { CChar(bitPattern: $0) } }
            #expect(unsafe rename(pattern, path(".png")) == 0)
            #expect(unsafe mkdir(path(""), 0o700) == 0)
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.jpg"), toPath: folder.appendingPathComponent("ok.jpg").path)
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.png"), toPath: folder.appendingPathComponent("inside.png").path)
            #expect(unsafe rename("\(folder.path)/inside.png", path("/inside.png")) == 0)
            let outcome = try await Self.analyze(["-r", folder.path], testMode: true)
            let lines = try Line.all(outcome)
            #expect(lines.map(\.verdict) == ["notSensitive", "sensitive", "notSensitive"])
            let expected = ["/inside.png", ".png"].map { Data(bytes + Array($0.utf8)).base64EncodedString() }
            #expect(lines.map(\.pathBase64) == expected + [nil] && outcome.exitCode == 1)

            // Named as a shell does it, beside a file that has the repaired name.
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.jpg"),
                toPath: folder.appendingPathComponent("caf\u{FFFD}.png").path)
            let named = try await Self.shell(
                "cd \"$1\" && exec \"$0\" analyze --format jsonl -- *.png", folder.path,
                environment: ["SCA_TEST_MODE": "1"])
            let found = try Line.all(named)
            #expect(
                Set(found.map { "\($0.verdict) \($0.pathBase64 ?? "-")" }) == [
                    "sensitive Y2Fm6S5wbmc=", "notSensitive -",
                ])
            let names = try await Self.shell(
                "cd \"$1\" && exec \"$0\" analyze -rl0 .", folder.path, environment: ["SCA_TEST_MODE": "1"])
            #expect(names.output == Data(Array("./caf".utf8) + [0xE9] + Array(".png\0".utf8)))
        }
    }

    @Test("A picture of an unsupported format in a folder is unknown, and not skipped")
    func unreadFormat() async throws {
        try await TestFiles.withFolder { folder in
            try Data("gimp xcf v011\0".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.jpg"), toPath: folder.appendingPathComponent("ok.jpg").path)
            let outcome = try await Self.analyze(["-r", folder.path])
            #expect(try Line.all(outcome).map(\.verdict) == ["unknown", "notSensitive"])
            #expect(try Line.all(outcome).first?.error?.code == "unsupportedMedia" && outcome.exitCode == 2)
        }
    }

    @Test("The totals of JSON lines are on standard error")
    func skipped() async throws {
        try await TestFiles.withFolder { folder in
            try Data("text".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.jpg"), toPath: folder.appendingPathComponent("ok.jpg").path)
            let outcome = try await Self.analyze(["-r", folder.path])
            #expect(outcome.lines.count == 1 && outcome.exitCode == 0)
            let totals = "1 file: 0 sensitive, 1 not sensitive, 0 unknown, 1 skipped (1 without pictures)."
            #expect(outcome.errors == "\(totals) Model: open-nsfw.\n")
        }
    }

    @Test(
        "sca analyze ends with 74, which is no verdict, if its results cannot be written",
        arguments: ["jsonl", "table"])
    func fullDisk(format: String) async throws {
        let outcome = try await Self.shell(
            "exec \"$0\" analyze --format \(format) \"$1\" > /dev/full", fixture("plain/plain.jpg"))
        #expect(outcome.exitCode == 74)
        #expect(outcome.errors.hasPrefix("Error: The results could not be written"))
    }

    @Test(
        "The exit code of sca analyze states the result, whatever happens to its output",
        arguments: [
            ("-r --format jsonl \"$1\" 2>/dev/full", 0), ("-r --format jsonl \"$1\" 2>&-", 0),
            ("-r \"$1\" >/dev/full 2>&1", 74), ("\"$1\" 2>/dev/full", 2), ("--help >/dev/full", 74),
            ("\"$1/ok.jpg\" - >/dev/full 2>&1 </dev/zero", 74),
        ])
    func brokenOutput(arguments: String, exitCode: Int32) async throws {
        try await TestFiles.withFolder { folder in
            try Data("text".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try FileManager.default.copyItem(
                atPath: fixture("plain/plain.jpg"), toPath: folder.appendingPathComponent("ok.jpg").path)
            let outcome = try await Self.shell("exec \"$0\" analyze \(arguments)", folder.path)
            #expect(outcome.exitCode == exitCode)
        }
    }

    @Test("The compiled model is kept also if the group may write to new files", arguments: ["002", "077"])
    func mask(umask: String) async throws {
        try await TestFiles.withFolder { folder in
            let outcome = try await Self.shell(
                "umask \(umask); exec \"$0\" analyze \"$1\"", fixture("plain/plain.jpg"),
                environment: ["XDG_CACHE_HOME": folder.path])
            #expect(outcome.exitCode == 0)
            let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            let names = (all?.compactMap { ($0 as? URL)?.lastPathComponent } ?? []).filter { $0.contains("model") }
            #expect(names == ["model.blob"])
        }
    }

    // A script must be able to tell this from wrong usage, in which nothing was looked at.
    @Test(arguments: [("-r", "."), ("--files-from", "list")])
    func `A folder without media and an empty list end with 66`(option: String, name: String) async throws {
        try await TestFiles.withFolder { folder in
            try Data("text".utf8).write(to: folder.appendingPathComponent("notes.txt"))
            try Data().write(to: folder.appendingPathComponent("list"))
            let outcome = try await Self.analyze([option, folder.appendingPathComponent(name).path])
            #expect(outcome.exitCode == 66 && outcome.output.isEmpty, "\(outcome.text)")
            #expect(outcome.errors.contains("No input was found"))
        }
    }
}
