// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Values on their way from one thread to another, no more than so many at once.
@safe
package final class BoundedChannel<Element: Sendable>: @unchecked Sendable {
    // @unchecked: the mutex guards every stored property that changes.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    private var values: [Element] = []
    private var isClosed = false

    package init(capacity: Int) {
        self.capacity = capacity
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
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

    /// Puts a value in, after waiting for room.
    ///
    /// - Returns: false where nobody wants values any more.
    package func put(_ value: Element) -> Bool {
        locked {
            while values.count >= capacity && !isClosed { unsafe pthread_cond_wait(change, mutex) }
            guard !isClosed else { return false }
            values.append(value)
            return true
        }
    }

    /// Takes the oldest value out, after waiting for it at most so long.
    package func take(within limit: Duration) -> Element? {
        var end = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + Int(max(.zero, limit) / .nanoseconds(1))
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        return locked {
            while values.isEmpty {
                guard unsafe pthread_cond_timedwait(change, mutex, &end) != ETIMEDOUT else { break }
            }
            return values.isEmpty ? nil : values.removeFirst()
        }
    }

    /// Lets whoever puts values in know that nobody wants them any more.
    package func close() {
        locked {
            isClosed = true
            values = []
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(change)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body()
    }
}
