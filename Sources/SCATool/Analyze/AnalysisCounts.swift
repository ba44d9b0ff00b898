// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine

/// The numbers of outcomes of a run, by verdict.
struct AnalysisCounts: Sendable {
    private(set) var sensitive = 0
    private(set) var notSensitive = 0
    private(set) var unknown = 0
    private(set) var skipped: [SkipReason: Int] = [:]
    private(set) var cached = 0
    private(set) var moved = 0
    private(set) var wouldMove = 0
    private(set) var notMoved = 0
    private(set) var modelName: String?

    /// The number of inputs that were judged.
    var total: Int { sensitive + notSensitive + unknown }

    mutating func add(_ outcome: AnalysisOutcome, _ move: MoveOutcome?) {
        switch outcome.finding {
        case .skipped(let reason): skipped[reason, default: 0] += 1
        case .failure: unknown += 1
        case .analysis(let analysis):
            modelName = analysis.modelName
            if outcome.isCached { cached += 1 }
            if analysis.isSensitive { sensitive += 1 } else { notSensitive += 1 }
        }
        switch move {
        case .moved: moved += 1
        case .failed: notMoved += 1
        case .wouldMove: wouldMove += 1
        case nil: break
        }
    }

    var hasSkipped: Bool { !skipped.isEmpty }

    /// The skipped entries by kind, for example ", 3 skipped (2 sound, 1 link)"; empty if there are none.
    var skippedWords: String {
        let count = skipped.values.reduce(0, +)
        guard count > 0 else { return "" }
        let kinds = SkipReason.allCases.compactMap { reason in skipped[reason].map { reason.words(for: $0) } }
        return ", \(count) skipped (\(kinds.joined(separator: ", ")))"
    }

    var summary: String {
        let model = modelName.map { " Model: \($0)." } ?? ""
        let cache = cached == 0 ? "" : " \(cached) \(cached == 1 ? "verdict" : "verdicts") from the cache."
        let rehearsal = wouldMove == 0 ? "" : " \(wouldMove) would be moved."
        let moves =
            moved + notMoved == 0 ? rehearsal : " \(moved) moved\(notMoved == 0 ? "" : ", \(notMoved) not moved")."
        return "\(total) \(total == 1 ? "file" : "files"): \(sensitive) sensitive, \(notSensitive) not sensitive,"
            + " \(unknown) unknown\(skippedWords).\(cache)\(moves)\(model)"
    }
}
