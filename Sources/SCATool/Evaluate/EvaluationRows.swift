// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// The figures of an evaluation as rows of texts, which the table and the page share.
struct EvaluationRows {
    let scoring: EvaluationResult.Scoring
    private var all: Evaluation { scoring.all }

    struct Table {
        let heading: [String]
        let rows: [[String]]
    }

    /// The figures that need no threshold.
    var figures: Table {
        var rows: [[String]] = []
        func add(_ name: String, _ measure: Measure) {
            guard let estimate = all.estimates[measure] else { return }
            rows.append([name, PercentText.figure(estimate.value), PercentText.figure(estimate.interval), ""])
        }
        add("Area under the ROC curve", .area)
        add("Average precision", .averagePrecision)
        for point in all.pointsAtSensitivity {
            let measure = Measure.falseAlarmRateAtSensitivity(percent: point.percent)
            guard let estimate = all.estimates[measure] else { continue }
            rows.append([
                "False alarms at \(point.percent) % sensitivity", PercentText.text(estimate.value),
                PercentText.text(estimate.interval), "from \(PercentText.figure(point.counts.threshold))",
            ])
        }
        add("Brier score, 0 is best", .brierScore)
        add("Expected calibration error", .calibrationError)
        return Table(heading: ["Figure", "Value", "95 % interval", "Threshold"], rows: rows)
    }

    /// The rates at each threshold.
    var thresholds: Table {
        Table(
            heading: ["Threshold", "", "Found", "95 % interval", "False alarms", "95 % interval", "Precision"],
            rows: zip(scoring.thresholds, all.thresholds).map { named, counts in
                [named.name, Self.threshold(named.value)] + Self.rates(all, counts)
                    + [counts.precision.value.map(PercentText.text) ?? "-"]
            })
    }

    /// A row for each part of the set, with the rates at the first threshold.
    var slices: Table {
        let name = scoring.thresholds.first.map { " at \(Self.threshold($0.value))" } ?? ""
        return Table(
            heading: [
                "Slice", "Sensitive", "Harmless", "Unknown", "Area", "95 % interval", "Found\(name)", "95 % interval",
                "False alarms\(name)", "95 % interval",
            ],
            rows: scoring.slices.map { slice in
                let part = slice.evaluation
                let area = part.estimates[.area]
                return [
                    slice.name, "\(part.positives.judged)", "\(part.negatives.judged)",
                    "\(part.positives.unknown + part.negatives.unknown)",
                    area.map { PercentText.figure($0.value) } ?? "-", PercentText.figure(area?.interval),
                ] + (part.thresholds.first.map { Self.rates(part, $0) } ?? ["-", "-", "-", "-"])
            })
    }

    /// The suggested thresholds, as lines for the manifest.
    var suggestions: Table {
        Table(
            heading: ["Wish", "Threshold", "Found", "95 % interval", "False alarms", "95 % interval"],
            rows: scoring.suggestions.map { suggestion in
                let counts = suggestion.counts
                let rates = [counts.sensitivity, counts.falseAlarmRate].flatMap { share in
                    // Files that name their sources depend on each other, so Wilson's interval would be too narrow.
                    [
                        share.value.map(PercentText.text) ?? "-",
                        PercentText.text(all.namesSources ? nil : share.wilson),
                    ]
                }
                return [Self.words(for: suggestion.wish), Self.threshold(suggestion.threshold)] + rates
            })
    }

    /// The differences of the second scoring from the first.
    static func differences(_ comparison: EvaluationComparison, _ thresholds: [NamedThreshold]) -> Table {
        var measures: [(String, Measure)] = [
            ("Area under the ROC curve", .area), ("Average precision", .averagePrecision),
        ]
        measures += Evaluation.sensitivities.map {
            ("False alarms at \($0) % sensitivity", .falseAlarmRateAtSensitivity(percent: $0))
        }
        for named in thresholds {
            measures.append(("Found at \(threshold(named.value))", .sensitivity(threshold: named.value)))
            measures.append(("False alarms at \(threshold(named.value))", .falseAlarmRate(threshold: named.value)))
        }
        measures.append(("Brier score, 0 is best", .brierScore))
        return Table(
            heading: ["Difference", "Value", "95 % interval", ""],
            rows: measures.compactMap { name, measure in
                guard let estimate = comparison.differences[measure] else { return nil }
                let interval = estimate.interval
                let words = interval.map { $0.contains(0) ? "may be chance" : "" } ?? ""
                return [
                    name, signed(estimate.value), interval.map { "\(signed($0.low)) to \(signed($0.high))" } ?? "-",
                    words,
                ]
            })
    }

    static func words(for wish: ThresholdSuggestion.Wish) -> String {
        switch wish {
        case .falseAlarmRate(let rate): "at most \(PercentText.wish(rate)) false alarms"
        case .sensitivity(let rate): "at least \(PercentText.wish(rate)) found"
        }
    }

    /// Returns a threshold with as many decimals as it has, at most four.
    static func threshold(_ value: Double) -> String {
        var text = PercentText.figure(value)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return text
    }

    private static func signed(_ value: Double) -> String {
        (value < 0 ? "" : "+") + PercentText.figure(value)
    }

    private static func rates(_ evaluation: Evaluation, _ counts: OperatingCount) -> [String] {
        [evaluation.sensitivity(at: counts), evaluation.falseAlarmRate(at: counts)].flatMap { estimate in
            [estimate.map { PercentText.text($0.value) } ?? "-", PercentText.text(estimate?.interval)]
        }
    }
}
