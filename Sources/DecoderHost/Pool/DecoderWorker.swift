// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderProtocol
internal import Dispatch
internal import Synchronization

/// One place in the pool: a thread that may block, and the decoder process that it currently talks to.
final class DecoderWorker: Sendable {
    private let thread = WorkerThread()
    private let process = Mutex<DecoderProcess?>(nil)
    private let restingSince = Mutex<ContinuousClock.Instant?>(nil)

    /// Starts a decoder unless there is one.
    func start(path: String, settings: DecoderSettings) async throws(DecoderProcessError) -> DecoderIdentity {
        restingSince.withLock { $0 = nil }
        return try await thread.result { () throws(DecoderProcessError) in
            if let running = self.process.withLock({ $0 }) { return running.identity }
            let started = try DecoderProcess(path: path, settings: settings)
            self.process.withLock { $0 = started }
            return started.identity
        }
    }

    /// Runs a closure that may block on the worker's thread.
    func open(_ body: @escaping @Sendable () throws -> OwnedDescriptor) async throws -> OwnedDescriptor {
        try await thread.result(of: body)
    }

    /// Has the running decoder answer a request; after any error the decoder is gone.
    func exchange(
        _ request: DecoderRequest, with attachment: OwnedDescriptor?, timeLimit: Duration, givingWay watch: AnswerWatch?
    ) async throws(DecoderProcessError) -> DecoderAnswer {
        try await thread.result { () throws(DecoderProcessError) in
            guard let running = self.process.withLock({ $0 }) else { throw .ended(nil) }
            let deadline = DispatchTime.now() + .nanoseconds(Int(timeLimit / .nanoseconds(1)))
            let answer = Result { () throws(DecoderProcessError) in
                try running.exchange(request, with: attachment, until: deadline, givingWay: watch)
            }
            if case .failure = answer { self.replace(running) }
            return try answer.get()
        }
    }

    /// Kills the decoder, whatever it is doing; the exchange under way fails.
    func kill() {
        process.withLock { $0 }?.kill()
    }

    /// Forgets the decoder, which ends it.
    func discard() {
        process.withLock { $0 }.map(replace)
    }

    /// Notes that nobody uses the decoder for now.
    func rest() {
        restingSince.withLock { $0 = .now }
    }

    /// Ends a decoder that should have ended by itself for want of work.
    ///
    /// - Returns: whether there is none any more.
    func endIdleProcess(at now: ContinuousClock.Instant) -> Bool {
        guard let running = process.withLock({ $0 }) else { return true }
        // Looked up last: a decoder that has just been handed out is not idle.
        let isIdle = restingSince.withLock { $0.map { now - $0 > Self.longestRest } ?? false }
        if isIdle { replace(running) }
        return isIdle
    }

    /// A little longer than a decoder waits by itself.
    private static let longestRest = Duration.seconds(12)

    private func replace(_ old: DecoderProcess) {
        old.kill()
        process.withLock { if $0 === old { $0 = nil } }
    }
}
