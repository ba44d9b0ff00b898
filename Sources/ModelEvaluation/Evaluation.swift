// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How well scores tell sensitive files from harmless ones.
package struct Evaluation: Sendable {
    /// The files that are labelled as sensitive.
    package let positives: LabelCount
    /// The files that are labelled as harmless.
    package let negatives: LabelCount
    /// Whether files name their sources, which are then drawn as a whole.
    package let namesSources: Bool
    /// The numbers of sources of the judged sensitive and harmless files; a file that names none is its own source.
    package let positiveSources: Int
    package let negativeSources: Int
    package let ranked: RankedScores
    /// The figures that are defined for the judged files.
    package let estimates: [Measure: Estimate]
    /// The strictest operating points whose sensitivity reaches so many percent.
    package let pointsAtSensitivity: [SensitivityPoint]
    /// The operating points at the thresholds that were asked for.
    package let thresholds: [OperatingCount]
    package let calibration: Calibration?

    /// An operating point that reaches a sensitivity.
    package struct SensitivityPoint: Sendable, Hashable {
        package var percent: Int
        package var counts: OperatingCount
    }

    /// The sensitivities in percent at which false alarms are reported.
    package static let sensitivities = [80, 90, 95]

    /// - Parameters:
    ///   - files: the labelled files; those without a score are counted and nothing else.
    ///   - thresholds: the thresholds for which counts are made.
    ///   - bootstrap: the resamples for intervals; nil for none.
    package init(of files: [LabelledScore], thresholds: [Double], bootstrap: Bootstrap? = Bootstrap()) {
        positives = Self.count(files.filter(\.isPositive))
        negatives = Self.count(files.filter { !$0.isPositive })
        let judged = files.filter { $0.score != nil }
        namesSources = judged.contains { $0.source != nil }
        positiveSources = Self.sourceCount(judged.filter(\.isPositive))
        negativeSources = Self.sourceCount(judged.filter { !$0.isPositive })
        let ranked = RankedScores(judged)
        self.ranked = ranked
        pointsAtSensitivity = Self.sensitivities.compactMap { percent in
            ranked.point(atSensitivity: Double(percent) / 100).map { SensitivityPoint(percent: percent, counts: $0) }
        }
        self.thresholds = thresholds.map(ranked.counts)
        let scores = WeightedScores(ranked)
        calibration = scores.calibration
        let measures = Measure.all(thresholds: thresholds)
        let intervals = bootstrap?.intervals(of: measures, judged) ?? [:]
        estimates = [Measure: Estimate](
            uniqueKeysWithValues: zip(measures, Measure.values(of: measures, in: scores)).compactMap { measure, value in
                value.map { (measure, Estimate(value: $0, interval: intervals[measure])) }
            })
    }

    /// The largest false-alarm rate that no false alarm among the judged harmless sources is compatible with.
    package var upperBoundOfNoFalseAlarm: Double? { Proportion.upperBoundOfNone(of: negativeSources) }

    /// Returns the sensitivity at a threshold with its interval; nil without judged sensitive files.
    package func sensitivity(at counts: OperatingCount) -> Estimate? {
        estimate(.sensitivity(threshold: counts.threshold), counts.sensitivity, sources: positiveSources)
    }

    /// Returns the false-alarm rate at a threshold with its interval; nil without judged harmless files.
    package func falseAlarmRate(at counts: OperatingCount) -> Estimate? {
        estimate(.falseAlarmRate(threshold: counts.threshold), counts.falseAlarmRate, sources: negativeSources)
    }

    /// Files that name their sources depend on each other, so Wilson's interval would be too narrow for them.
    private func estimate(_ measure: Measure, _ share: Proportion, sources: Int) -> Estimate? {
        guard let value = share.value else { return nil }
        guard namesSources else { return Estimate(value: value, interval: share.wilson) }
        if share.hits == 0 || share.hits == share.count, let bound = Proportion.upperBoundOfNone(of: sources) {
            let interval = share.hits == 0 ? Interval(low: 0, high: bound) : Interval(low: 1 - bound, high: 1)
            return Estimate(value: value, interval: interval)
        }
        return Estimate(value: value, interval: estimates[measure]?.interval)
    }

    private static func sourceCount(_ files: [LabelledScore]) -> Int {
        let named = files.compactMap(\.source)
        return Set(named).count + files.count - named.count
    }

    private static func count(_ files: [LabelledScore]) -> LabelCount {
        let judged = files.count { $0.score != nil }
        return LabelCount(judged: judged, unknown: files.count - judged)
    }
}
