// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that runs once for all waiting callers, and is cancelled when the last caller gives up.
///
/// After an error the next call runs the work again.
package final class SharedTask<Value: Sendable>: Sendable {
    private let work: @Sendable (Int) async throws -> Value
    private let isExclusive: Bool
    private let state = Mutex(State())

    private struct State {
        var value: Value?
        var task: Task<Void, Never>?
        /// Whether all callers that waited for the task have given up.
        var isAbandoned = false
        var waiting = Listeners<CheckedContinuation<Value, any Error>>()
        /// The number of the current run; results of a superseded run are dropped.
        var run = 0

        /// Marks the task as abandoned; unless runs are exclusive, the next caller starts a new run.
        ///
        /// - Returns: the task to cancel.
        mutating func abandon(_ isExclusive: Bool) -> Task<Void, Never>? {
            isAbandoned = true
            defer { if !isExclusive { task = nil } }
            return task
        }
    }

    /// - Parameters:
    ///   - isExclusive: whether an abandoned run has to end before the next run begins; its value is then still used.
    ///   - work: the work; its parameter is the number of the run, which grows.
    package init(isExclusive: Bool = false, _ work: @escaping @Sendable (_ run: Int) async throws -> Value) {
        self.isExclusive = isExclusive
        self.work = work
    }

    /// Waits for the value; a cancelled caller stops waiting at once.
    package func value() async throws -> Value {
        let number = state.withLock { $0.waiting.makeNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, number) }
        } onCancel: {
            giveUp(number)
        }
    }

    /// Cancels the work, and ends the wait of all callers at once, even if a step of the work goes on.
    package func cancel() {
        let (waiting, task) = state.withLock { state in
            (state.waiting.removeAll(), state.abandon(isExclusive))
        }
        task?.cancel()
        for continuation in waiting { continuation.resume(throwing: CancellationError()) }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>, _ number: Int) {
        state.withLock { state in
            // `giveUp` may have run before the caller was registered, so a cancellation is checked here.
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            if let value = state.value { return continuation.resume(returning: value) }
            state.waiting.register(continuation, as: number)
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
                // The failure belongs to callers that gave up; later callers get a new run.
                if !state.waiting.isEmpty { start(&state) }
                return []
            }
            return state.waiting.removeAll()
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    private func giveUp(_ number: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.remove(number)
            let isLast = continuation != nil && state.waiting.isEmpty
            return (continuation, isLast ? state.abandon(isExclusive) : nil)
        }
        // The lock is not held here, because cancelling runs the handlers of the work.
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
