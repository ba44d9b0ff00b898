// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc

/// A thread for work that blocks, which must keep neither Swift's cooperative threads nor Dispatch's from other work.
///
/// A decoder may be waited for during ten seconds, and Dispatch's threads are shared with the app's own queues.
@safe
package final class WorkerThread: Sendable {
    private let queue = WorkQueue()
    /// Where the system gives no thread: Dispatch has threads already, or waits until it is given some.
    private let substitute: DispatchQueue?

    /// Starts the thread.
    package init() {
        // The thread keeps the queue; it ends when this object goes and the work is done.
        let hasStarted = BackgroundThread.start { [queue] in queue.work() }
        substitute = hasStarted ? nil : DispatchQueue(label: "sensitive-content-analysis")
    }

    deinit {
        queue.finish()
    }

    /// Runs the closure on the thread, after all that were passed before.
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

/// Closures in the order in which they are to be run.
@safe
private final class WorkQueue: @unchecked Sendable {
    // @unchecked: the mutex guards every stored property.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [@Sendable () -> Void] = []
    private var isFinished = false

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(change, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(mutex)
        unsafe change.deallocate()
        unsafe mutex.deallocate()
    }

    func add(_ work: @escaping @Sendable () -> Void) {
        unsafe pthread_mutex_lock(mutex)
        waiting.append(work)
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_signal(change)
    }

    func finish() {
        unsafe pthread_mutex_lock(mutex)
        isFinished = true
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_signal(change)
    }

    /// Runs what is added until the queue is finished and empty.
    func work() {
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while waiting.isEmpty && !isFinished { unsafe pthread_cond_wait(change, mutex) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
