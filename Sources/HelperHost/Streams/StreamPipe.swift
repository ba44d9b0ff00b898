// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLinuxShims
internal import FileAccess
internal import Glibc
internal import HelperProtocol

/// The pipe through which the bytes of a live stream reach a decoder, with a bounded queue and a thread that writes.
///
/// A decoder gets the reading end of a pipe and never a socket, because data could leave through a socket.
final class StreamPipe: Sendable {
    private let state = ConditionLock(State())

    private struct State: Sendable {
        var pieces: [[UInt8]] = []
        var byteCount = 0
        /// Whether no more bytes follow.
        var isFinished = false
        /// Whether nobody reads any more, so that bytes are dropped.
        var isClosed = false
        /// The time since which the decoder has taken no byte, although there are some.
        var blockedSince: ContinuousClock.Instant?
        /// The number of bytes that were written to the pipe.
        var writtenCount = 0
        /// The bytes that wait for room, in the order in which they came, with their senders.
        var waiting: [(bytes: [UInt8], sender: CheckedContinuation<Void, Never>)] = []

        var hasRoom: Bool { isClosed || isFinished || byteCount < StreamPipe.mostBytes }

        mutating func add(_ bytes: [UInt8]) {
            guard !bytes.isEmpty, !isClosed, !isFinished else { return }
            pieces.append(bytes)
            byteCount += bytes.count
        }

        /// Adds the bytes that have waited for room, and takes their senders, which may go on.
        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            var senders: [CheckedContinuation<Void, Never>] = []
            while hasRoom, !waiting.isEmpty {
                let (bytes, sender) = waiting.removeFirst()
                add(bytes)
                senders.append(sender)
            }
            return senders
        }
    }

    /// Makes a pipe and starts its thread.
    ///
    /// - Parameter beginning: the first bytes.
    /// - Returns: the pipe, and its reading end for the decoder.
    /// - Throws: `TransportError` if the system has no descriptor or thread left.
    static func make(beginning: [UInt8] = []) throws(TransportError) -> (StreamPipe, reading: OwnedDescriptor) {
        let (reading, writing) = try OwnedDescriptor.pipe()
        let pipe = StreamPipe()
        pipe.state.withLock { $0.add(beginning) }
        // Writing to a pipe without a reader raises a signal, which this thread blocks.
        guard BackgroundThread.start(blocksSignals: true, { pipe.run(writing) }) else {
            throw .systemCall("pthread_create", EAGAIN)
        }
        return (pipe, reading)
    }

    /// Adds bytes to the queue in the order of the calls, and waits while the queue is full.
    func send(_ bytes: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                guard state.hasRoom, state.waiting.isEmpty else {
                    state.waiting.append((bytes, continuation))
                    return false
                }
                state.add(bytes)
                return true
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Adds bytes to the queue, and blocks the thread while the queue is full.
    func sendAndBlock(_ bytes: [UInt8]) {
        _ = state.wait { state -> Bool? in
            guard state.hasRoom, state.waiting.isEmpty else { return nil }
            state.add(bytes)
            return true
        }
    }

    /// Ends the stream behind the bytes that were sent.
    func finish() {
        release { state in
            for (bytes, _) in state.waiting { state.add(bytes) }
            state.isFinished = true
        }
    }

    /// Drops all bytes, now and later.
    func close() {
        release { state in
            state.isClosed = true
            (state.pieces, state.byteCount) = ([], 0)
        }
    }

    private func release(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The number of bytes that the decoder may have read.
    var writtenCount: Int { state.read { $0.writtenCount } }

    /// Whether no more bytes come, and all are in the pipe.
    var isDrained: Bool { state.read { $0.isFinished && $0.byteCount == 0 } }

    /// Returns the time for which the decoder has taken no byte, although there are some.
    func blockedTime(at now: ContinuousClock.Instant) -> Duration {
        state.read { $0.blockedSince.map { $0.duration(to: now) } ?? .zero }
    }

    // MARK: The thread

    private func run(_ descriptor: OwnedDescriptor) {
        while let piece = nextPiece() {
            guard write(piece, to: descriptor) else { break }
        }
        close()
    }

    /// Waits for the next piece; nil when the stream is over.
    private func nextPiece() -> [UInt8]? {
        let step: [UInt8]?? = state.wait { state in
            if state.isClosed { return .some(nil) }
            if state.pieces.isEmpty { return state.isFinished ? .some(nil) : nil }
            return .some(state.pieces.removeFirst())
        }
        return step ?? nil
    }

    private func write(_ piece: [UInt8], to descriptor: OwnedDescriptor) -> Bool {
        var position = 0
        while position < piece.count {
            // The bytes count before they are written, because a decoder may reply before this thread goes on.
            let step = min(Self.stepLength, piece.count - position)
            state.withLock { state in
                state.blockedSince = .now
                state.writtenCount += step
            }
            let count = unsafe piece.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor.number, bytes.baseAddress! + position, step)
            }
            if count < 0 && errno == EINTR {
                state.withLock { $0.writtenCount -= step }
                continue
            }
            guard count > 0 else { return false }
            position += count
            release { state in
                state.blockedSince = nil
                state.writtenCount -= step - count
                state.byteCount = max(0, state.byteCount - count)
            }
        }
        return true
    }

    /// The number of bytes in the queue from which on senders wait.
    private static let mostBytes = 1 << 20
    /// The most bytes of one write, so that progress shows.
    private static let stepLength = 1 << 15
}

extension OwnedDescriptor {
    /// Makes a pipe, whose ends are closed in programs that are started.
    ///
    /// - Throws: `TransportError` if the system has no descriptor left.
    static func pipe() throws(TransportError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        var (first, second): (Int32, Int32) = (-1, -1)
        let error = unsafe CLinuxShims_pipe(&first, &second)
        guard error == 0 else { throw .systemCall("pipe2", error) }
        return (OwnedDescriptor(first), OwnedDescriptor(second))
    }

    /// Whether a pipe has bytes that nobody has read.
    var hasBytes: Bool {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
    }
}
