// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tells values to all who follow; who is slow gets the newest only.
package final class Broadcast<Value: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastListener = 0
    }

    package init() {}

    /// The values that are sent from now on, until the iteration is cancelled or the stream is released.
    package func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        continuation.onTermination = { [self] _ in
            state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    package func send(_ value: Value) {
        // Not under the lock: what follows may end, which takes it.
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
    }
}
