// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The numbers of outcomes of a run, by verdict.
struct AnalysisCounts: Sendable {
    var sensitive = 0
    var notSensitive = 0
    var unknown = 0
    var skipped = 0
    var modelName: String?

    var total: Int { sensitive + notSensitive + unknown }

    var skippedWords: String { skipped == 0 ? "" : ", \(skipped) skipped" }

    var summary: String {
        let model = modelName.map { " Model: \($0)." } ?? ""
        return "\(total) \(total == 1 ? "file" : "files"): \(sensitive) sensitive, \(notSensitive) not sensitive,"
            + " \(unknown) unknown\(skippedWords).\(model)"
    }
}

/// The counts and the progress line of a run, which an interruption on another thread ends and reports.
final class RunningTotals: Sendable {
    let progress = ProgressBar()
    private let counts = Mutex(AnalysisCounts())

    func update(_ counts: AnalysisCounts) {
        self.counts.withLock { $0 = counts }
    }

    /// Removes the progress line, and prints the counts of an interrupted run.
    func reportInterruption() {
        progress.end()
        let counts = counts.withLock { $0 }
        let totals = counts.total > 0 ? " \(counts.summary)" : ""
        StandardError.write("Interrupted; what is printed above is complete.\(totals)\n")
    }
}
