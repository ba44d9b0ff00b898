// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The configuration of analyzers that have none of their own, and who wants to know when it becomes another.
final class DefaultConfiguration: Sendable {
    static let shared = DefaultConfiguration()

    private let state = Mutex(State())

    private struct State {
        var configuration = SCSensitivityAnalyzer.Configuration()
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
    }

    var value: SCSensitivityAnalyzer.Configuration {
        get { state.withLock(\.configuration) }
        set {
            let listeners = state.withLock { state in
                defer { state.configuration = newValue }
                return state.configuration == newValue ? [] : Array(state.listeners.values)
            }
            for listener in listeners { listener.yield() }
        }
    }

    /// Tells whenever the configuration has become another.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
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
}
