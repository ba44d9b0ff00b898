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

    /// Starts a decoder unless there is one.
    func start(path: String, memoryLimit: Int) async throws(DecoderProcessError) -> DecoderIdentity {
        try await thread.result { () throws(DecoderProcessError) in
            if let running = self.process.withLock({ $0 }) { return running.identity }
            let started = try DecoderProcess(path: path, memoryLimit: memoryLimit)
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
        _ request: DecoderRequest, with attachment: OwnedDescriptor?, timeLimit: Duration
    ) async throws(DecoderProcessError) -> (DecoderReply, OwnedDescriptor?) {
        try await thread.result { () throws(DecoderProcessError) in
            guard let running = self.process.withLock({ $0 }) else { throw .ended(nil) }
            let deadline = DispatchTime.now() + .nanoseconds(Int(timeLimit / .nanoseconds(1)))
            let answer = Result { () throws(DecoderProcessError) in
                try running.exchange(request, with: attachment, until: deadline)
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

    private func replace(_ old: DecoderProcess) {
        old.kill()
        process.withLock { if $0 === old { $0 = nil } }
    }
}
