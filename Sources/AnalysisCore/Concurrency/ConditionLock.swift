// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A value behind a lock, with a condition variable for threads that wait for a change of the value.
@safe
package final class ConditionLock<Value>: @unchecked Sendable {
    // @unchecked: the mutex guards the value.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A change of the system's clock must not prolong a wait.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(change, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(mutex)
        unsafe change.deallocate()
        unsafe mutex.deallocate()
    }

    /// Calls the closure with the locked value, and then wakes the threads that wait for a change.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(change)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Calls the closure with the locked value, and wakes no thread.
    package func read<Result>(_ body: (Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(value)
    }

    /// Calls the closure now and after each change until it returns a result, and then wakes other threads that wait.
    ///
    /// - Parameter limit: the longest time to wait; nil to wait without a limit.
    /// - Returns: the result, or nil after the limit.
    package func wait<Result>(within limit: Duration? = nil, for body: (inout Value) -> Result?) -> Result? {
        var end = timespec()
        if let limit {
            unsafe clock_gettime(CLOCK_MONOTONIC, &end)
            let nanoseconds = end.tv_nsec + Int(max(.zero, limit) / .nanoseconds(1))
            end.tv_sec += nanoseconds / 1_000_000_000
            end.tv_nsec = nanoseconds % 1_000_000_000
        }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        var isOver = false
        while true {
            if let result = body(&value) {
                unsafe pthread_cond_broadcast(change)
                return result
            }
            if isOver { return nil }
            if limit == nil {
                unsafe pthread_cond_wait(change, mutex)
            } else {
                isOver = unsafe pthread_cond_timedwait(change, mutex, &end) == ETIMEDOUT
            }
        }
    }
}
