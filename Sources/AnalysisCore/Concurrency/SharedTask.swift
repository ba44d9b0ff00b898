// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that is done once for all who wait for it, and ends when the last of them gives up.
///
/// After an error the next call tries again: what was missing may be there by then.
package final class SharedTask<Value: Sendable>: Sendable {
    private let work: @Sendable () async throws -> Value
    private let state = Mutex(State())

    private struct State {
        var value: Value?
        var task: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var lastIdentifier = 0
        /// Which run of the work is under way; what an abandoned one brings is nobody's any more.
        var run = 0
    }

    package init(_ work: @escaping @Sendable () async throws -> Value) {
        self.work = work
    }

    /// Waits for the value; whoever is cancelled need not wait for the others.
    package func value() async throws -> Value {
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, identifier) }
        } onCancel: {
            giveUp(identifier)
        }
    }

    /// Ends the work; all who wait for it are told at once, though a step of it may still be under way.
    package func cancel() {
        let waiting = state.withLock { state in
            state.task?.cancel()
            state.task = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(throwing: CancellationError()) }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>, _ identifier: Int) {
        state.withLock { state in
            // A cancellation before this point has found nobody waiting.
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            if let value = state.value { return continuation.resume(returning: value) }
            state.waiting[identifier] = continuation
            guard state.task == nil else { return }
            state.run += 1
            let run = state.run
            state.task = Task { finish(await result(), of: run) }
        }
    }

    private func result() async -> Result<Value, any Error> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ result: Result<Value, any Error>, of run: Int) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.run == run, state.task != nil else { return [] }
            state.value = try? result.get()
            state.task = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    private func giveUp(_ identifier: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: identifier)
            if continuation != nil, state.waiting.isEmpty {
                state.task?.cancel()
                state.task = nil
            }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
