// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// When a process for all cores takes over from the one for a single core.
final class ModelGrowth: Sendable {
    private struct State {
        var isFull = false
        var isGrowing = false
        var requestCount = 0
        /// How many of them the process for a single core has.
        var firstCount = 0
        var lastEnd = ContinuousClock.now
        /// When the process for all cores could not be started.
        var lastFailure: ContinuousClock.Instant?
        /// How long pictures have waited since there was last no request, together.
        var waited = Duration.zero
    }

    private let state = Mutex(State())
    private let canGrow: Bool

    init(canGrow: Bool) {
        self.canGrow = canGrow
    }

    var isFull: Bool { state.withLock { $0.isFull } }

    /// Notes a request.
    ///
    /// After a pause the process for all cores has ended for want of work, and a picture does not wait for all cores.
    ///
    /// - Returns: whether the process for all cores has to answer it.
    func arrived(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if state.requestCount == 0, state.isFull, state.lastEnd.duration(to: now) > Self.pause {
                state.isFull = false
            }
            state.requestCount += 1
            if !state.isFull { state.firstCount += 1 }
            return state.isFull
        }
    }

    /// Notes the end of a request.
    ///
    /// - Parameter wasFull: what `arrived` has returned for it.
    func left(_ wasFull: Bool, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.lastEnd = now
            state.requestCount -= 1
            if !wasFull { state.firstCount -= 1 }
            if state.requestCount == 0 { state.waited = .zero }
        }
    }

    /// Whether the process for a single core has no request, and gets none any more.
    var isFirstDone: Bool { state.withLock { $0.isFull && $0.firstCount == 0 } }

    /// Adds the time that a picture has waited.
    ///
    /// - Returns: whether the process for all cores is to be started now.
    func wantsMore(afterWaiting time: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.waited += time
            guard canGrow, !state.isFull, !state.isGrowing, state.waited >= Self.patience,
                state.lastFailure.map({ $0.duration(to: now) >= Self.pause }) ?? true
            else { return false }
            state.isGrowing = true
            return true
        }
    }

    /// Notes that the process was started, or could not be.
    ///
    /// The next try is a minute away then.
    func ended(_ hasStarted: Bool, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.lastFailure = hasStarted ? nil : now
            state.isGrowing = false
            state.isFull = hasStarted
            state.waited = .zero
        }
    }

    /// The pictures that have been decoded while the model was loaded wait for a second together, after which one thread
    /// may do.
    static let patience = Duration.seconds(2)
    /// How long a process without a request lives.
    static let pause = Duration.seconds(60)
}
