// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The end of the command after the end of the program that reads its results.
///
/// The command ends by SIGPIPE like other commands, but removes its unfinished files first.
enum BrokenPipe {
    private static let isWatched = Atomic(false)

    /// Makes a write to a closed pipe fail with an error instead of a signal; an ignored signal has that effect.
    static func watch() {
        // A write beyond the limit on a file's size raises SIGXFSZ. If the signal is handled, the write fails (EFBIG).
        for number in [SIGPIPE, SIGXFSZ] where SignalAction.isUsual(number) {
            signal(number) { _ in }
            if number == SIGPIPE { isWatched.store(true, ordering: .relaxed) }
        }
    }

    /// Ends the process by SIGPIPE; returns if the starting program has ignored the signal.
    static func endAsUsual() {
        guard isWatched.load(ordering: .relaxed) else { return }
        SignalAction.end(by: SIGPIPE)
    }
}
