// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Decides when the model's first process, with one connection, gives way to a process with one for each core.
final class ModelGrowth: Sendable {
    private struct State {
        var isFull = false
        var isGrowing = false
        var requestCount = 0
        /// The number of running requests that the first process has.
        var firstCount = 0
        var lastEnd = ContinuousClock.now
        /// The time of the last failed start of the process for all cores.
        var lastFailure: ContinuousClock.Instant?
        /// The sum of the waiting times of pictures since the last moment without a request.
        var waited = Duration.zero
    }

    private let state = Mutex(State())
    private let canGrow: Bool

    init(canGrow: Bool) {
        self.canGrow = canGrow
    }

    var isFull: Bool { state.withLock { $0.isFull } }

    /// Records a request.
    ///
    /// After a minute without requests, the process for all cores has ended. The first process then replies again.
    ///
    /// - Returns: whether the process for all cores has to reply to the request.
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

    /// Records the end of a request.
    ///
    /// - Parameter wasFull: the result of `arrived` for the request.
    func left(_ wasFull: Bool, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.lastEnd = now
            state.requestCount -= 1
            if !wasFull { state.firstCount -= 1 }
            if state.requestCount == 0 { state.waited = .zero }
        }
    }

    /// Whether the first process has no request and gets no more.
    var isFirstDone: Bool { state.withLock { $0.isFull && $0.firstCount == 0 } }

    /// Adds the time that a picture has waited for a connection.
    ///
    /// - Returns: whether to start the process for all cores now.
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

    /// Records whether the process for all cores has started; after a failure, the next attempt is a minute later.
    func ended(_ hasStarted: Bool, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.lastFailure = hasStarted ? nil : now
            state.isGrowing = false
            state.isFull = hasStarted
            state.waited = .zero
        }
    }

    /// The sum of waiting times after which the process for all cores starts.
    ///
    /// The pictures that are decoded while the model loads wait a second in total, even if one connection suffices.
    static let patience = Duration.seconds(2)
    /// The time after which a process without a request has ended, and the delay after a failed start.
    static let pause = Duration.seconds(60)
}
