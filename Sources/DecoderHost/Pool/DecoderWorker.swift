// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderProtocol
internal import Dispatch
internal import Synchronization

/// One place in the pool: a thread that may block, and the decoder process that it currently talks to.
final class DecoderWorker: Sendable {
    private let thread = WorkerThread()
    private let state = Mutex(State())

    private struct State {
        var process: DecoderProcess?
        /// How often it has been used.
        var useCount = 0
        /// Since when nobody uses it; nil while somebody does.
        var restingSince: ContinuousClock.Instant?
    }

    /// Whether there is a decoder, which may have ended meanwhile.
    var hasProcess: Bool { state.withLock { $0.process != nil } }

    /// Starts a decoder unless there is one.
    func start(path: String, settings: DecoderSettings) async throws(DecoderProcessError) -> DecoderIdentity {
        try await thread.result { () throws(DecoderProcessError) in
            let running = self.state.withLock { state in
                state.restingSince = nil
                return state.process
            }
            if let running { return running.identity }
            let started = try DecoderProcess(path: path, settings: settings)
            self.state.withLock { state in
                state.process = started
                state.useCount = 0
            }
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
            guard let running = self.state.withLock({ $0.process }) else { throw .ended(nil) }
            let deadline = DispatchTime.now() + .nanoseconds(Int(timeLimit / .nanoseconds(1)))
            let answer = Result { () throws(DecoderProcessError) in
                try running.exchange(request, with: attachment, until: deadline, givingWay: watch)
            }
            if case .failure = answer { self.replace(running) }
            return try answer.get()
        }
    }

    /// Ends the decoder, whatever it is doing, and forgets it; the exchange under way fails.
    func discard() {
        state.withLock { $0.process }.map(replace)
    }

    /// Notes that nobody uses the decoder for now, and ends one that has been used often.
    ///
    /// One that was taken over could lie about the files of others for as long as there is work.
    func rest() {
        let worn = state.withLock { state -> DecoderProcess? in
            state.restingSince = .now
            state.useCount += 1
            return state.useCount >= Self.mostUses ? state.process : nil
        }
        worn.map(replace)
    }

    /// Ends a decoder that should have ended by itself for want of work.
    ///
    /// - Returns: whether there is none any more.
    func endIdleProcess(at now: ContinuousClock.Instant) -> Bool {
        let (idle, isGone) = state.withLock { state -> (DecoderProcess?, Bool) in
            guard let process = state.process else { return (nil, true) }
            guard let since = state.restingSince, now - since > Self.longestRest else { return (nil, false) }
            // Under the lock, so that nobody is handed what is about to be ended.
            state.process = nil
            return (process, true)
        }
        idle?.kill()
        return isGone
    }

    /// As many files as take much longer than the start of a decoder.
    private static let mostUses = 1000
    /// A little longer than a decoder waits by itself.
    private static let longestRest = Duration.seconds(12)

    private func replace(_ old: DecoderProcess) {
        old.kill()
        state.withLock { if $0.process === old { $0.process = nil } }
    }
}
