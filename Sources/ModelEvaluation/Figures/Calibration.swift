// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The agreement of scores with the shares of sensitive files that have them.
///
/// A score of 0.8 is calibrated if 80 % of the files with this score are sensitive. A set with another mixture than the
/// files of daily life has another calibration.
package struct Calibration: Sendable, Hashable {
    /// The mean of the squared differences of scores and labels, 0 at best.
    ///
    /// Source: G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950),
    /// 1-3.
    package let brierScore: Double
    /// The mean distance of a bin's scores from its share of sensitive files, weighted by the files in the bin.
    ///
    /// Source: C. Guo and others, "On calibration of modern neural networks", ICML 2017.
    package let expectedError: Double
    /// The bins that have files, from the lowest scores to the highest.
    package let bins: [Bin]

    /// The files whose scores lie in one of ten equal ranges.
    package struct Bin: Sendable, Hashable {
        package var scoreSum: Double
        package var positives: Int
        package var count: Int

        package var meanScore: Double { scoreSum / Double(count) }
        package var share: Proportion { Proportion(hits: positives, of: count) }
    }

    /// Creates the calibration of judged files; nil if there are none.
    ///
    /// - Parameters:
    ///   - scores: the distinct scores, the highest first.
    ///   - positives: the number of sensitive files with each score.
    ///   - negatives: the number of harmless files with each score.
    init?(scores: [Double], positives: [Int], negatives: [Int]) {
        let total = positives.reduce(0, +) + negatives.reduce(0, +)
        guard total > 0 else { return nil }
        var bins = [Bin](repeating: Bin(scoreSum: 0, positives: 0, count: 0), count: Self.edges.count + 1)
        var squares = 0.0
        var bin = Self.edges.count
        for (rank, score) in scores.enumerated() {
            // A score on an edge belongs to the lower bin, as in scikit-learn's `calibration_curve`.
            while bin > 0, score <= Self.edges[bin - 1] { bin -= 1 }
            let (positives, count) = (positives[rank], positives[rank] + negatives[rank])
            let miss = 1 - score
            squares += Double(positives) * miss * miss + Double(count - positives) * score * score
            bins[bin].scoreSum += score * Double(count)
            bins[bin].positives += positives
            bins[bin].count += count
        }
        brierScore = squares / Double(total)
        self.bins = bins.filter { $0.count > 0 }
        expectedError =
            self.bins.reduce(0) { $0 + abs($1.scoreSum - Double($1.positives)) } / Double(total)
    }

    /// The edges between the bins, with the rounding of `numpy.linspace(0, 1, 11)`.
    private static let edges = (1...9).map { Double($0) * 0.1 }
}
