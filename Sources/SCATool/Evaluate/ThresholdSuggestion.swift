// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// A threshold that has a wanted rate on a set.
struct ThresholdSuggestion: Sendable, Hashable {
    /// A rate that a person wants.
    enum Wish: Sendable, Hashable {
        case falseAlarmRate(atMost: Double)
        case sensitivity(atLeast: Double)
    }

    let wish: Wish
    let counts: OperatingCount
    /// The threshold with four decimals, rounded so that the wish still holds.
    let threshold: Double

    /// Finds the threshold; nil if the set has no judged files of the label.
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
        threshold = min(max(rounded / 10_000, 0.0001), 1)
        self.wish = wish
        counts = ranked.counts(at: threshold)
    }
}
