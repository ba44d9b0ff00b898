// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HelperProtocol

/// A helper process, which is ended when the host drops the last connection to it.
final class HelperProcess: Sendable {
    let kind: HelperKind
    private let child: ChildProcess

    /// Starts a process with a socket to it.
    ///
    /// Only the process holds the other end, so the host notices the end of the process.
    static func start(
        path: String, settings: HelperSettings, kind: HelperKind
    ) throws(HelperProcessError) -> (HelperProcess, MessageSocket) {
        let (socket, helperSocket) = try sockets()
        return (
            try HelperProcess(path: path, arguments: settings.arguments, socket: helperSocket, kind: kind), socket
        )
    }

    /// - Parameter socket: becomes the descriptor 3 of the process.
    private init(path: String, arguments: [String], socket: MessageSocket, kind: HelperKind) throws(HelperProcessError)
    {
        self.kind = kind
        do {
            child = try ChildProcess(
                path: path, arguments: arguments, environment: Self.environment, descriptors: [socket.number])
        } catch {
            throw .cannotStart(error)
        }
    }

    deinit {
        // A helper should end when its socket is closed, but a helper that was taken over might not.
        child.kill()
    }

    static func sockets() throws(HelperProcessError) -> (MessageSocket, MessageSocket) {
        do { return try MessageSocket.pair() } catch { throw .cannotStart(error) }
    }

    static func memory() throws(HelperProcessError) -> PixelMemory {
        do { return try PixelMemory() } catch { throw .cannotStart(error) }
    }

    func kill() {
        child.kill()
    }

    var identifier: Int32 { child.identifier }

    /// The processor time that the process has used, or nil if it is unknown.
    var processorTime: Duration? { child.processorTime }

    /// Whether the process has ended already.
    var hasEnded: Bool { child.ending(within: 0) != nil }

    /// Whether another program has stopped the process.
    var isStopped: Bool { child.isStopped }

    /// The kind of end of the process, or nil while it has not ended.
    func ending() -> ChildProcess.Ending? { child.ending(within: 0) }

    /// Waits for the end of a process whose connection is closed, and kills a process that goes on.
    func endingAfterClosing() -> ChildProcess.Ending? { child.endingAfterClosing() }

    /// The environment without any variable of the host, because libraries obey many variables and some change scores.
    ///
    /// Swift's own crash reports are off. They would take seconds and read memory that hostile media has shaped.
    static let environment = ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]
}
