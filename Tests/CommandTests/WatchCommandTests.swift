// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import LiveStreams
import TestSupport
import Testing

@testable import SCATool

/// The command that judges streams while they run.
@Suite(
    "sca watch", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount }, .timeLimit(.minutes(3)))
struct WatchCommandTests {
    /// Returns a Y4M stream of grey frames, with the test pattern in the frames of a range.
    static func stream(frames: Int, pattern: Range<Int> = 0..<0) async throws -> Data {
        var data = Data("YUV4MPEG2 W320 H240 F10:1 C420jpeg\n".utf8)
        let picture = try await patternLuma()
        let row = (0..<320).map { UInt8(60 + $0 / 4) }
        let gradient = Data((0..<240).flatMap { _ in row })
        for number in 0..<frames {
            data += Data("FRAME\n".utf8)
            data += pattern.contains(number) ? picture : gradient
            data += Data(repeating: 128, count: 320 * 120)
        }
        return data
    }

    /// Returns the luma of a frame with the test pattern, which the command itself writes.
    static func patternLuma() async throws -> Data {
        try await TestFiles.withFolder { folder in
            let png = folder.appendingPathComponent("pattern.png").path
            _ = try await Program.sca.run(["test-pattern", "--output", png])
            var ffmpeg = Program.sca
            ffmpeg.executable = URL(fileURLWithPath: "/usr/bin/ffmpeg")
            return try await ffmpeg.run([
                "-v", "error", "-i", png, "-vf", "scale=240:240,pad=320:240:40:0", "-pix_fmt", "gray", "-f", "rawvideo",
                "-",
            ]).output
        }
    }

    /// The number of sharp edges between neighbouring samples.
    static func edgeCount(_ samples: ArraySlice<UInt8>) -> Int {
        zip(samples, samples.dropFirst()).count { abs(Int($0) - Int($1)) > 60 }
    }

    static func watch(_ arguments: [String], _ input: Data, testMode: Bool = false) async throws -> Program.Outcome {
        var program = Program.sca
        if testMode { program.environment["SCA_TEST_MODE"] = "1" }
        return try await program.run(["watch"] + arguments, input: input)
    }

    /// Writes a program for --exec.
    static func writeProgram(_ text: String, to file: URL) throws {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
    }

    @Test("A narrow table leaves room for the names, and rows without room are counted by their states")
    func narrowTable() {
        var row = WatchRow(path: "/videos/meeting.mp4", frameCount: 1234, judgedCount: 123)
        row.state = WatchState(name: .sensitive)
        #expect(row.text(columns: 39, showsStyles: false) == "SENSITIVE      00:00.0  /videos/meeting")
        #expect(row.text(columns: 100, showsStyles: false).contains("    1234     123  /videos/meeting.mp4"))
        let others = [row, WatchRow(path: "a"), WatchRow(path: "b")]
        #expect(WatchRow.summary(of: others) == "and 3 more: 1 sensitive, 2 waiting")
    }

    @Test("A stream that was sensitive stays so in the result, although it ends harmless") func result() {
        var row = WatchRow(path: "film.mp4")
        #expect(row.result == "film.mp4: no frame was judged")
        row.judgedCount = 2
        #expect(row.result == nil)
        row.time = .seconds(2)
        row.enter(WatchState(name: .unknown, reason: "the machine is too busy to judge it in time"))
        row.enter(WatchState(name: .notSensitive))
        #expect(row.result == "film.mp4: unknown at 00:02.0: the machine is too busy to judge it in time")
        row.time = .seconds(65)
        row.enter(WatchState(name: .sensitive, types: [.sexuallyExplicit]))
        row.enter(WatchState(name: .notSensitive))
        #expect(row.result == "film.mp4: sensitive at 01:05.0 (sexuallyExplicit)")
    }

    @Test("A picture is no video to play, and the message says so") func picture() async throws {
        let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg").path
        let outcome = try await Self.watch([picture], Data())
        #expect(outcome.exitCode == 2)
        #expect(outcome.text.contains("The file has pictures, and no video to play. Analyse it as a file instead."))
    }

