// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import FileAccess
import Foundation
import HelperHost
import HelperProtocol
import LiveStreams
import TestSupport
import Testing

@testable import PipeWireCapture

/// Captures by a script in the place of the program, whose frames are decoded by the real decoder.
@Suite(.timeLimit(.minutes(2)))
struct NodeCaptureTests {
    private static let decoders = HelperPool(
        locator: HelperLocator(name: HelperKind.videoDecoder.executableName, folders: [TestFiles.products.path]),
        maximumCount: 1, settings: HelperSettings(), kind: .videoDecoder)

    @Test("Frames of several sizes arrive in their order, and then the end")
    func framesArrive() async throws {
        let file = try RecordFile()
        for (level, width) in [(40, 64), (90, 64), (200, 96)] as [(UInt8, UInt32)] {
            #expect(file.output.write(level: level, width: width, height: 48))
        }
        let events = try await events(of: "cat '\(file.path)' >&3")
        let frames = events.compactMap { event in
            if case .frame(let frame) = event { frame } else { nil }
        }
        #expect(frames.map(\.pixels.width) == [64, 64, 96])
        #expect(frames.map { $0.memory.withBytes { $0[0] } } == [40, 90, 200])
        guard case .end? = events.last else {
            Issue.record("the capture ended with \(events.suffix(1))")
            return
        }
    }

    @Test(arguments: NodeCaptureEnding.allCases.filter { $0 != .ended })
    func `Each exit code of the program is a failure of its own, with the remedy`(_ ending: NodeCaptureEnding)
        async throws
    {
        let failure = try await failure(of: "exit \(ending.rawValue)")
        #expect(!failure.message.contains("unexpectedly"))
        #expect(failure.message.contains(". ") || failure.message.contains(": "))
    }

    @Test(arguments: ["kill -9 $$", "exit 99", "printf '\\377\\377\\377\\377' >&3", "kill -SEGV $$"])
    func `A program that is killed, sends something else or exits with an unknown code is a failure`(_ commands: String)
        async throws
    {
        #expect(try await failure(of: commands).code == .decoderFailed)
    }

    @Test func `Frames that the decoder refuses end the capture with its failure, and end the program`() async throws {
        let failure = try await failure(of: "printf '\\004\\000\\000\\000abcd' >&3; exec 3>&-; exit 0")
        #expect(failure.code == .malformedMedia)
    }

    @Test func `A program that is missing is a failure that names it`() async throws {
        let failure = try await failure(in: "/nonexistent")
        #expect(failure.code == .decoderUnavailable && failure.message.contains(NodeCaptureRequest.executableName))
    }

    @Test func `The program gets its request, the place of PipeWire, the connection, and nothing else`() async throws {
        let folder = try TemporaryFolder()
        let seen = folder.path + "/seen"
        let remote = OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        _ = try await events(
            of:
                "{ echo \"$@\"; env | cut -d= -f1 | sort; ls /proc/$$/fd; readlink /proc/$$/fd/4; } > '\(seen)'; exit 3",
            remote: remote)
        let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "65535 100000000 remote own")
        #expect(lines.last == "/dev/null")
        let names = Set(lines.dropFirst().dropLast().map(String.init))
        let allowed: Set = [
            "LC_ALL", "SWIFT_BACKTRACE", "PWD", "SHLVL", "_", "OLDPWD", "0", "1", "2", "3", "4", "255", "10",
        ]
        #expect(names.isSubset(of: allowed.union(NodeCaptureRequest.environmentNames)), "\(names)")
        #expect(names.isSuperset(of: ["3", "4"]))
    }

    @Test func `The end of a capture ends the program`() async throws {
        let folder = try TemporaryFolder()
        let seen = folder.path + "/identifier"
        let locator = try script("echo $$ > '\(seen)'; exec sleep 600", in: folder)
        let capture = try self.capture(locator) { _ in }
        let identifier = try await identifier(in: seen)
        #expect(kill(identifier, 0) == 0)
        capture.end()
        for _ in 0..<500 where kill(identifier, 0) == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(kill(identifier, 0) != 0)
    }

    // MARK: The script

    private func identifier(in path: String) async throws -> pid_t {
        for _ in 0..<500 {
            if let text = try? String(contentsOfFile: path, encoding: .utf8),
                let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
            {
                return number
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CancellationError()
    }

    /// Puts a link to the shell into the place of the program, which runs the target of its request.
    private func script(_ commands: String, in folder: TemporaryFolder) throws -> HelperLocator {
        try "\(commands)\n".write(toFile: folder.path + "/commands", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(NodeCaptureRequest.executableName)", withDestinationPath: "/bin/bash")
        return .captureProgram(in: [folder.path])
    }

    private func capture(
        _ locator: HelperLocator, remote: OwnedDescriptor? = nil,
        _ receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> LiveCapture {
        let limits = AnalysisLimits()
        let commands = (try? locator.path()).map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/commands"
        }
        let request = NodeCaptureRequest(
            target: commands ?? "node", maximumEdge: limits.maximumEdge, maximumPixelCount: limits.maximumPixelCount,
            hasRemote: remote != nil)
        return try LiveCapture(
            node: { () throws(AnalysisFailure) in try CaptureProgram(locator, request, remote: remote) },
            decode: { receive in
                try Self.decoders.decodeStream(StreamRequest(format: .matroska), beginning: [], receive: receive)
            }, receive: receive)
    }

    private func events(of commands: String, remote: OwnedDescriptor? = nil) async throws -> [LiveStreamEvent] {
        let folder = try TemporaryFolder()
        return try await events(at: try script(commands, in: folder), remote: remote)
    }

    private func events(at locator: HelperLocator, remote: OwnedDescriptor? = nil) async throws -> [LiveStreamEvent] {
        let (stream, continuation) = AsyncStream<LiveStreamEvent>.makeStream()
        let capture = try capture(locator, remote: remote) { event in
            continuation.yield(event)
            if case .frame = event { return }
            continuation.finish()
        }
        defer { capture.end() }
        var events: [LiveStreamEvent] = []
        for await event in stream { events.append(event) }
        return events
    }

    private func failure(of commands: String) async throws -> AnalysisFailure {
        try Self.failure(try await events(of: commands))
    }

    private func failure(in folder: String) async throws -> AnalysisFailure {
        try Self.failure(try await events(at: .captureProgram(in: [folder])))
    }

    private static func failure(_ events: [LiveStreamEvent]) throws -> AnalysisFailure {
        guard case .failure(let failure)? = events.last else {
            Issue.record("the capture ended with \(events.suffix(1))")
            throw CancellationError()
        }
        return failure
    }
}

/// A folder that lives as long as the test.
private final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.path + "/sca-test-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
