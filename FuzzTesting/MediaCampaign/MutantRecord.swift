// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperHost
import Synchronization

/// What happens to a mutant on its way to its outcome.
final class MutantRecord: Sendable {
    /// That of the mutant that the task judges.
    @TaskLocal static var current: MutantRecord?

    private struct State {
        var start: ContinuousClock.Instant?
        var longest = Duration.zero
        var faults: [HelperFault] = []

        mutating func finishAttempt() {
            if let start { longest = max(longest, ContinuousClock.now - start) }
        }
    }

    private let state = Mutex(State())

    /// Notes that a decoder is free for it, once more where it had to make room.
    func noteStart() {
        state.withLock { state in
            state.finishAttempt()
            state.start = .now
        }
    }

    func note(_ fault: HelperFault) {
        state.withLock { $0.faults.append(fault) }
    }

    var faults: [HelperFault] { state.withLock { $0.faults } }

    /// The time of the longest attempt, up to now, without the time for which it waited.
    func longestMilliseconds() -> Int {
        state.withLock { state in
            state.finishAttempt()
            return Int(state.longest / .milliseconds(1))
        }
    }
}
