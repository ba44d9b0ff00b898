// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ArgumentParser
internal import ModelEvaluation
internal import ModelStore

/// The options about the figures of an evaluation.
struct FigureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A further threshold for which rates are counted, above 0 and up to 1; may be repeated.", valueName: "score"
        ))
    var threshold: [Double] = []

    @Option(
        help: ArgumentHelp(
            "Suggest the threshold with at most this share of false alarms, such as 0.01; may be repeated.",
            valueName: "share"))
    var falseAlarms: [Double] = []

    @Option(
        help: ArgumentHelp(
            "Suggest the threshold that finds at least this share of the sensitive files, such as 0.95; may be repeated.",
            valueName: "share"))
    var sensitivity: [Double] = []

    @Option(help: ArgumentHelp("The seed of the resamples for intervals.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of resamples for intervals, 100 to 100000.", valueName: "count"))
    var resamples = 2000

    func validate() throws {
        guard threshold.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
            throw ValidationError("--threshold is above 0 and up to 1.")
        }
        guard falseAlarms.allSatisfy({ (0..<1).contains($0) }) else {
            throw ValidationError("--false-alarms is a share from 0 to below 1, such as 0.01 for 1 %.")
        }
        guard sensitivity.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
            throw ValidationError("--sensitivity is a share above 0 and up to 1, such as 0.95 for 95 %.")
        }
        guard (100...100_000).contains(resamples) else { throw ValidationError("--resamples is from 100 to 100000.") }
    }

    var bootstrap: Bootstrap { Bootstrap(seed: seed, resampleCount: resamples) }

    var wishes: [ThresholdSuggestion.Wish] {
        falseAlarms.map { .falseAlarmRate(atMost: $0) } + sensitivity.map { .sensitivity(atLeast: $0) }
    }

    /// Returns the thresholds of a model's first output and the further ones; 0.5 if there are none.
    func thresholds(of manifest: ModelManifest?) -> [NamedThreshold] {
        var named: [NamedThreshold] = []
        if let thresholds = manifest?.outputs.first?.thresholds {
            named += [
                ("simple", thresholds.simple), ("descriptive", thresholds.descriptive), ("strong", thresholds.strong),
            ].map { NamedThreshold(name: $0, value: Double($1)) }
        }
        named += threshold.map { NamedThreshold(name: "given", value: ThresholdSuggestion.compared($0)) }
        return named.isEmpty ? [NamedThreshold(name: "half", value: 0.5)] : named
    }
}
