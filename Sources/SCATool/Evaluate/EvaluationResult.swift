// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// All figures about a set.
struct EvaluationResult: Sendable {
    /// The name of the set.
    let setName: String
    /// The number of files and folders that were left out.
    let leftOut: Int
    let bootstrap: Bootstrap
    /// The first model or setting, and the second if two are compared.
    let scorings: [Scoring]
    /// The differences of the second scoring from the first; nil for one scoring.
    let comparison: EvaluationComparison?

    /// The figures of one model or setting.
    struct Scoring: Sendable {
        let name: String
        let thresholds: [NamedThreshold]
        let failures: [String: Int]
        /// The first unknown files, each with the reason.
        let unknownFiles: [String]
        /// The number of scores that an earlier evaluation has kept.
        let cached: Int
        let all: Evaluation
        let slices: [Slice]
        let suggestions: [ThresholdSuggestion]
        /// The wanted rates that no threshold has on this set.
        let unmetWishes: [ThresholdSuggestion.Wish]
        /// The files that are farthest on the wrong side, the worst first.
        let worst: [Mistake]

        /// The sentences about what the set cannot show.
        var sentences: [String] {
            all.shortcomings.map(\.sentence)
                + unmetWishes.map { "No threshold from 0.0001 to 1 has \(EvaluationRows.words(for: $0)) on this set." }
        }
    }

    /// A part of the set.
    struct Slice: Sendable {
        let name: String
        let evaluation: Evaluation
    }

    /// A file whose score contradicts its label.
    struct Mistake: Sendable {
        let path: String
        let isPositive: Bool
        let score: Double
    }

    /// - Parameters:
    ///   - files: the files of the set.
    ///   - scorings: the scores of one or two models for these files.
    ///   - wishes: the rates for which thresholds are suggested.
    init(
        of set: LabelledSet, _ files: [EvaluatedFile], _ scorings: [ScoredSet], leftOut: Int,
        wishes: [ThresholdSuggestion.Wish], bootstrap: Bootstrap
    ) {
        setName = set.name
        self.leftOut = leftOut
        self.bootstrap = bootstrap
        let everything = Array(files.indices)
        self.scorings = scorings.map { scored in
            let labelled = scored.labelled(files, everything)
            let all = Evaluation(of: labelled, thresholds: scored.thresholds.map(\.value), bootstrap: bootstrap)
            let suggestions = wishes.map { ($0, ThresholdSuggestion($0, all)) }
            return Scoring(
                name: scored.name, thresholds: scored.thresholds, failures: scored.failures,
                unknownFiles: scored.unknownFiles, cached: scored.cached,
                all: all,
                slices: Self.slices(files, scored, bootstrap),
                suggestions: suggestions.compactMap(\.1),
                unmetWishes: suggestions.filter { $0.1 == nil }.map(\.0), worst: Self.worst(files, scored.scores)
            )
        }
        guard scorings.count == 2 else {
            comparison = nil
            return
        }
        comparison = EvaluationComparison(
            of: scorings[1].labelled(files, everything), with: scorings[0].labelled(files, everything),
            thresholds: Self.common(scorings), bootstrap: bootstrap)
    }

    /// The thresholds that both scorings have, for which rates can be compared.
    private static func common(_ scorings: [ScoredSet]) -> [Double] {
        let second = Set(scorings[1].thresholds.map(\.value))
        return scorings[0].thresholds.map(\.value).filter(second.contains)
    }

    private static func slices(_ files: [EvaluatedFile], _ scored: ScoredSet, _ bootstrap: Bootstrap) -> [Slice] {
        var places: [String: [Int]] = [:]
        for (place, file) in files.enumerated() {
            for slice in Set(file.slices) { places[slice, default: []].append(place) }
        }
        return places.sorted { $0.key < $1.key }.map { name, places in
            Slice(
                name: name,
                evaluation: Evaluation(
                    of: scored.labelled(files, places), thresholds: scored.thresholds.map(\.value),
                    bootstrap: bootstrap))
        }
    }

    private static func worst(_ files: [EvaluatedFile], _ scores: [Double?]) -> [Mistake] {
        let mistakes = zip(files, scores).compactMap { file, score -> Mistake? in
            guard let score, file.isPositive == (score < 0.5) else { return nil }
            return Mistake(path: file.path.text, isPositive: file.isPositive, score: score)
        }
        return Array(
            mistakes.sorted { (abs($0.score - 0.5), $1.path) > (abs($1.score - 0.5), $0.path) }.prefix(mostMistakes))
    }

    private static let mostMistakes = 20
}
