// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Listeners that are registered by number, for use inside a state that a lock guards.
package struct Listeners<Listener> {
    private var listeners: [Int: Listener] = [:]
    private var lastNumber = 0

    package init() {}

    /// All listeners, in no particular order.
    package var all: [Listener] { Array(listeners.values) }

    package var count: Int { listeners.count }
    package var isEmpty: Bool { listeners.isEmpty }

    /// Returns a number that no other listener has, for ``register(_:as:)``.
    package mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Registers a listener.
    ///
    /// - Returns: the number for ``remove(_:)``.
    package mutating func add(_ listener: Listener) -> Int {
        let number = makeNumber()
        listeners[number] = listener
        return number
    }

    /// Registers a listener under a number of ``makeNumber()``.
    package mutating func register(_ listener: Listener, as number: Int) { listeners[number] = listener }

    /// Removes a listener.
    ///
    /// - Returns: the listener, or nil if it was removed before.
    @discardableResult
    package mutating func remove(_ number: Int) -> Listener? { listeners.removeValue(forKey: number) }

    /// Removes and returns all listeners.
    package mutating func removeAll() -> [Listener] {
        defer { listeners = [:] }
        return all
    }
}
