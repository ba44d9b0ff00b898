// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The end of the command after the end of the program that reads its results.
///
/// The command ends by SIGPIPE, as others do, but removes its unfinished files first.
enum BrokenPipe {
    private static let isWatched = Atomic(false)

    /// Has writing fail with an error instead of a signal; unless the signal is ignored, which has the same effect.
    static func watch() {
        // What a file has no more room for, because of a limit on its size, is an error in the same way.
        for number in [SIGPIPE, SIGXFSZ] where SignalAction.isUsual(number) {
            signal(number) { _ in }
            if number == SIGPIPE { isWatched.store(true, ordering: .relaxed) }
        }
    }

    /// Ends the process by the signal; returns where who started the command has it ignored.
    static func endAsUsual() {
        guard isWatched.load(ordering: .relaxed) else { return }
        SignalAction.end(by: SIGPIPE)
    }
}
