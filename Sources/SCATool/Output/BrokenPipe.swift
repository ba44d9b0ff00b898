// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// What happens where the program that reads the results has ended: the command ends by SIGPIPE, as others do.
enum BrokenPipe {
    private static let isWatched = Atomic(false)

    /// Has writing fail with an error instead of a signal; unless the signal is ignored, which has the same effect.
    static func watch() {
        guard SignalAction.isUsual(SIGPIPE) else { return }
        signal(SIGPIPE) { _ in }
        isWatched.store(true, ordering: .relaxed)
    }

    /// Ends the process by the signal; returns where who started the command has it ignored.
    static func endAsUsual() {
        guard isWatched.load(ordering: .relaxed) else { return }
        SignalAction.end(by: SIGPIPE)
    }
}
