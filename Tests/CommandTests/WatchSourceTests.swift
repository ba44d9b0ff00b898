// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import SCATool

@Suite("The sources of sca watch")
struct WatchSourceTests {
    @Test(
        "Addresses of loopback are read, and no others",
        arguments: [
            ("127.0.0.1:5000", true), ("127.1.2.3:1", true), ("localhost:65535", true), ("[::1]:5000", true),
            ("0.0.0.0:5000", false), ("192.168.1.1:5000", false), ("[::]:5000", false), ("239.0.0.1:5000", false),
            ("127.0.0.1", false), ("127.0.0.1:0", false), ("127.0.0.1:65536", false), ("localhost.example:5", false),
            ("127.1:5000", false), (":5000", false), ("", false), ("@127.0.0.1:5000", false),
        ])
    func loopback(text: String, isRead: Bool) {
        #expect((LoopbackPort(text[...]) != nil) == isRead)
        #expect((try? WatchSource("udp://" + text)) == LoopbackPort(text[...]).map { .datagrams($0) })
    }

    @Test("Files, pipes, sockets and devices are told apart by their kind")
    func kinds() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file").path
            let pipe = folder.appendingPathComponent("pipe").path
            try Data([1]).write(to: URL(fileURLWithPath: file))
            #expect(mkfifo(pipe, 0o600) == 0)
            let listener = try UnixListener(folder.appendingPathComponent("socket").path)
            #expect(try WatchSource(file) == .file(path: file))
            #expect(try WatchSource(file + ".missing") == .file(path: file + ".missing"))
            #expect(try WatchSource(pipe) == .pipe(path: pipe))
            #expect(try WatchSource(listener.path) == .socket(path: listener.path))
            #expect(try WatchSource("/dev/null") == .device(path: "/dev/null"))
            #expect(try WatchSource("-") == .standardInput)
            #expect(throws: (any Error).self) { try WatchSource(folder.path) }
            #expect(throws: (any Error).self) { try WatchSource("https://127.0.0.1/") }
        }
    }
}

/// A unix socket of streams, to which a program can connect.
final class UnixListener: Sendable {
    let path: String
    private let socket: Int32

    init(_ path: String) throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(socket, 1) == 0 else { throw POSIXError(.EADDRINUSE) }
    }

    deinit { close(socket) }

    /// Waits for a program, on a thread of its own, and sends it these bytes.
    func serve(_ bytes: [UInt8]) {
        Thread.detachNewThread { [self] in
            let connection = accept(socket, nil, nil)
            var position = 0
            while position < bytes.count {
                let count = bytes.withUnsafeBytes {
                    send(connection, $0.baseAddress! + position, bytes.count - position, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                position += count
            }
            close(connection)
        }
    }
}

/// Streams that come from other programs on the machine, with the test pattern from the second 3 on.
@Suite(
    "The live sources of sca watch", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount }, .timeLimit(.minutes(3)))
struct WatchLiveSourceTests {
    /// Runs commands of a shell, in which $SCA is the command in test mode and the others are those of the system.
    private func run(_ commands: String, _ arguments: [String]) async throws -> Program.Outcome {
        var shell = Program.sca
        shell.environment["SCA"] = shell.executable.path
        shell.executable = URL(fileURLWithPath: "/bin/bash")
        shell.environment["SCA_TEST_MODE"] = "1"
        shell.environment["PATH"] = "/usr/bin:/bin"
        return try await shell.run(["-c", commands, "bash"] + arguments)
    }

    private func encode(_ raw: Data, to file: URL) async throws {
        let source = file.appendingPathExtension("y4m")
        try raw.write(to: source)
        try await TestVideo.make(
            file,
            [
                "-i", source.path, "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "5",
                "-bsf:v", "dump_extra", "-f", "mpegts",
            ])
    }

    private func stream() async throws -> Data { try await WatchCommandTests.stream(frames: 50, pattern: 30..<50) }

    @Test("A named pipe with the pattern is sensitive") func pipe() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.ts")
            try await encode(try await stream(), to: file)
            let outcome = try await run(
                #"mkfifo "$1/pipe"; cat "$2" > "$1/pipe" & exec "$SCA" watch --format jsonl "$1/pipe""#,
                [folder.path, file.path])
            #expect(outcome.exitCode == 1, "\(outcome.text) \(outcome.errors)")
        }
    }

    @Test("A unix socket with a Y4M stream of the pattern is sensitive") func socket() async throws {
        let bytes = [UInt8](try await stream())
        try await TestFiles.withFolder { folder in
            let listener = try UnixListener(folder.appendingPathComponent("socket").path)
            listener.serve(bytes)
            let outcome = try await run(#"exec "$SCA" watch --format jsonl "$1""#, [listener.path])
            #expect(outcome.exitCode == 1, "\(outcome.text) \(outcome.errors)")
        }
    }

    @Test("A socket on which nobody listens is unknown, and the message says so") func silentSocket() async throws {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent("socket").path
            do { _ = try UnixListener(path) }
            let outcome = try await run(#"exec "$SCA" watch --format jsonl "$1""#, [path])
            #expect(outcome.exitCode == 2)
            #expect(outcome.text.contains("no program listens on it"), "\(outcome.text) \(outcome.errors)")
        }
    }

    @Test("A device that is no camera is unknown, and the message says so") func noCamera() async throws {
        let outcome = try await run(#"exec "$SCA" watch --format jsonl /dev/null"#, [])
        #expect(outcome.exitCode == 2)
        #expect(outcome.text.contains("no device that captures video"), "\(outcome.text) \(outcome.errors)")
    }

    @Test(
        "Datagrams of a transport stream, and of RTP with a description, are found sensitive", arguments: [false, true])
    func datagrams(isRTP: Bool) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.ts")
            try await encode(try await stream(), to: file)
            let port = "\(20_000 + Int(getpid()) % 20_000 + (isRTP ? 2 : 0))"
            let sends = isRTP ? #"rtp -sdp_file "$1/call.sdp" "rtp://127.0.0.1:$3""# : #"mpegts "udp://127.0.0.1:$3""#
            let commands = """
                # The description must be there before the watcher begins.
                send() { ffmpeg -v error -nostdin -re -t $4 -i "$2" -c copy -f \(sends) > /dev/null; }
                \(isRTP ? #"send "$1" "$2" "$3" 0.2"# : "")
                "$SCA" watch \(isRTP ? #"--output - --sdp "$1/call.sdp""# : "") "udp://127.0.0.1:$3" > "$1/output" &
                watcher=$!
                sleep 2
                send "$1" "$2" "$3" 10
                sleep 1
                # A shell without a terminal makes its background programs ignore the interrupt.
                kill -TERM $watcher
                wait $watcher
                """
            let outcome = try await run(commands, [folder.path, file.path, port])
            #expect(outcome.exitCode == 143)
            let output = try Data(contentsOf: folder.appendingPathComponent("output"))
            let report = isRTP ? outcome.errors : String(decoding: output, as: UTF8.self)
            #expect(report.contains("not sensitive"), "\(report)")
            #expect(report.contains("SENSITIVE"), "\(report)")
            #expect(!isRTP || output.starts(with: Data("YUV4MPEG2 W320 H240 F10:1".utf8)))
        }
    }
}
