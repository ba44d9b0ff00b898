// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The number of callers that wait for a pool, and whether a file has caused trouble in the last minute.
///
/// Usually a slow file keeps its decoder, however many files wait. After a file has crashed a decoder, used up its time
/// or caused an impossible reply, slow files have to make room for waiting files. They then wait in their own queue.
final class PoolLoad: Sendable {
    private struct State {
        var waitingCount = 0
        var suspiciousUntil: ContinuousClock.Instant?

        func isSuspicious(at now: ContinuousClock.Instant) -> Bool { suspiciousUntil.map { now < $0 } ?? false }
    }

    private let state = Mutex(State())

    func startedWaiting() {
        state.withLock { $0.waitingCount += 1 }
    }

    func stoppedWaiting() {
        state.withLock { $0.waitingCount -= 1 }
    }

    /// Records that a file has crashed a decoder, used up its time or caused an impossible reply.
    func noteTrouble(at now: ContinuousClock.Instant = .now) {
        state.withLock { $0.suspiciousUntil = now + Self.suspicionTime }
    }

    /// Whether a slow file has to make room, because files wait and a file has caused trouble in the last minute.
    func wantsRoom(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.waitingCount > 0 && $0.isSuspicious(at: now) }
    }

    /// Whether a file has crashed a decoder, used up its time or caused an impossible reply in the last minute.
    func isInTrouble(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.isSuspicious(at: now) }
    }

    private static let suspicionTime = Duration.seconds(60)
}
