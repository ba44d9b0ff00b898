// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The counts and the progress line of a run, which an interruption on another thread ends and reports.
final class RunningTotals: Sendable {
    let progress: ProgressBar
    private let counts = Mutex(AnalysisCounts())

    /// - Parameter showsProgress: whether the progress line may be shown.
    init(showsProgress: Bool = true) {
        progress = ProgressBar(isWanted: showsProgress)
    }

    func update(_ counts: AnalysisCounts) {
        self.counts.withLock { $0 = counts }
    }

    /// Removes the progress line, and prints the counts of an interrupted run.
    func reportInterruption() {
        progress.end()
        let counts = counts.withLock { $0 }
        let words =
            counts.total > 0
            ? "Interrupted; what is printed above is complete, and the rest was not judged. \(counts.summary)"
            : "Interrupted; nothing was judged."
        StandardError.write(TerminalText.wrapped(words, for: STDERR_FILENO) + "\n")
    }
}
