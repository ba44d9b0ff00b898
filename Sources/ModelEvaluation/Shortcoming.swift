// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A conclusion that a set of files does not allow.
package enum Shortcoming: Sendable, Hashable {
    /// There is no judged file with a label, so most figures are not defined.
    case noFiles(isPositive: Bool)
    /// A label has so few sources that figures have no interval, and say little.
    case fewSources(isPositive: Bool, count: Int)
    /// No false-alarm rate below a bound can be told from none.
    case falseAlarmsBelow(Double)
    /// The sensitivity cannot be told from all to more than a bound.
    case missesBelow(Double)
    /// So few files are judged that calibration says little.
    case littleCalibration(count: Int)
    /// Many files are unknown, so the figures of the others may not hold for them.
    case manyUnknown(count: Int, of: Int)

    /// A label with fewer judged files bounds its rate by more than 1 %.
    package static let filesForOnePercent = 299
    /// Calibration of fewer judged files has fewer than 20 files for each of its ten bins.
    package static let filesForCalibration = 200
    /// A larger share of unknown files is told.
    package static let largestUnknownShare = 0.02
}

extension Evaluation {
    /// The conclusions that this set does not allow, the gravest first.
    package var shortcomings: [Shortcoming] {
        var found: [Shortcoming] = []
        for (isPositive, label, sources) in [(true, positives, positiveSources), (false, negatives, negativeSources)] {
            if label.judged == 0 {
                found.append(.noFiles(isPositive: isPositive))
            } else if sources < Bootstrap.smallestSourceCount {
                found.append(.fewSources(isPositive: isPositive, count: sources))
            }
        }
        if negativeSources > 0, negativeSources < Shortcoming.filesForOnePercent,
            let bound = Proportion.upperBoundOfNone(of: negativeSources)
        {
            found.append(.falseAlarmsBelow(bound))
        }
        if positiveSources > 0, positiveSources < Shortcoming.filesForOnePercent,
            let bound = Proportion.upperBoundOfNone(of: positiveSources)
        {
            found.append(.missesBelow(bound))
        }
        let judged = positives.judged + negatives.judged
        if judged > 0, judged < Shortcoming.filesForCalibration { found.append(.littleCalibration(count: judged)) }
        let (unknown, total) = (positives.unknown + negatives.unknown, positives.total + negatives.total)
        if Double(unknown) > Shortcoming.largestUnknownShare * Double(total) {
            found.append(.manyUnknown(count: unknown, of: total))
        }
        return found
    }
}
