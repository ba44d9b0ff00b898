// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The figures of ranked scores in which each file counts a number of times, as in a drawn set of a bootstrap.
///
/// It is filled and read again for each drawn set, so that a set takes no memory.
struct WeightedScores {
    private let scores: [Double]
    /// The numbers of sensitive and of harmless files with each distinct score.
    private var positives: [Int]
    private var negatives: [Int]
    /// The numbers of sensitive and of harmless files with at least each distinct score.
    private var found: [Int]
    private var alarms: [Int]
    private var positiveCount: Int { found.last ?? 0 }
    private var negativeCount: Int { alarms.last ?? 0 }

    /// Creates figures of files that each count once.
    init(_ ranked: RankedScores) {
        scores = ranked.scores
        (positives, negatives) = (ranked.positives, ranked.negatives)
        (found, alarms) = (positives, negatives)
        sumUp()
    }

    /// Counts each file a number of times.
    mutating func fill(_ files: [LabelledScore], _ ranked: RankedScores, _ times: [Int]) {
        for rank in positives.indices { (positives[rank], negatives[rank]) = (0, 0) }
        for (index, count) in times.enumerated() where count > 0 {
            let rank = ranked.ranks[index]
            if files[index].isPositive { positives[rank] += count } else { negatives[rank] += count }
        }
        sumUp()
    }

    private mutating func sumUp() {
        var (sumOfPositives, sumOfNegatives) = (0, 0)
        for rank in positives.indices {
            sumOfPositives += positives[rank]
            sumOfNegatives += negatives[rank]
            found[rank] = sumOfPositives
            alarms[rank] = sumOfNegatives
        }
    }

    /// The probability that a sensitive file scores higher than a harmless one, where ties count half.
    ///
    /// It is nil if the files have one label alone. Source: J. A. Hanley and B. J. McNeil, "The meaning and use of the area
    /// under a receiver operating characteristic (ROC) curve", Radiology 143 (1982), 29-36.
    var area: Double? {
        guard positiveCount > 0, negativeCount > 0 else { return nil }
        var twice = 0
        for rank in positives.indices { twice += negatives[rank] * (2 * found[rank] - positives[rank]) }
        return Double(twice) / (2 * Double(positiveCount) * Double(negativeCount))
    }

    /// The mean of the precisions at each threshold, weighted by the gain in sensitivity; nil without sensitive files.
    var averagePrecision: Double? {
        guard positiveCount > 0 else { return nil }
        var sum = 0.0
        for rank in positives.indices where positives[rank] > 0 {
            sum += Double(positives[rank]) * Double(found[rank]) / Double(found[rank] + alarms[rank])
        }
        return sum / Double(positiveCount)
    }

    /// Returns the smallest false-alarm rate at which the sensitivity reaches so many percent; nil for one label alone.
    func falseAlarmRate(atSensitivity percent: Int) -> Double? {
        guard positiveCount > 0, negativeCount > 0 else { return nil }
        let rank = firstRank { found[$0] * 100 >= percent * positiveCount }
        return Double(alarms[min(rank, alarms.count - 1)]) / Double(negativeCount)
    }

    /// Returns the sensitivity and the false-alarm rate where scores from a threshold on count as sensitive.
    func rates(from threshold: Double) -> (sensitivity: Double?, falseAlarmRate: Double?) {
        let end = firstRank { scores[$0] < threshold }
        func rate(_ sums: [Int]) -> Double? {
            guard let total = sums.last, total > 0 else { return nil }
            return Double(end > 0 ? sums[end - 1] : 0) / Double(total)
        }
        return (rate(found), rate(alarms))
    }

    var calibration: Calibration? {
        Calibration(scores: scores, positives: positives, negatives: negatives)
    }

    /// Returns the first rank that has a property which all later ranks have too, or the number of ranks.
    private func firstRank(where hasProperty: (Int) -> Bool) -> Int {
        var (low, high) = (0, scores.count)
        while low < high {
            let middle = (low + high) / 2
            if hasProperty(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
