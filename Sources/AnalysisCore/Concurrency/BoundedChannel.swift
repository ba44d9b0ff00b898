// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A channel that passes values from one thread to another, and holds a bounded number of them.
package final class BoundedChannel<Element: Sendable>: Sendable {
    private let capacity: Int
    private let state = ConditionLock(State())

    private struct State {
        var values: [Element] = []
        var isClosed = false
    }

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a value, after a wait if the channel is full.
    ///
    /// - Returns: false if the channel is closed.
    package func put(_ value: Element) -> Bool {
        state.wait { state in
            if state.isClosed { return false }
            guard state.values.count < self.capacity else { return nil }
            state.values.append(value)
            return true
        } == true
    }

    /// Removes the oldest value, after a wait if the channel is empty.
    ///
    /// - Parameter limit: the longest time to wait.
    /// - Returns: the value; nil after the limit.
    package func take(within limit: Duration) -> Element? {
        state.wait(within: limit) { $0.values.isEmpty ? nil : $0.values.removeFirst() }
    }

    /// Closes the channel: the values in it are dropped, and no more are accepted.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.values = []
        }
    }
}
