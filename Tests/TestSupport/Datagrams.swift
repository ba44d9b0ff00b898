// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import Glibc

/// Datagrams of RTP that ffmpeg sends to a socket of this process.
package enum Datagrams {
    /// Returns the datagrams that ffmpeg sends with these arguments, which name the input and the encoder.
    package static func make(_ arguments: [String]) async throws -> [[UInt8]] {
        try await TestFiles.withFolder { folder in
            let path = folder.appendingPathComponent("rtp").path
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            guard isBound else { throw CocoaError(.fileWriteUnknown) }
            let hasEnded = Shared(false)
            // Receiving blocks, and tests share few threads.
            let received = AsyncStream<[[UInt8]]> { continuation in
                Thread.detachNewThread {
                    continuation.yield(receive(descriptor) { hasEnded.value })
                    continuation.finish()
                }
            }
            // A full socket makes ffmpeg wait, so nothing is lost.
            let outcome = try await Program(
                executable: TestVideo.program ?? URL(fileURLWithPath: "/usr/bin/ffmpeg"),
                environment: ["PATH": "/usr/bin:/bin"]
            ).run(
                ["-v", "error", "-nostdin"] + arguments
                    + ["-packetsize", "1200", "-type", "datagram", "-f", "rtp", "unix:\(path)"])
            hasEnded.change { $0 = true }
            let datagrams = await received.first { _ in true } ?? []
            guard outcome.exitCode == 0 else { throw TestVideo.Failure(words: outcome.errors) }
            return datagrams
        }
    }

    /// Receives until the sender has ended and nothing is left.
    private static func receive(_ descriptor: Int32, _ hasEnded: () -> Bool) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while true {
            let isLast = hasEnded()
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) > 0 else {
                if isLast { return datagrams }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { datagrams.append(Array(buffer[..<count])) }
        }
    }

    /// Returns the description of a session with one video.
    package static func description(_ codec: String) -> String {
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=test\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
            + "a=rtpmap:96 \(codec)/90000\r\n"
    }
}
