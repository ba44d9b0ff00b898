// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells that a process was forked from one that analyses.
///
/// A forked process has one thread. The threads of Swift's concurrency, and those that talk to helper processes, are
/// missing there, so an analysis would never end. The callers of this check run on the thread of their caller, for the
/// same reason.
enum ForkCheck {
    private static let firstProcess = getpid()

    /// Remembers the process, which has threads from now on.
    static func remember() { _ = firstProcess }

    /// Remembers the process that asks first.
    ///
    /// - Throws: `internalFailure` with the remedy, in a process that was forked after that.
    static func pass() throws {
        guard getpid() != firstProcess else { return }
        throw SensitivityAnalysisError(
            .internalFailure,
            message:
                "This process was forked from one that analyses, and has none of its threads. Start a program of its"
                + " own for analyses (posix_spawn, Process), or fork before the first one.")
    }
}
