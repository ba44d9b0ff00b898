// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Sends values to all listeners; a slow listener gets the newest value only.
package final class Broadcast<Value: Sendable>: Sendable {
    private let listeners = Mutex(Listeners<AsyncStream<Value>.Continuation>())

    package init() {}

    /// Returns the values that are sent from now on, until the iteration is cancelled or the stream is released.
    package func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { $0.add(continuation) }
        continuation.onTermination = { [self] _ in
            _ = listeners.withLock { $0.remove(number) }
        }
        return stream
    }

    /// Sends a value to all listeners.
    package func send(_ value: Value) {
        // The lock is not held here, because a stream that ends takes the lock in `onTermination`.
        for listener in listeners.withLock({ $0.all }) { listener.yield(value) }
    }
}
