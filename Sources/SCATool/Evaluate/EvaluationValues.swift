// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// An evaluation as comma-separated values, one figure a line.
enum EvaluationValues {
    /// Returns the lines with a heading.
    static func lines(_ result: EvaluationResult) -> [String] {
        var lines = ["scoring,slice,figure,threshold,value,low,high,sensitiveJudged,harmlessJudged,unknown"]
        for scoring in result.scorings {
            let parts = [EvaluationResult.Slice(name: "", evaluation: scoring.all)] + scoring.slices
            for part in parts {
                for measure in Measure.all(thresholds: scoring.thresholds.map(\.value)) {
                    guard let estimate = estimate(measure, part.evaluation) else { continue }
                    let counts = part.evaluation
                    lines.append(
                        line(
                            [scoring.name, part.name], measure, estimate,
                            [
                                "\(counts.positives.judged)", "\(counts.negatives.judged)",
                                "\(counts.positives.unknown + counts.negatives.unknown)",
                            ]))
                }
            }
        }
        if let comparison = result.comparison {
            for measure in Measure.all(thresholds: result.scorings[0].thresholds.map(\.value)) {
                guard let estimate = comparison.differences[measure] else { continue }
                lines.append(line(["difference", ""], measure, estimate, ["", "", ""]))
            }
        }
        return lines
    }

    private static func estimate(_ measure: Measure, _ evaluation: Evaluation) -> Estimate? {
        guard let threshold = measure.threshold else { return evaluation.estimates[measure] }
        let counts = evaluation.ranked.counts(at: threshold)
        if case .sensitivity = measure { return evaluation.sensitivity(at: counts) }
        return evaluation.falseAlarmRate(at: counts)
    }

    private static func line(
        _ names: [String], _ measure: Measure, _ estimate: Estimate, _ counts: [String]
    ) -> String {
        let numbers = [measure.threshold, estimate.value, estimate.interval?.low, estimate.interval?.high]
        let values = names + [measure.name] + numbers.map { $0.map { "\($0)" } ?? "" } + counts
        return values.map(ValueText.quoted).joined(separator: ",")
    }
}
