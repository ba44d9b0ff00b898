// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

extension Shortcoming {
    /// The sentence for a person.
    var sentence: String {
        switch self {
        case .noFiles(let isPositive):
            "No \(Self.word(isPositive)) file was judged, so nothing can be said about"
                + " \(isPositive ? "what is found" : "false alarms")."
        case .fewSources(let isPositive, let count):
            "Only \(count) \(Self.word(isPositive)) \(count == 1 ? "file or source was" : "files or sources were") judged."
                + " Figures of fewer than \(Bootstrap.smallestSourceCount) have no interval and say little."
        case .falseAlarmsBelow(let bound):
            "A false-alarm rate below \(PercentText.text(bound)) cannot be shown, since it can give no false alarm by chance."
                + " With \(Self.filesForOnePercent) harmless files or sources the bound is 1 %."
        case .missesBelow(let bound):
            "A sensitivity above \(PercentText.text(1 - bound)) cannot be shown. With \(Self.filesForOnePercent) sensitive"
                + " files or sources the bound is 99 %."
        case .littleCalibration(let count):
            "Calibration of \(count) files says little; it needs at least \(Self.filesForCalibration)."
        case .manyUnknown(let count, let total):
            "\(count) of \(total) files are unknown and in no other figure, which may not hold for them."
        }
    }

    private static func word(_ isPositive: Bool) -> String { isPositive ? "sensitive" : "harmless" }
}
