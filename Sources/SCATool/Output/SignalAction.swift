// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// What signals do to this process.
enum SignalAction {
    /// Whether a signal has the effect that it has in any program, and not one that who started this one chose.
    static func isUsual(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_DFL is the address 0.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    }

    /// Gives SIGQUIT (Ctrl-\) its usual effect, in whose place Swift's runtime describes a crash and goes on.
    static func restoreQuit() {
        var action = sigaction()
        // SIG_IGN is the address 1: whoever started the process has the signal ignored.
        guard unsafe sigaction(SIGQUIT, nil, &action) == 0,
            unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
        else { return }
        signal(SIGQUIT, SIG_DFL)
    }

    /// Ends the process by a signal, without unfinished files.
    static func end(by number: Int32) -> Never {
        UnfinishedFiles.removeAll()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Where it did not end the process, as a shell would tell it.
        ProcessEnd.now(128 + number)
    }
}

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
