// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import Glibc
import HelperHost
import HelperProtocol
import LiveStreams
import TestSupport
import Testing

/// The process that decodes an encoded live stream, seen from outside.
@Suite(
    .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"),
    .enabled(if: getuid() == 0, "Only root may look at the descriptors of a decoder. Run the tests as root."))
struct StreamProcessTests {
    /// The descriptors of a process, and the flags with which each was opened.
    private static func descriptors(of process: Int) throws -> [(target: String, flags: Int)] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/\(process)/fd").map { number in
            let target = try files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(number)")
            let lines = try String(contentsOfFile: "/proc/\(process)/fdinfo/\(number)", encoding: .utf8)
                .split(separator: "\n")
            let flags = lines.first { $0.hasPrefix("flags:") }?.split(separator: "\t").last.flatMap {
                Int($0, radix: 8)
            }
            return (target, flags ?? -1)
        }
    }

    /// Decodes a stream whose end does not come, and returns the descriptors of its process.
    static func descriptorsInMidStream() async throws -> [(target: String, flags: Int)] {
        let data = try await EncodedStreamTests.stream(EncodedStreamTests.containers[0])
        let (frames, continuation) = AsyncStream.makeStream(of: Void.self)
        let decoder = try EncodedStreamTests.pool.decodeStream(StreamRequest(format: .transportStream)) { event in
            if case .frame = event { continuation.yield() } else { continuation.finish() }
        }
        defer { decoder.end() }
        await decoder.send([UInt8](data))
        for await _ in frames { break }
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        let children = tasks.flatMap { task in
            let list = try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)
            return list?.split(separator: " ").compactMap { Int($0) } ?? []
        }
        return try children.flatMap { try descriptors(of: $0) }
    }

    @Test(
        "A decoder holds its connection, the memory of its frames and the reading end of a pipe, and no more")
    func descriptors() async {
        // A process of its own has no other children.
        await #expect(processExitsWith: .success) {
            let found = try await StreamProcessTests.descriptorsInMidStream()
            let pipes = found.filter { $0.target.hasPrefix("pipe:") }
            #expect(pipes.count == 1 && pipes.allSatisfy { $0.flags & Int(O_ACCMODE) == Int(O_RDONLY) })
            #expect(found.count { $0.target.hasPrefix("socket:") } == 1)
            let known = ["pipe:", "socket:", "/memfd:sca-pixels", "/dev/null"]
            #expect(found.allSatisfy { entry in known.contains { entry.target.hasPrefix($0) } }, "\(found)")
        }
    }
}
