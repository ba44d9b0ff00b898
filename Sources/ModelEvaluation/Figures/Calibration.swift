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
    ///   - scores: the distinct scores.
    ///   - positives: the number of sensitive files with each score.
    ///   - negatives: the number of harmless files with each score.
    init?(scores: [Double], positives: [Int], negatives: [Int]) {
        let total = positives.reduce(0, +) + negatives.reduce(0, +)
        guard total > 0 else { return nil }
        var bins = [Bin](repeating: Bin(scoreSum: 0, positives: 0, count: 0), count: Self.edges.count + 1)
        var squares = 0.0
        for (rank, score) in scores.enumerated() {
            let (positives, negatives) = (positives[rank], negatives[rank])
            guard positives + negatives > 0 else { continue }
            squares += Double(positives) * (1 - score) * (1 - score) + Double(negatives) * score * score
            let bin = Self.bin(of: score)
            bins[bin].scoreSum += score * Double(positives + negatives)
            bins[bin].positives += positives
            bins[bin].count += positives + negatives
        }
        brierScore = squares / Double(total)
        self.bins = bins.filter { $0.count > 0 }
        expectedError =
            self.bins.reduce(0) { $0 + abs($1.scoreSum - Double($1.positives)) } / Double(total)
    }

    /// Returns the bin of a score; a score on an edge belongs to the lower bin, as in scikit-learn's `calibration_curve`.
    private static func bin(of score: Double) -> Int {
        // The product is right but for rounding at the edges themselves.
        var bin = min(max(Int(score * 10), 0), edges.count)
        while bin > 0, score <= edges[bin - 1] { bin -= 1 }
        while bin < edges.count, score > edges[bin] { bin += 1 }
        return bin
    }

    /// The edges between the bins, with the rounding of `numpy.linspace(0, 1, 11)`.
    private static let edges = (1...9).map { Double($0) * 0.1 }
}
