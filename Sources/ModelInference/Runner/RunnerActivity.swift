// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The time of the last request on any connection of the model's process.
final class RunnerActivity: Sendable {
    private let last = Mutex(ContinuousClock.now)

    func note(at now: ContinuousClock.Instant) {
        last.withLock { $0 = now }
    }

    /// Whether no connection has had a request for a while.
    func isIdle(at now: ContinuousClock.Instant) -> Bool {
        last.withLock { $0.duration(to: now) >= .milliseconds(Int(Self.idleMilliseconds)) }
    }

    static let idleMilliseconds: Int32 = 60_000
}
