// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelEvaluation

/// Shares and figures as texts.
enum PercentText {
    /// Returns a share in percent with one decimal, or two below one percent.
    static func text(_ share: Double) -> String {
        let percent = share * 100
        // A share that is not 0 or 1 must not look like it.
        if percent > 0, percent < 0.1 { return String(format: "%.2g %%", percent) }
        if percent < 100, percent > 99.9 { return String(format: "%.3f %%", percent) }
        return String(format: "%.1f %%", percent)
    }

    /// Returns a share as a person would write it, without zeros at its end.
    static func wish(_ share: Double) -> String { String(format: "%.4g %%", share * 100) }

    static func text(_ interval: Interval?) -> String {
        interval.map { "\(text($0.low)) to \(text($0.high))" } ?? "-"
    }

    /// Returns a figure of 0 to 1 with four decimals.
    static func figure(_ value: Double) -> String { String(format: "%.4f", value) }

    static func figure(_ interval: Interval?) -> String {
        interval.map { "\(figure($0.low)) to \(figure($0.high))" } ?? "-"
    }
}
