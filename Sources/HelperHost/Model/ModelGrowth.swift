// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// When a process for all cores takes over from the one for a single core.
final class ModelGrowth: Sendable {
    private struct State {
        var isFull = false
        var isGrowing = false
        var requestCount = 0
        /// How long pictures have waited since there was last no request, together.
        var waited = Duration.zero
    }

    private let state = Mutex(State())
    private let canGrow: Bool

    init(canGrow: Bool) {
        self.canGrow = canGrow
    }

    var isFull: Bool { state.withLock { $0.isFull } }

    func arrived() {
        state.withLock { $0.requestCount += 1 }
    }

    func left() {
        state.withLock { state in
            state.requestCount -= 1
            if state.requestCount == 0 { state.waited = .zero }
        }
    }

    /// Adds the time that a picture has waited.
    ///
    /// - Returns: whether the process for all cores is to be started now.
    func wantsMore(afterWaiting time: Duration) -> Bool {
        state.withLock { state in
            state.waited += time
            guard canGrow, !state.isFull, !state.isGrowing, state.waited >= Self.patience else { return false }
            state.isGrowing = true
            return true
        }
    }

    /// Notes that the process was started, or could not be.
    func ended(_ hasStarted: Bool) {
        state.withLock { state in
            state.isGrowing = false
            state.isFull = hasStarted
            state.waited = .zero
        }
    }

    /// The pictures that have been decoded while the model was loaded wait for a second together, after which one thread
    /// may do.
    static let patience = Duration.seconds(2)
}
