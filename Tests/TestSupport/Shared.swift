// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that several tasks of a test change.
package final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) {
        mutex = Mutex(value)
    }

    package var value: Value { mutex.withLock { $0 } }

    /// Changes the value and returns the new value.
    @discardableResult
    package func change(_ body: @Sendable (inout Value) -> Void) -> Value {
        mutex.withLock { value in
            body(&value)
            return value
        }
    }
}
