// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The effects of signals on this process.
enum SignalAction {
    /// Whether a signal has its default effect, and no effect that the starting program has chosen.
    static func isUsual(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_DFL is the address 0.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    }

    /// Restores the usual effect of SIGQUIT (Ctrl-\), because Swift's runtime would describe a crash and continue.
    static func restoreQuit() {
        var action = sigaction()
        // SIG_IGN is the address 1. The starting program has then ignored the signal.
        guard unsafe sigaction(SIGQUIT, nil, &action) == 0,
            unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
        else { return }
        signal(SIGQUIT, SIG_DFL)
    }

    /// Removes unfinished files, and ends the process by a signal.
    static func end(by number: Int32) -> Never {
        UnfinishedFiles.removeAll()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // If the signal did not end the process, the exit code is the code that a shell reports.
        ProcessEnd.now(128 + number)
    }
}
