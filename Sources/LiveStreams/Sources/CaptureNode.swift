// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import FileAccess
internal import Glibc
package import HelperHost
internal import HelperProtocol

/// A node of PipeWire, such as a camera or a shared screen.
package struct CaptureNode: Sendable {
    /// The name or the serial number of the node, or "id:" and its number.
    package var target: String
    /// A connection to PipeWire, such as the portal for screens gives it; nil for the usual one.
    package var remote: OwnedDescriptor?

    package init(target: String, remote: OwnedDescriptor? = nil) {
        self.target = target
        self.remote = remote
    }

    /// Creates a node that is reached over a copy of this descriptor.
    package init(target: String, remoteCopiedFrom descriptor: Int32) {
        // The request refuses a descriptor that could not be copied.
        self.init(target: target, remote: OwnedDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)))
    }

    /// - Throws: `invalidArgument` if the connection is no open socket.
    func request(_ limits: AnalysisLimits, isForOtherPlayer: Bool) throws(AnalysisFailure) -> NodeCaptureRequest {
        if let remote {
            var status = stat()
            guard unsafe fstat(remote.number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                throw AnalysisFailure(
                    .invalidArgument,
                    "The connection to PipeWire is no open socket. Pass the descriptor of OpenPipeWireRemote.")
            }
        }
        return NodeCaptureRequest(
            target: target, maximumEdge: limits.maximumEdge, maximumPixelCount: limits.maximumPixelCount,
            hasRemote: remote != nil, isForOtherPlayer: isForOtherPlayer)
    }
}

extension LiveCapture {
    /// Starts the capture from a node of PipeWire, by a program of its own.
    ///
    /// The program does not wait for slow decoding: it drops older frames.
    ///
    /// - Parameters:
    ///   - start: starts the program.
    ///   - decode: starts a decoder of Matroska.
    ///   - receive: called with each frame and with the end, on one thread at a time.
    /// - Throws: `AnalysisFailure` if the system has no thread left.
    package convenience init(
        node start: @escaping StartProgram, decode: @escaping Decode,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws {
        try self.init(receive: receive) { capture in
            let program = try start()
            capture.hold(program)
            var decoder = try capture.startDecoder(decode)
            while let record = try program.nextRecord(), !capture.hasEnded {
                switch record {
                case .bytes(let bytes): decoder.sendAndBlock(bytes)
                case .nextStream:
                    capture.finishDecoder(decoder)
                    // A source that changes with each frame must not start a process for each.
                    usleep(Self.pauseBeforeNextStream)
                    decoder = try capture.startDecoder(decode)
                }
            }
            guard !capture.hasEnded else { return }
            try program.checkEnding()
            capture.finishDecoder(decoder)
        }
    }

    /// In microseconds.
    private static let pauseBeforeNextStream: UInt32 = 200_000
}
