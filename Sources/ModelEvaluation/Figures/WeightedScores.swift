// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The figures of ranked scores in which each file counts a number of times, as in a bootstrap's resample.
///
/// It is filled and read again for each resample, so that a resample takes no memory.
struct WeightedScores {
    private let scores: [Double]
    private(set) var positives: [Int]
    private(set) var negatives: [Int]
    private(set) var positiveCount = 0
    private(set) var negativeCount = 0

    /// Creates figures of files that each count once.
    init(_ ranked: RankedScores) {
        scores = ranked.scores
        (positives, negatives) = (ranked.positives, ranked.negatives)
        (positiveCount, negativeCount) = (ranked.positiveCount, ranked.negativeCount)
    }

    /// Counts each file a number of times.
    mutating func fill(_ files: [LabelledScore], _ ranked: RankedScores, _ times: [Int]) {
        for rank in positives.indices { (positives[rank], negatives[rank]) = (0, 0) }
        (positiveCount, negativeCount) = (0, 0)
        for (index, count) in times.enumerated() where count > 0 {
            let rank = ranked.ranks[index]
            if files[index].isPositive {
                positives[rank] += count
                positiveCount += count
            } else {
                negatives[rank] += count
                negativeCount += count
            }
        }
    }

    /// The probability that a sensitive file scores higher than a harmless one, where ties count half.
    ///
    /// It is nil if the files have one label alone. Source: J. A. Hanley and B. J. McNeil, "The meaning and use of the area
    /// under a receiver operating characteristic (ROC) curve", Radiology 143 (1982), 29-36.
    var area: Double? {
        guard positiveCount > 0, negativeCount > 0 else { return nil }
        var (found, twice) = (0, 0)
        for rank in positives.indices {
            twice += negatives[rank] * (2 * found + positives[rank])
            found += positives[rank]
        }
        return Double(twice) / (2 * Double(positiveCount) * Double(negativeCount))
    }

    /// The mean of the precisions at each threshold, weighted by the gain in sensitivity; nil without sensitive files.
    var averagePrecision: Double? {
        guard positiveCount > 0 else { return nil }
        var (found, alarms, sum) = (0, 0, 0.0)
        for rank in positives.indices {
            found += positives[rank]
            alarms += negatives[rank]
            guard positives[rank] > 0 else { continue }
            sum += Double(positives[rank]) * Double(found) / Double(found + alarms)
        }
        return sum / Double(positiveCount)
    }

    /// Returns the smallest false-alarm rate at which the sensitivity reaches so many percent; nil for one label alone.
    func falseAlarmRate(atSensitivity percent: Int) -> Double? {
        guard positiveCount > 0, negativeCount > 0 else { return nil }
        var (found, alarms) = (0, 0)
        for rank in positives.indices {
            found += positives[rank]
            alarms += negatives[rank]
            if found * 100 >= percent * positiveCount { break }
        }
        return Double(alarms) / Double(negativeCount)
    }

    /// Returns the sensitivity and the false-alarm rate where scores from a threshold on count as sensitive.
    func rates(from threshold: Double) -> (sensitivity: Double?, falseAlarmRate: Double?) {
        let end = scores.firstIndex { $0 < threshold } ?? scores.count
        let found = positives[..<end].reduce(0, +)
        let alarms = negatives[..<end].reduce(0, +)
        return (
            positiveCount > 0 ? Double(found) / Double(positiveCount) : nil,
            negativeCount > 0 ? Double(alarms) / Double(negativeCount) : nil
        )
    }

    var calibration: Calibration? {
        Calibration(scores: scores, positives: positives, negatives: negatives)
    }
}