    @Test("A file of which a part could not be played is unknown, as it is for sca analyze") func incompleteFile()
        async throws
    {
        let names = ["-references-exchanged.webm", "-upper-edge-cut-off.mp4"]
        let folder = TestFiles.fixtures.path
        for name in names {
            let path = try #require(
                FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.first {
                    $0.hasSuffix(name)
                })
            let outcome = try await Self.watch(["--format", "jsonl", "\(folder)/\(path)"], Data())
            #expect(outcome.exitCode == 2, "\(path): \(outcome.text)")
            #expect(outcome.text.contains("\"state\":\"unknown\""))
        }
    }

    @Test(arguments: [
        ["--delay", "1", "-"], ["--exec", "/nowhere", "-"], ["--exec", "/", "-"], ["--pixel-format", "nv12", "-"],
    ])
    func `Options without an effect are refused`(_ arguments: [String]) async throws {
        let outcome = try await Self.watch(arguments, Data())
        #expect(outcome.exitCode == 64 && !outcome.errors.contains("<subcommand>"))
    }

    @Test(
        "An input that is no stream of this machine is refused with the way to watch it",
        arguments: [
            ("rtsp://camera/1", "-i ADDRESS -c copy -f mpegts - | sca watch -"),
            ("udp://192.168.1.1:5000", "udp://127.0.0.1:PORT"), ("udp://127.0.0.1:99999", "no port from 1 to 65535"),
            ("udp://127.0.0.1:5000/", "no port from 1 to 65535"), ("/dev/nowhere", "There is no /dev/nowhere"),
            ("/", "sca analyze --recursive"),
        ])
    func noFile(_ input: String, _ remedy: String) async throws {
        let outcome = try await Self.watch([input], Data())
        #expect(outcome.exitCode == 64 && outcome.errors.contains(remedy))
    }

    @Test("An input in the wrong place is unknown, and the message says how to pass it")
    func wrongPlace() async throws {
        let outcome = try await Self.watch(["-"], Data(repeating: 7, count: 5000))
        #expect(outcome.exitCode == 2 && outcome.text.contains("in no format that is read here"))
        let raw = try await Self.watch(["--raw", "64x36@30", "-"], Data(repeating: 7, count: 5000))
        #expect(raw.exitCode == 2 && raw.text.contains("Check that --raw and --pixel-format"))
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.y4m")
            try await Self.stream(frames: 1).write(to: file)
            let outcome = try await Self.watch([file.path], Data())
            #expect(outcome.exitCode == 2 && outcome.text.contains("sca watch - < FILE"))
        }
    }

    @Test func `A program of --exec that cannot be started ends with 74, whatever was found`() async throws {
        try await TestFiles.withFolder { folder in
            let script = folder.appendingPathComponent("alert")
            try Self.writeProgram("#!/nowhere\n", to: script)
            let outcome = try await Self.watch(
                ["--exec", script.path, "-"], Self.stream(frames: 10, pattern: 5..<10), testMode: true)
            #expect(outcome.exitCode == 74 && outcome.errors.contains("alert could not be started. Check"))
        }
    }

    @Test("A program of --exec that is slow still gets the change to sensitive, and the newest change")
    func slowProgram() async throws {
        try await TestFiles.withFolder { folder in
            let (script, log) = (folder.appendingPathComponent("alert"), folder.appendingPathComponent("log"))
            try Self.writeProgram("#!/bin/sh\necho \"$1\" >>'\(log.path)'\nsleep 0.3\n", to: script)
            let hook = WatchHook(path: script.path)
            for words in ["waiting", "sensitive", "unknown", "sensitive", "not sensitive", "unknown"] {
                hook.call(words, stream: "a")
            }
            await hook.finish()
            #expect(try String(contentsOf: log, encoding: .utf8) == "waiting\nsensitive\nunknown\n")
            #expect(!hook.hasFailed)
        }
    }

    @Test func `A program of --exec that does not end, or leaves a child behind, hides no later change`() async throws {
        try await TestFiles.withFolder { folder in
            let (script, log) = (folder.appendingPathComponent("alert"), folder.appendingPathComponent("log"))
            let leavesChild = "#!/bin/sh\necho \"$1\" >>'\(log.path)'\nsleep 3 </dev/null >/dev/null 2>&1 &\n"
            let hangs =
                "#!/bin/sh\necho \"$1 $(grep SigBlk /proc/self/status | tr -d '\t')\" >>'\(log.path)'\nexec sleep 3\n"
            for (text, expected) in [
                (leavesChild, "waiting\nsensitive\n"),
                (hangs, "waiting SigBlk:0000000000000000\nsensitive SigBlk:0000000000000000\n"),
            ] {
                try? FileManager.default.removeItem(at: log)
                try Self.writeProgram(text, to: script)
                let hook = WatchHook(path: script.path, patience: 500)
                hook.call("waiting", stream: "a")
                hook.call("sensitive", stream: "a")
                while (try? String(contentsOf: log, encoding: .utf8)) != expected {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(hook.hasFailed == (text == hangs))
            }
        }
    }

    @Test("A file is played by the times of its frames, and has no speed if these do not grow") func playbackClock()
        throws
    {
        let clock = PlaybackClock()
        let start = try clock.moment(of: .zero)
        for index in 0..<100 {
            #expect(try clock.moment(of: .milliseconds(index / 20)) == start + .milliseconds(index / 20))
        }
        #expect(throws: AnalysisFailure.self) { for _ in 0..<40 { _ = try clock.moment(of: .milliseconds(2)) } }
    }

    @Test("A message about a stream that has ended does not change its last state") func lateMessage() {
        let display = WatchDisplay(["a"], .tableOnStandardError, policy: .simple, hook: nil)
        display.countJudgement(0)
        display.change(0, WatchState(name: .notSensitive))
        display.end(0)
        display.change(0, WatchState(name: .sensitive))
        #expect(display.exitCode == 0)
    }

    @Test("A harmless stream ends with 0, and a line for each change") func harmless() async throws {
        var outcome = try await Self.watch(["--format", "jsonl", "-"], Self.stream(frames: 10))
        // A machine that stops for a second makes any stream unknown, which is right and says nothing about the rest.
        for _ in 1...4 where outcome.text.contains("too busy") {
            outcome = try await Self.watch(["--format", "jsonl", "-"], Self.stream(frames: 10))
        }
        #expect(outcome.exitCode == 0)
        let states = try outcome.lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(states.map { $0["state"] as? String } == ["notSensitive", "ended"])
    }

    @Test("A stream with the test pattern ends with 1, and the program of --exec gets the state in words")
    func sensitive() async throws {
        try await TestFiles.withFolder { folder in
            let (script, log) = (folder.appendingPathComponent("alert"), folder.appendingPathComponent("log"))
            try Self.writeProgram("#!/bin/sh\nprintf '%s|%s|%s\\n' \"$#\" \"$1\" \"$2\" >>'\(log.path)'\n", to: script)
            let outcome = try await Self.watch(
                ["--format", "jsonl", "--exec", script.path, "-"], Self.stream(frames: 15, pattern: 8..<15),
                testMode: true)
            #expect(outcome.exitCode == 1)
            #expect(outcome.text.contains("\"state\":\"sensitive\",\"detectedTypes\":[\"sexuallyExplicit\"]"))
            let calls = try String(contentsOf: log, encoding: .utf8)
            #expect(calls.contains("2|sensitive|-\n"))
        }
    }

    @Test(
        "An encoded stream from a pipe is judged, and ends with 1 if it shows the pattern",
        arguments: ["mpegts", "matroska"])
    func encoded(_ format: String) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream")
            for (pattern, exitCode) in [(0..<0, 0), (40..<60, 1)] as [(Range<Int>, Int32)] {
                let raw = folder.appendingPathComponent("raw.y4m")
                try await Self.stream(frames: 60, pattern: pattern).write(to: raw)
                try await TestVideo.make(
                    file, ["-i", raw.path, "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-f", format])
                let outcome = try await Self.watch(
                    ["--format", "jsonl", "-"], try Data(contentsOf: file), testMode: true)
                #expect(outcome.exitCode == exitCode, "\(outcome.text)")
            }
        }
    }

    @Test("With an output, the frames of the pattern are covered and the other frames are the same") func output()
        async throws
    {
        let input = try await Self.stream(frames: 30, pattern: 20..<30)
        let outcome = try await Self.watch(["--output", "-", "--delay", "1", "-"], input, testMode: true)
        #expect(outcome.exitCode == 1)
        let (frame, header) = (320 * 240 * 3 / 2 + 6, Data("YUV4MPEG2 ".utf8))
        #expect(outcome.output.starts(with: header))
        let end = try #require(outcome.output.firstIndex(of: UInt8(ascii: "\n"))) + 1
        let frames = (outcome.output.count - end) / frame
        #expect(frames >= 20 && (outcome.output.count - end) % frame == 0)
        let first = try #require(input.firstIndex(of: UInt8(ascii: "\n"))) + 1
        let harmless = input[first..<(first + frame)], altered = input[(input.count - frame)...]
        let written = (0..<frames).map { outcome.output[(end + $0 * frame)..<(end + ($0 + 1) * frame)] }
        #expect(written.contains { $0.elementsEqual(harmless) })
        #expect(!written.contains { $0.elementsEqual(altered) })
    }

    @Test(
        "Of an encoded stream with an output, the pattern is covered and the time is kept",
        arguments: [
            ["-g", "10", "-f", "mpegts"], ["-g", "10", "-f", "flv"], ["-vf", "transpose=1", "-f", "matroska"],
        ])
    func encodedOutput(_ options: [String]) async throws {
        try await TestFiles.withFolder { folder in
            let (raw, file) = (folder.appendingPathComponent("raw.y4m"), folder.appendingPathComponent("stream"))
            try await Self.stream(frames: 40, pattern: 20..<30).write(to: raw)
            try await TestVideo.make(
                file, ["-i", raw.path, "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency"] + options)
            let outcome = try await Self.watch(
                ["--output", "-", "--delay", "1", "-"], Data(contentsOf: file), testMode: true)
            #expect(outcome.exitCode == 1, "\(outcome.errors)")
            let end = try #require(outcome.output.firstIndex(of: UInt8(ascii: "\n"))) + 1
            let header = String(decoding: outcome.output[..<end], as: UTF8.self)
            let isTurned = options.contains("transpose=1")
            #expect(header.hasPrefix("YUV4MPEG2 \(isTurned ? "W240 H320" : "W320 H240") F10:1 Ip A1:1 C420jpeg"))
            let frame = 320 * 240 * 3 / 2 + 6
            let count = (outcome.output.count - end) / frame
            #expect((outcome.output.count - end) % frame == 0 && (38...41).contains(count))
            let bytes = [UInt8](outcome.output[end...])
            let edges = (0..<count).map { Self.edgeCount(bytes[($0 * frame + 6)..<($0 * frame + 6 + 320 * 240)]) }
            // Covers have a few patches of colour, and the pattern has hundreds of small squares.
            let ofPattern = Self.edgeCount([UInt8](try await Self.patternLuma())[...])
            #expect(ofPattern > 2000 && edges.allSatisfy { $0 < ofPattern / 4 }, "\(ofPattern): \(edges)")
        }
    }

    @Test(
        "A stream that is no Y4M or ends within a frame is unknown, with a reason",
        arguments: ["", "hello\n", "YUV4MPEG2 W64 H64 C444\n", "YUV4MPEG2 W64 H64\nFRAME\nabc", "YUV4MPEG2 W0 H1\n"])
    func damaged(_ text: String) async throws {
        let outcome = try await Self.watch(["--format", "jsonl", "-"], Data(text.utf8))
        #expect(outcome.exitCode == 2)
        #expect(outcome.lines.first?.contains("\"state\":\"unknown\",\"reason\":\"") == true)
    }

    @Test(
        "Wrong usage ends with 64",
        arguments: [
            [], ["-", "-"], ["--output", "file", "-"], ["--delay", "3", "-"], ["--raw", "640", "-"],
            ["--raw", "640x360", "-"], ["--raw", "99999x99999@30", "-"], ["--output", "-", "film.mp4"],
            ["--exec", "/nowhere", "-"], ["--size", "640", "/dev/null"], ["--size", "640x360@30", "-"],
            ["--size", "99999x1@30", "/dev/null"], ["--sdp", "/dev/null", "-"],
            ["--sdp", "/nowhere", "udp://127.0.0.1:5000"],
            ["--sdp", "/nowhere", "--output", "-", "udp://127.0.0.1:5000"], ["--output", "-", "/dev/null", "-"],
        ])
    func usage(_ arguments: [String]) async throws {
        #expect(try await Self.watch(arguments, Data()).exitCode == 64)
    }

    @Test("A file that is missing or no video is unknown") func noVideo() async throws {
        let outcome = try await Self.watch(["--", "/nowhere.mp4"], Data())
        #expect(outcome.exitCode == 2 && outcome.text.contains("unknown"))
    }

    @Test("A finding remains the state until the stream is judged again") func states() {
        let finding = StreamFinding(
            level: .strong, types: [.sexuallyExplicit], score: 1, modelName: "m", policy: .simple)
        let sensitive = WatchState(.covered(finding), after: nil)
        #expect(sensitive?.name == .sensitive)
        #expect(WatchState(.unknown(.notYetJudged), after: sensitive) == nil)
        #expect(WatchState(.judged, after: sensitive)?.name == .notSensitive)
        #expect(WatchState(.unknown(.late), after: sensitive)?.name == .unknown)
    }

    @Test("A row fits into the columns of the terminal and shows no control characters") func row() {
        var row = WatchRow(path: "a\u{1B}[2Jb.mp4")
        row.state = WatchState(name: .unknown, reason: "late")
        let text = row.text(columns: 40, showsStyles: false)
        #expect(text.count <= 40 && !text.contains("\u{1B}"))
    }
}
