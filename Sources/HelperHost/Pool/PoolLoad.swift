// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The load of a pool: the number of waiting callers, and whether media have lately stopped decoders from replying.
///
/// Usually a slow file keeps its decoder, however many files wait. After a file has crashed a decoder, used up its time
/// or caused an impossible reply, slow files have to make room for waiting files. They come back in their own queue.
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

    /// Whether a slow file has to make room.
    func wantsRoom(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.waitingCount > 0 && $0.isSuspicious(at: now) }
    }

    /// Whether media have lately stopped decoders from replying.
    func isInTrouble(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.isSuspicious(at: now) }
    }

    private static let suspicionTime = Duration.seconds(60)
}

/// The error of a file that has to make room, and should be tried again in the queue of slow files.
package struct DecodingPostponed: Error, Sendable {
    let hasCrashed: Bool

    init(hasCrashed: Bool = false) {
        self.hasCrashed = hasCrashed
    }

    /// The urgency of the next attempt.
    package var urgency: DecodingUrgency { hasCrashed ? .lastAttempt : .patient }
}

/// The time for which a file may keep a decoder.
package enum DecodingUrgency: Sendable {
    /// Until the file is slow while other files wait in times of trouble; then `DecodingPostponed` is thrown.
    case ordinary
    /// Until the limits of the file.
    case patient
    /// Until the limits of the file, without another attempt, because the file has crashed a decoder already.
    case lastAttempt
}
