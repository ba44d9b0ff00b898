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
    private(set) var forReview = 0
    /// The range of scores for review; nil if there is none.
    private var review: ReviewBand?
    /// The verb of the action on the files; nil if there was none.
    private var placementVerb: String?
    private var placed = 0
    private var wouldBePlaced = 0
    private(set) var notPlaced = 0
    private(set) var modelName: String?

    /// The number of inputs that were judged.
    var total: Int { sensitive + notSensitive + unknown }

    mutating func add(_ outcome: AnalysisOutcome, _ placement: Placement?, _ review: ReviewBand? = nil) {
        self.review = review
        if outcome.isForReview { forReview += 1 }
        switch outcome.finding {
        case .skipped(let reason): skipped[reason, default: 0] += 1
        case .failure: unknown += 1
        case .analysis(let analysis):
            modelName = analysis.modelName
            if outcome.isCached { cached += 1 }
            if analysis.isSensitive { sensitive += 1 } else { notSensitive += 1 }
        }
        guard let placement else { return }
        placementVerb = placement.action.verb
        switch placement.outcome {
        case .done: placed += 1
        case .failed: notPlaced += 1
        case .planned: wouldBePlaced += 1
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
        return "\(total) \(total == 1 ? "file" : "files"): \(sensitive) sensitive, \(notSensitive) not sensitive,"
            + " \(unknown) unknown\(skippedWords).\(reviewWords)\(cache)\(placementWords)\(model)"
    }

    /// The number of files for review, for example " 2 for review (score 0.3 to 0.7)."; empty without a range.
    private var reviewWords: String {
        review.map { " \(forReview) for review (\($0.words))." } ?? ""
    }

    /// The numbers of files that were moved or copied, for example " 3 moved, 1 not moved."; empty if there are none.
    private var placementWords: String {
        guard let verb = placementVerb else { return "" }
        guard placed + notPlaced > 0 else { return " \(wouldBePlaced) would be \(verb)." }
        return " \(placed) \(verb)\(notPlaced == 0 ? "" : ", \(notPlaced) not \(verb)")."
    }
}
