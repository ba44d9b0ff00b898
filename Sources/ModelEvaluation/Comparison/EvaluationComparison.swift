// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The differences between two scorings of the same files.
package struct EvaluationComparison: Sendable {
    /// The number of files that both scorings have judged; the others are left out.
    package let judgedByBoth: Int
    /// The figures of the second scoring less those of the first.
    package let differences: [Measure: Estimate]

    /// - Parameters:
    ///   - first: the files with the scores of one model or setting.
    ///   - second: the same files in the same order with other scores.
    ///   - thresholds: the thresholds whose rates are compared.
    package init(
        of second: [LabelledScore], with first: [LabelledScore], thresholds: [Double],
        bootstrap: Bootstrap? = Bootstrap()
    ) {
        precondition(first.count == second.count, "both scorings have the same files")
        let both = zip(first, second).filter { $0.score != nil && $1.score != nil }
        judgedByBoth = both.count
        let (first, second) = (both.map(\.0), both.map(\.1))
        let (one, other) = (WeightedScores(RankedScores(first)), WeightedScores(RankedScores(second)))
        let measures = Measure.all(thresholds: thresholds)
        let intervals = bootstrap?.intervals(ofDifferences: measures, from: first, to: second) ?? [:]
        let values = zip(Measure.values(of: measures, in: one), Measure.values(of: measures, in: other))
        differences = [Measure: Estimate](
            uniqueKeysWithValues: zip(measures, values).compactMap { measure, values in
                guard let before = values.0, let after = values.1 else { return nil }
                return (measure, Estimate(value: after - before, interval: intervals[measure]))
            })
    }
}
