// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Whether somebody waits for a decoder, and whether media have lately kept decoders from answering.
///
/// Ordinary files are patiently waited for, however many there are. Only when files have crashed decoders or used up
/// their time, files that take long have to make room for those that wait, and come back in a queue of their own.
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

    /// Notes that a file has crashed a decoder or used up its time.
    func noteTrouble(at now: ContinuousClock.Instant = .now) {
        state.withLock { $0.suspiciousUntil = now + Self.suspicionTime }
    }

    /// Whether a file that takes long has to make room.
    func wantsRoom(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.waitingCount > 0 && $0.isSuspicious(at: now) }
    }

    /// Whether media have lately kept decoders from answering.
    func isInTrouble(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.isSuspicious(at: now) }
    }

    private static let suspicionTime = Duration.seconds(60)
}

/// Thrown where a file has to make room for others, and should be tried again among those that take long.
package struct DecodingPostponed: Error, Sendable {
    let hasCrashed: Bool

    init(hasCrashed: Bool = false) {
        self.hasCrashed = hasCrashed
    }

    /// How to try it again.
    package var urgency: DecodingUrgency { hasCrashed ? .lastAttempt : .patient }
}

/// How long a file may keep a decoder.
package enum DecodingUrgency: Sendable {
    /// Until it takes long while others wait in times of trouble; then `DecodingPostponed` is thrown.
    case ordinary
    /// Until its limits.
    case patient
    /// Until its limits, and without another attempt, since it has crashed a decoder already.
    case lastAttempt
}
