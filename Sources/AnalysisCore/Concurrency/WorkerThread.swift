// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A thread for work that blocks, because such work must occupy neither Swift's cooperative threads nor Dispatch's.
///
/// A wait for a decoder may take ten seconds, and the app's own queues share Dispatch's threads.
package final class WorkerThread: Sendable {
    private let queue = WorkQueue()
    /// The queue that runs the work if the system creates no thread; Dispatch then waits for one of its own threads.
    private let substitute: DispatchQueue?

    /// Starts the thread.
    package init() {
        // The thread retains the queue. It ends after this object is released and all work is done.
        let hasStarted = BackgroundThread.start { [queue] in queue.work() }
        substitute = hasStarted ? nil : DispatchQueue(label: "sensitive-content-analysis")
    }

    deinit {
        queue.finish()
    }

    /// Runs the closure on the thread, after all closures that were passed before.
    package func run(_ work: @escaping @Sendable () -> Void) {
        if let substitute { substitute.async(execute: work) } else { queue.add(work) }
    }

    /// Runs the closure on the thread and waits for its result without blocking.
    package func result<Value: Sendable, Failure: Error>(
        of body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            run { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}

/// A queue of closures, which are run in the order of their addition.
private final class WorkQueue: Sendable {
    private typealias Work = @Sendable () -> Void
    private let state = ConditionLock((waiting: [Work](), isFinished: false))

    func add(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.waiting.append(work) } }

    func finish() { state.withLock { $0.isFinished = true } }

    /// Runs the closures until the queue is finished and empty.
    func work() {
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        let next: Work?? = state.wait { state in
            if let first = state.waiting.first {
                state.waiting.removeFirst()
                return .some(first)
            }
            return state.isFinished ? .some(nil) : nil
        }
        return next ?? nil
    }
}
