// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A check that the process was not forked from a process that analyses.
///
/// A forked process has one thread. It lacks the threads of Swift's concurrency and the threads that talk to helper
/// processes, so an analysis would never end. The check itself needs no other thread, because its callers run on the
/// thread of their caller.
enum ForkCheck {
    private static let firstProcess = getpid()

    /// Remembers this process, which has threads from now on.
    static func remember() { _ = firstProcess }

    /// Remembers the first process that calls, and checks that this is still that process.
    ///
    /// - Throws: `internalFailure` with the remedy, in a process that was forked later.
    static func pass() throws {
        guard getpid() != firstProcess else { return }
        throw SensitivityAnalysisError(
            .internalFailure,
            message:
                "This process was forked from one that analyses, and has none of its threads. Start a program of its"
                + " own for analyses (posix_spawn, Process), or fork before the first one.")
    }
}
