// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The scores of judged files in descending order, with ties together.
package struct RankedScores: Sendable {
    /// The distinct scores, the highest first.
    package let scores: [Double]
    /// The place of each judged file's score among the distinct scores, in the order of the files.
    let ranks: [Int]
    /// The number of sensitive files with each distinct score.
    let positives: [Int]
    /// The number of harmless files with each distinct score.
    let negatives: [Int]
    package let positiveCount: Int
    package let negativeCount: Int

    /// - Parameter files: the files; those without a score are left out.
    package init(_ files: [LabelledScore]) {
        let judged = files.filter { $0.score != nil }
        let order = judged.indices.sorted { (judged[$0].score ?? 0) > (judged[$1].score ?? 0) }
        var scores: [Double] = []
        var ranks = [Int](repeating: 0, count: judged.count)
        var (positives, negatives): ([Int], [Int]) = ([], [])
        for index in order {
            let score = judged[index].score ?? 0
            if scores.last != score {
                scores.append(score)
                positives.append(0)
                negatives.append(0)
            }
            ranks[index] = scores.count - 1
            if judged[index].isPositive {
                positives[scores.count - 1] += 1
            } else {
                negatives[scores.count - 1] += 1
            }
        }
        (self.scores, self.ranks, self.positives, self.negatives) = (scores, ranks, positives, negatives)
        positiveCount = positives.reduce(0, +)
        negativeCount = negatives.reduce(0, +)
    }

    /// The points of the receiver operating characteristic, from the strictest threshold to the laxest.
    ///
    /// At each point, all files with at least the threshold's score count as found.
    package var points: [OperatingCount] {
        var (found, alarms) = (0, 0)
        return scores.indices.map { rank in
            found += positives[rank]
            alarms += negatives[rank]
            return OperatingCount(
                threshold: scores[rank], truePositives: found, falsePositives: alarms,
                positives: positiveCount, negatives: negativeCount)
        }
    }

    /// Returns the counts at a threshold, at which a file with exactly this score counts as found.
    package func counts(at threshold: Double) -> OperatingCount {
        var (found, alarms) = (0, 0)
        for rank in scores.indices {
            guard scores[rank] >= threshold else { break }
            found += positives[rank]
            alarms += negatives[rank]
        }
        return OperatingCount(
            threshold: threshold, truePositives: found, falsePositives: alarms,
            positives: positiveCount, negatives: negativeCount)
    }

    /// Returns the strictest point whose sensitivity reaches a share; nil without sensitive files.
    package func point(atSensitivity share: Double) -> OperatingCount? {
        guard positiveCount > 0 else { return nil }
        // A share such as 0.9 is no exact number.
        return points.first { Double($0.truePositives) >= share * Double(positiveCount) - 1e-9 } ?? points.last
    }

    /// The distinct scores with the number of files of a label.
    package func counts(ofPositives isPositive: Bool) -> [(score: Double, count: Int)] {
        Array(zip(scores, isPositive ? positives : negatives)).map { (score: $0, count: $1) }
    }

    /// Returns the laxest point whose false-alarm rate is at most a rate; nil without harmless files.
    ///
    /// The point finds no file at all if each threshold among the scores has more false alarms.
    package func point(atFalseAlarmRate rate: Double) -> OperatingCount? {
        guard negativeCount > 0 else { return nil }
        return points.last { Double($0.falsePositives) <= rate * Double(negativeCount) + 1e-9 }
            ?? scores.first.map { counts(at: $0.nextUp) }
    }
}
