// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// The plots of an evaluation.
enum EvaluationPlots {
    /// The share that is found over the share of false alarms, with the thresholds as points.
    static func receiverCurve(_ scorings: [EvaluationResult.Scoring]) -> String {
        var plot = SharePlot(
            title: "Found files over false alarms",
            description: scorings.map(words).joined(separator: " "),
            horizontal: "False-alarm rate", vertical: "Sensitivity")
        plot.addDiagonal()
        for (series, scoring) in scorings.enumerated() {
            let ranked = scoring.all.ranked
            guard ranked.positiveCount > 0, ranked.negativeCount > 0 else { continue }
            plot.addLine([(0, 0)] + thinned(ranked.points.map(share)), series: series)
            for (named, counts) in zip(scoring.thresholds, scoring.all.thresholds) {
                plot.addPoint(share(counts), text: EvaluationRows.threshold(named.value), series: series)
            }
        }
        return plot.svg
    }

    /// The share of sensitive files over the mean score of each tenth of the scores.
    static func reliability(_ scoring: EvaluationResult.Scoring) -> String {
        let bins = scoring.all.calibration?.bins ?? []
        var plot = SharePlot(
            title: "Calibration",
            description: bins.map {
                "Of \($0.count) files with a mean score of \(MarkupText.number($0.meanScore, decimals: 2)),"
                    + " \(PercentText.text($0.share.value ?? 0)) are sensitive."
            }.joined(separator: " "),
            horizontal: "Mean score", vertical: "Share of sensitive files")
        plot.addDiagonal()
        for bin in bins {
            if let interval = bin.share.wilson {
                plot.addInterval(at: bin.meanScore, from: interval.low, to: interval.high)
            }
            plot.addPoint((bin.meanScore, bin.share.value ?? 0))
        }
        return plot.svg
    }

    /// The numbers of files with each tenth of the scores, by label.
    static func histogram(_ scoring: EvaluationResult.Scoring) -> String {
        let ranked = scoring.all.ranked
        let shares = [true, false].map { isPositive in
            tenths(ranked, isPositive: isPositive)
        }
        let highest = max(shares.joined().max() ?? 0, 0.0001)
        var plot = SharePlot(
            title: "Scores of the two labels",
            description: zip(["sensitive", "harmless"], shares).map { name, shares in
                "Shares of the \(name) files by tenths of the score: "
                    + shares.map(PercentText.text).joined(separator: ", ") + "."
            }.joined(separator: " "),
            horizontal: "Score", vertical: "Share of the label's files")
        plot.top = PercentText.text(highest)
        for (series, shares) in zip([1, 0], shares) {
            for (tenth, share) in shares.enumerated() where share > 0 {
                plot.addBar(
                    from: Double(tenth) / 10, to: Double(tenth + 1) / 10, height: share / highest, series: series)
            }
        }
        return plot.svg
    }

    private static func tenths(_ ranked: RankedScores, isPositive: Bool) -> [Double] {
        var counts = [Int](repeating: 0, count: 10)
        for (score, count) in ranked.counts(ofPositives: isPositive) { counts[min(Int(score * 10), 9)] += count }
        let total = counts.reduce(0, +)
        return counts.map { total > 0 ? Double($0) / Double(total) : 0 }
    }

    private static func share(_ counts: OperatingCount) -> (Double, Double) {
        (counts.falseAlarmRate.value ?? 0, counts.sensitivity.value ?? 0)
    }

    /// Returns the points at which a curve turns, at most one for each pixel.
    private static func thinned(_ points: [(Double, Double)]) -> [(Double, Double)] {
        var kept: [(Double, Double)] = []
        for (index, point) in points.enumerated() {
            let isLast = index == points.count - 1
            if let last = kept.last, !isLast, abs(last.0 - point.0) < 0.002, abs(last.1 - point.1) < 0.002 { continue }
            kept.append(point)
        }
        return kept
    }

    private static func words(_ scoring: EvaluationResult.Scoring) -> String {
        let rates = zip(scoring.thresholds, scoring.all.thresholds).map { named, counts in
            "at \(EvaluationRows.threshold(named.value)) \(PercentText.text(counts.sensitivity.value ?? 0)) found and"
                + " \(PercentText.text(counts.falseAlarmRate.value ?? 0)) false alarms"
        }
        return "\(scoring.name): \(rates.joined(separator: "; "))."
    }
}
