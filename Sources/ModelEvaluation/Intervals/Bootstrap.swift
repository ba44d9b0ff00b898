// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Intervals of figures, found by resampling the files.
///
/// Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993; sources are drawn as whole clusters.
package struct Bootstrap: Sendable, Hashable {
    /// The seed of the resamples; the same seed gives the same intervals on every machine.
    package var seed: UInt64
    /// The number of sets that are drawn.
    package var resampleCount: Int

    package init(seed: UInt64 = 1, resampleCount: Int = 2000) {
        self.seed = seed
        self.resampleCount = resampleCount
    }

    /// Fewer sources of a label give no interval, because intervals of fewer cover the truth too seldom.
    package static let smallestSourceCount = 30

    /// Returns the intervals of the figures of a scoring; empty if a label has too few sources.
    func intervals(of measures: [Measure], _ files: [LabelledScore]) -> [Measure: Interval] {
        intervals(of: measures, scorings: [files]) {
            $0[0]
        } interval: { drawn, estimate, measure, sourceCount in
            if measure == .area, estimate == 0 || estimate == 1 {
                return Self.interval(ofExtremeArea: estimate, sourceCount: sourceCount)
            }
            return Self.interval(of: drawn, around: estimate, sourceCount: sourceCount)
        }
    }

    /// Returns the intervals of the differences of figures, of the second scoring of the same files from the first.
    func intervals(
        ofDifferences measures: [Measure], from first: [LabelledScore], to second: [LabelledScore]
    ) -> [Measure: Interval] {
        intervals(of: measures, scorings: [first, second]) { values in
            if let first = values[0], let second = values[1] { second - first } else { nil }
        } interval: { drawn, estimate, _, sourceCount in
            Self.interval(ofDifferences: drawn, around: estimate, sourceCount: sourceCount)
        }
    }

    /// - Parameters:
    ///   - scorings: the scores of the same judged files; a drawn set has the same files in each.
    ///   - combined: makes a figure of the figures of all scorings.
    ///   - interval: makes an interval of the drawn figures, the figure, its measure and the number of sources.
    private func intervals(
        of measures: [Measure], scorings: [[LabelledScore]], combined: ([Double?]) -> Double?,
        interval: ([Double], Double, Measure, Int) -> Interval?
    ) -> [Measure: Interval] {
        let sampler = SourceSampler(scorings[0])
        let sourceCount = min(sampler.positiveSources, sampler.negativeSources)
        guard sourceCount >= Self.smallestSourceCount else { return [:] }
        let ranked = scorings.map(RankedScores.init)
        var scores = ranked.map(WeightedScores.init)
        func figures() -> [Double?] {
            let values = scores.map { Measure.values(of: measures, in: $0) }
            return measures.indices.map { place in combined(values.map { $0[place] }) }
        }
        let estimates = figures()
        var drawn = [[Double]](repeating: [], count: measures.count)
        var generator = SplitMix64(seed: seed)
        var times = [Int](repeating: 0, count: scorings[0].count)
        for _ in 0..<resampleCount {
            sampler.draw(&times, using: &generator)
            for place in scorings.indices { scores[place].fill(scorings[place], ranked[place], times) }
            for (place, figure) in figures().enumerated() {
                if let figure { drawn[place].append(figure) }
            }
        }
        var intervals: [Measure: Interval] = [:]
        for (place, measure) in measures.enumerated() {
            guard let estimate = estimates[place] else { continue }
            intervals[measure] = interval(drawn[place], estimate, measure, sourceCount)
        }
        return intervals
    }
}

extension Bootstrap {
    /// Returns the interval of a figure from 0 to 1 by its values in drawn sets; nil if the drawn sets do not differ.
    ///
    /// The interval is normal in the logit of the figure, so it never leaves 0 to 1. In simulations it covers the truth as
    /// often as it says, also for areas near 1, where quantiles of the drawn values cover too seldom; `docs/evaluation.md`
    /// has the figures.
    ///
    /// - Parameter sourceCount: the number of sources of the rarer label.
    static func interval(of drawn: [Double], around estimate: Double, sourceCount: Int) -> Interval? {
        guard estimate > 0, estimate < 1, let half = halfWidth(of: drawn, sourceCount: sourceCount) else { return nil }
        let logit = log(estimate / (1 - estimate))
        let onScale = half / (estimate * (1 - estimate))
        func share(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
        return Interval(low: share(logit - onScale), high: share(logit + onScale))
    }

    /// Returns the interval of a difference of two figures; nil if the drawn sets do not differ.
    static func interval(ofDifferences drawn: [Double], around estimate: Double, sourceCount: Int) -> Interval? {
        guard let half = halfWidth(of: drawn, sourceCount: sourceCount) else { return nil }
        return Interval(low: max(estimate - half, -1), high: min(estimate + half, 1))
    }

    /// Returns the interval of an area of exactly 0 or 1, whose drawn sets all have the same area.
    ///
    /// If k pairs of a sensitive and a harmless source are all in order, the chance of that is at most the area to the power
    /// of k.
    static func interval(ofExtremeArea area: Double, sourceCount: Int) -> Interval {
        let bound = exp(log(0.025) / Double(sourceCount))
        return area == 1 ? Interval(low: bound, high: 1) : Interval(low: 0, high: 1 - bound)
    }

    /// Returns half the width of the interval of normal values; nil if all values are equal.
    private static func halfWidth(of values: [Double], sourceCount: Int) -> Double? {
        guard values.count > 1 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
        guard variance > 0 else { return nil }
        // Sets that are drawn from few sources differ less than sets of new files.
        let widening = (Double(sourceCount) / Double(sourceCount - 1)).squareRoot()
        return widening * StudentQuantile.at975(degrees: sourceCount - 1) * variance.squareRoot()
    }
}
