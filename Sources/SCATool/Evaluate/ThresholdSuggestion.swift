// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// A threshold that has a wanted rate on a set.
struct ThresholdSuggestion: Sendable, Hashable {
    /// A rate that a person wants.
    enum Wish: Sendable, Hashable {
        case falseAlarmRate(atMost: Double)
        case sensitivity(atLeast: Double)

        /// Whether counts have the wanted rate.
        func holds(for counts: OperatingCount) -> Bool {
            switch self {
            case .falseAlarmRate(let rate): (counts.falseAlarmRate.value ?? 0) <= rate + 1e-9
            case .sensitivity(let rate): (counts.sensitivity.value ?? 0) >= rate - 1e-9
            }
        }
    }

    let wish: Wish
    let counts: OperatingCount
    /// The threshold with four decimals, rounded so that the wish still holds for verdicts.
    let threshold: Double

    /// Finds the threshold; nil if the set has no judged files of the label, or if no threshold has the rate.
    init?(_ wish: Wish, _ evaluation: Evaluation) {
        let ranked = evaluation.ranked
        let point: OperatingCount? =
            switch wish {
            case .falseAlarmRate(let rate): ranked.point(atFalseAlarmRate: rate)
            case .sensitivity(let rate): ranked.point(atSensitivity: rate)
            }
        guard let point else { return nil }
        let scaled = point.threshold * 10_000
        // Down, the same files and perhaps some more are found; up, at most as many.
        let rounded =
            switch wish {
            case .falseAlarmRate: scaled.rounded(.up)
            case .sensitivity: scaled.rounded(.down)
            }
        // A stricter last digit for scores of other programs, which have more digits than a verdict's threshold.
        let stricter: Double = if case .falseAlarmRate = wish { 1 } else { -1 }
        let candidates = [0, stricter].map { min(max((rounded + $0) / 10_000, 0.0001), 1) }
        let fitting = candidates.first { wish.holds(for: ranked.counts(at: Self.compared($0))) }
        // No threshold from 0.0001 to 1 may have the wanted rate.
        guard let fitting else { return nil }
        self.wish = wish
        threshold = fitting
        counts = ranked.counts(at: Self.compared(threshold))
    }

    /// Returns the number with which scores are compared for a verdict: the nearest that a score can have.
    static func compared(_ threshold: Double) -> Double { Double(Float(threshold)) }
}
