// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelEvaluation

/// An evaluation as a JSON object; the schema is in `docs/evaluation.md`.
struct EvaluationRecord: Encodable {
    let schema = 1
    let set: String
    let leftOut: Int
    let seed: UInt64
    let resamples: Int
    let scorings: [Scoring]
    let differences: [Difference]?

    init(_ result: EvaluationResult) {
        set = result.setName
        leftOut = result.leftOut
        seed = result.bootstrap.seed
        resamples = result.bootstrap.resampleCount
        scorings = result.scorings.map(Scoring.init)
        differences = result.comparison.map { comparison in
            Measure.all(thresholds: result.scorings[0].thresholds.map(\.value)).compactMap { measure in
                comparison.differences[measure].map { Difference(measure, $0, comparison.judgedByBoth) }
            }
        }
    }

    /// The object as text with one line.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    struct Scoring: Encodable {
        let name: String
        let failures: [String: Int]
        let cached: Int
        let all: Part
        let slices: [Part]
        let suggestions: [Suggestion]
        let cannotShow: [String]

        init(_ scoring: EvaluationResult.Scoring) {
            name = scoring.name
            failures = scoring.failures
            cached = scoring.cached
            all = Part("all", scoring.all, scoring.thresholds)
            slices = scoring.slices.map { Part($0.name, $0.evaluation, scoring.thresholds) }
            suggestions = scoring.suggestions.map { Suggestion($0, hasIntervals: !scoring.all.namesSources) }
            cannotShow = scoring.sentences
        }
    }

    struct Part: Encodable {
        let name: String
        let sensitive: Label
        let harmless: Label
        let area: Figure?
        let averagePrecision: Figure?
        let falseAlarmsAtSensitivity: [SensitivityRow]
        let thresholds: [ThresholdRow]
        let brierScore: Figure?
        let calibrationError: Figure?
        let reliability: [Bin]
        /// The largest false-alarm rate that is compatible with no false alarm.
        let noFalseAlarmBound: Double?

        init(_ name: String, _ evaluation: Evaluation, _ thresholds: [NamedThreshold]) {
            self.name = name
            sensitive = Label(evaluation.positives, sources: evaluation.positiveSources)
            harmless = Label(evaluation.negatives, sources: evaluation.negativeSources)
            area = Figure(evaluation.estimates[.area])
            averagePrecision = Figure(evaluation.estimates[.averagePrecision])
            falseAlarmsAtSensitivity = evaluation.pointsAtSensitivity.map { point in
                SensitivityRow(
                    percent: point.percent, threshold: point.counts.threshold,
                    falseAlarmRate: Figure(evaluation.estimates[.falseAlarmRateAtSensitivity(percent: point.percent)]))
            }
            self.thresholds = zip(thresholds, evaluation.thresholds).map { named, counts in
                ThresholdRow(
                    name: named.name, threshold: counts.threshold, truePositives: counts.truePositives,
                    falsePositives: counts.falsePositives, sensitivity: Figure(evaluation.sensitivity(at: counts)),
                    falseAlarmRate: Figure(evaluation.falseAlarmRate(at: counts)),
                    precision: Figure(counts.precision))
            }
            brierScore = Figure(evaluation.estimates[.brierScore])
            calibrationError = Figure(evaluation.estimates[.calibrationError])
            reliability = (evaluation.calibration?.bins ?? []).map { bin in
                Bin(count: bin.count, meanScore: bin.meanScore, share: Figure(bin.share))
            }
            noFalseAlarmBound = evaluation.upperBoundOfNoFalseAlarm
        }
    }

    struct Label: Encodable {
        let judged: Int
        let unknown: Int
        let sources: Int

        init(_ count: LabelCount, sources: Int) {
            (judged, unknown, self.sources) = (count.judged, count.unknown, sources)
        }
    }

    struct Figure: Encodable {
        let value: Double
        let low: Double?
        let high: Double?

        init?(_ estimate: Estimate?) {
            guard let estimate else { return nil }
            (value, low, high) = (estimate.value, estimate.interval?.low, estimate.interval?.high)
        }

        init?(_ share: Proportion, hasInterval: Bool = true) {
            guard let value = share.value else { return nil }
            let interval = hasInterval ? share.wilson : nil
            (self.value, low, high) = (value, interval?.low, interval?.high)
        }
    }

    struct SensitivityRow: Encodable {
        let percent: Int
        let threshold: Double
        let falseAlarmRate: Figure?
    }

    struct ThresholdRow: Encodable {
        let name: String
        let threshold: Double
        let truePositives: Int
        let falsePositives: Int
        let sensitivity: Figure?
        let falseAlarmRate: Figure?
        let precision: Figure?
    }

    struct Bin: Encodable {
        let count: Int
        let meanScore: Double
        let share: Figure?
    }

    struct Suggestion: Encodable {
        let wish: String
        let threshold: Double
        let sensitivity: Figure?
        let falseAlarmRate: Figure?

        init(_ suggestion: ThresholdSuggestion, hasIntervals: Bool) {
            wish = EvaluationRows.words(for: suggestion.wish)
            threshold = suggestion.threshold
            sensitivity = Figure(suggestion.counts.sensitivity, hasInterval: hasIntervals)
            falseAlarmRate = Figure(suggestion.counts.falseAlarmRate, hasInterval: hasIntervals)
        }
    }

    struct Difference: Encodable {
        let figure: String
        let threshold: Double?
        let files: Int
        let difference: Figure?

        init(_ measure: Measure, _ estimate: Estimate, _ files: Int) {
            figure = measure.name
            threshold = measure.threshold
            self.files = files
            difference = Figure(estimate)
        }
    }
}

extension Measure {
    /// The name in JSON and in comma-separated values.
    var name: String {
        switch self {
        case .area: "area"
        case .averagePrecision: "averagePrecision"
        case .falseAlarmRateAtSensitivity(let percent): "falseAlarmRateAtSensitivity\(percent)"
        case .sensitivity: "sensitivity"
        case .falseAlarmRate: "falseAlarmRate"
        case .brierScore: "brierScore"
        case .calibrationError: "calibrationError"
        }
    }

    /// The threshold of a rate; nil for other figures.
    var threshold: Double? {
        switch self {
        case .sensitivity(let threshold), .falseAlarmRate(let threshold): threshold
        default: nil
        }
    }
}
