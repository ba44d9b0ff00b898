// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A figure of ranked scores that has an interval.
package enum Measure: Hashable, Sendable {
    case area
    case averagePrecision
    /// The smallest false-alarm rate at which so many percent of the sensitive files are found.
    case falseAlarmRateAtSensitivity(percent: Int)
    /// The share of sensitive files that a threshold finds.
    case sensitivity(threshold: Double)
    /// The share of harmless files that a threshold calls sensitive.
    case falseAlarmRate(threshold: Double)
    case brierScore
    case calibrationError

    /// Returns figures; nil where one is not defined, for example for one label alone.
    static func values(of measures: [Measure], in scores: WeightedScores) -> [Double?] {
        // Two figures come from it, and it takes longer than all others.
        let calibration = measures.contains { $0 == .brierScore || $0 == .calibrationError } ? scores.calibration : nil
        return measures.map { measure in
            switch measure {
            case .area: scores.area
            case .averagePrecision: scores.averagePrecision
            case .falseAlarmRateAtSensitivity(let percent): scores.falseAlarmRate(atSensitivity: percent)
            case .sensitivity(let threshold): scores.rates(from: threshold).sensitivity
            case .falseAlarmRate(let threshold): scores.rates(from: threshold).falseAlarmRate
            case .brierScore: calibration?.brierScore
            case .calibrationError: calibration?.expectedError
            }
        }
    }

    /// The figures of an evaluation with these thresholds, each once.
    package static func all(thresholds: [Double]) -> [Measure] {
        var seen: Set<Double> = []
        // Two policies may have one threshold.
        let distinct = thresholds.filter { seen.insert($0).inserted }
        return [.area, .averagePrecision] + Evaluation.sensitivities.map { .falseAlarmRateAtSensitivity(percent: $0) }
            + distinct.flatMap { [.sensitivity(threshold: $0), .falseAlarmRate(threshold: $0)] }
            + [.brierScore, .calibrationError]
    }
}
