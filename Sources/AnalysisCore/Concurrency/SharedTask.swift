// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that is done once for all who wait for it, and ends when the last of them gives up.
///
/// After an error the next call tries again: what was missing may be there by then.
package final class SharedTask<Value: Sendable>: Sendable {
    private let work: @Sendable (Int) async throws -> Value
    private let isExclusive: Bool
    private let state = Mutex(State())

    private struct State {
        var value: Value?
        var task: Task<Void, Never>?
        /// Whether all who waited for the task have given up.
        var isAbandoned = false
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var lastIdentifier = 0
        /// Which run of the work is under way; what an earlier one brings is nobody's any more.
        var run = 0

        /// - Returns: what is to be cancelled.
        mutating func abandon(_ isExclusive: Bool) -> Task<Void, Never>? {
            isAbandoned = true
            defer { if !isExclusive { task = nil } }
            return task
        }
    }

    /// - Parameters:
    ///   - isExclusive: whether an abandoned run has to end before the next begins, and may still bring the value.
    ///   - work: is given the number of the run, which grows.
    package init(isExclusive: Bool = false, _ work: @escaping @Sendable (_ run: Int) async throws -> Value) {
        self.isExclusive = isExclusive
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
        let (waiting, task) = state.withLock { state in
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), state.abandon(isExclusive))
        }
        task?.cancel()
        for continuation in waiting { continuation.resume(throwing: CancellationError()) }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>, _ identifier: Int) {
        state.withLock { state in
            // A cancellation before this point has found nobody waiting.
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            if let value = state.value { return continuation.resume(returning: value) }
            state.waiting[identifier] = continuation
            if state.task == nil { start(&state) }
        }
    }

    private func start(_ state: inout State) {
        state.run += 1
        state.isAbandoned = false
        let run = state.run
        state.task = Task { finish(await result(of: run), of: run) }
    }

    private func result(of run: Int) async -> Result<Value, any Error> {
        do {
            return .success(try await work(run))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ result: Result<Value, any Error>, of run: Int) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.run == run, state.task != nil else { return [] }
            state.value = try? result.get()
            state.task = nil
            if state.value == nil, state.isAbandoned {
                // It has failed for those who had given up; who came later gets a run of their own.
                if !state.waiting.isEmpty { start(&state) }
                return []
            }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    private func giveUp(_ identifier: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: identifier)
            let isLast = continuation != nil && state.waiting.isEmpty
            return (continuation, isLast ? state.abandon(isExclusive) : nil)
        }
        // Not under the lock: the work's own handlers of the cancellation are run by it.
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
