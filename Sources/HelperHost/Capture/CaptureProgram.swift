// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
internal import Foundation
internal import Glibc
package import HelperProtocol
internal import Synchronization

/// The program that captures the video of a node of PipeWire, and the pipe from it.
package final class CaptureProgram: Sendable {
    private let process: ChildProcess
    private let reading: OwnedDescriptor
    private let hasRecord = Mutex(false)

    /// Starts the program.
    ///
    /// - Parameter remote: a connection to PipeWire, such as the portal for screens gives it; nil for the usual one.
    /// - Throws: `AnalysisFailure` if the program is missing, or the system has no descriptor or process left.
    package init(
        _ locator: HelperLocator, _ request: NodeCaptureRequest, remote: OwnedDescriptor? = nil
    ) throws(AnalysisFailure) {
        let path = try locator.path()
        do throws(TransportError) {
            (process, reading) = try Self.start(path, request, remote)
        } catch {
            throw AnalysisFailure(
                .decoderUnavailable,
                "The program that captures from PipeWire could not be started. Close files or end processes, and try again.",
                cause: error)
        }
    }

    private static func start(
        _ path: String, _ request: NodeCaptureRequest, _ remote: OwnedDescriptor?
    ) throws(TransportError) -> (ChildProcess, OwnedDescriptor) {
        let (reading, writing) = try OwnedDescriptor.pipe()
        var descriptors = [writing]
        if let remote {
            let copy = fcntl(remote.number, F_DUPFD_CLOEXEC, NodeCaptureRequest.remoteDescriptor + 1)
            guard copy >= 0 else { throw .systemCall("fcntl", errno) }
            descriptors.append(OwnedDescriptor(copy))
        }
        let environment = ProcessInfo.processInfo.environment
        let variables = NodeCaptureRequest.environmentNames.compactMap { name in
            environment[name].map { "\(name)=\($0)" }
        }
        let process = try ChildProcess(
            path: path, arguments: request.arguments, environment: HelperProcess.environment + variables,
            descriptors: descriptors.map(\.number))
        return (process, reading)
    }

    deinit { process.kill() }

    /// Waits for the next record; nil after the last.
    ///
    /// - Throws: `decoderFailed` if the program sends something else.
    package func nextRecord() throws(AnalysisFailure) -> NodeRecord? {
        try waitForFirstRecord()
        let header = read(NodeRecord.headerLength)
        guard !header.isEmpty else { return nil }
        guard let length = NodeRecord.length(ofHeader: header) else { throw Self.lie }
        guard length > 0 else { return .nextStream }
        let bytes = read(length)
        // A program that was killed leaves a part of a record.
        return bytes.count == length ? .bytes(bytes) : nil
    }

    /// The program has a time limit of its own, which a daemon that floods it can put off.
    private func waitForFirstRecord() throws(AnalysisFailure) {
        guard !hasRecord.withLock({ $0 }) else { return }
        var entry = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
        var count = unsafe poll(&entry, 1, Self.mostMillisecondsToFirstRecord)
        while count < 0 && errno == EINTR { count = unsafe poll(&entry, 1, Self.mostMillisecondsToFirstRecord) }
        guard count > 0 else {
            process.kill()
            throw NodeCaptureEnding.cannotConnect.failure ?? Self.lie
        }
        hasRecord.withLock { $0 = true }
    }

    /// Ends the program, and with it the records.
    package func end() { process.kill() }

    /// Waits for the end of the program, whose records have ended.
    ///
    /// - Throws: `AnalysisFailure` with the remedy, unless the node has gone or the program was told to end.
    package func checkEnding() throws(AnalysisFailure) {
        guard case .exited(let code)? = process.endingAfterClosing(), let ending = NodeCaptureEnding(rawValue: code)
        else { throw Self.lie }
        if let failure = ending.failure { throw failure }
    }

    private func read(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, position in
            while position < count {
                let step = unsafe Glibc.read(reading.number, buffer.baseAddress! + position, count - position)
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return }
                position += step
            }
        }
    }

    private static let mostMillisecondsToFirstRecord: Int32 = 15_000
    private static let lie = AnalysisFailure(
        .decoderFailed,
        "The program that captures from PipeWire ended unexpectedly. The source is likely to be damaged or hostile.")
}
