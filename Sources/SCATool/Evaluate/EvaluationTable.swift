// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// An evaluation as text for a terminal.
enum EvaluationTable {
    /// Returns the lines.
    static func lines(_ result: EvaluationResult) -> [String] {
        var lines: [String] = []
        for scoring in result.scorings {
            let rows = EvaluationRows(scoring: scoring)
            lines.append(summary(scoring, result))
            lines += scoring.unknownFiles.map { "unknown: \(TerminalText.printable($0))" } + [""]
            lines += aligned(rows.figures) + [""]
            lines += aligned(rows.thresholds) + [""]
            if !scoring.slices.isEmpty { lines += aligned(rows.slices) + [""] }
            if !scoring.suggestions.isEmpty { lines += suggestions(scoring, rows) + [""] }
            let sentences = scoring.sentences
            if !sentences.isEmpty {
                lines.append("What this set cannot show:")
                lines += sentences.map { "- \($0)" } + [""]
            }
        }
        if let comparison = result.comparison, result.scorings.count == 2 {
            let names = result.scorings.map { TerminalText.printable($0.name) }
            lines.append(
                "\(names[1]) less \(names[0]), on the \(comparison.judgedByBoth) files that both have judged:")
            lines += aligned(EvaluationRows.differences(comparison, result.scorings[0].thresholds)) + [""]
        }
        lines.append(method(result))
        return lines
    }

    /// The number of files, and the reasons of those without a score.
    static func summary(_ scoring: EvaluationResult.Scoring, _ result: EvaluationResult) -> String {
        let all = scoring.all
        let (positives, negatives) = (all.positives, all.negatives)
        let unknown = positives.unknown + negatives.unknown
        let reasons = scoring.failures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let why = reasons.isEmpty ? "" : ", \(reasons.joined(separator: ", "))"
        let unknownWords =
            unknown == 0
            ? "none is unknown"
            : "\(unknown) unknown (\(positives.unknown) sensitive, \(negatives.unknown) harmless\(why))"
        let left = result.leftOut == 0 ? "" : " \(result.leftOut) left out."
        let kept = scoring.cached == 0 ? "" : " \(scoring.cached) scores from the cache."
        return
            "\(TerminalText.printable(scoring.name)) on \(TerminalText.printable(result.setName)):"
            + " \(positives.judged) sensitive and \(negatives.judged) harmless files judged, \(unknownWords).\(left)\(kept)"
    }

    /// The method of the intervals.
    static func method(_ result: EvaluationResult) -> String {
        let drawn = result.bootstrap
        let unit = result.scorings.first?.all.namesSources == true ? "sources" : "files"
        return "Intervals: 95 %, from \(drawn.resampleCount) resamples of \(unit) with seed \(drawn.seed)"
            + (unit == "files" ? "; of rates at a threshold, by Wilson's formula." : ".")
            + " The figures hold for files like these, and for no others."
    }

    private static func suggestions(_ scoring: EvaluationResult.Scoring, _ rows: EvaluationRows) -> [String] {
        aligned(rows.suggestions)
            + scoring.suggestions.map { suggestion in
                let threshold = EvaluationRows.threshold(suggestion.threshold)
                return
                    "For \(EvaluationRows.words(for: suggestion.wish)): sca analyze --threshold \(threshold), or in the"
                    + " manifest: \(manifestLine(suggestion.threshold, scoring.thresholds))"
            }
            + ["A threshold is fitted to this set. Check it with other files before you rely on it."]
    }

    /// Returns the thresholds of a manifest, in the order that it must have.
    private static func manifestLine(_ simple: Double, _ thresholds: [NamedThreshold]) -> String {
        func value(_ name: String, or other: Double) -> Double { thresholds.first { $0.name == name }?.value ?? other }
        let texts = [
            ("simple", simple), ("descriptive", min(value("descriptive", or: simple), simple)),
            ("strong", max(value("strong", or: simple), simple)),
        ].map { "\"\($0)\": \(EvaluationRows.threshold($1))" }
        return "\"thresholds\": {\(texts.joined(separator: ", "))}"
    }

    /// Returns the lines of a table whose columns are as wide as their texts.
    private static func aligned(_ table: EvaluationRows.Table) -> [String] {
        let rows = ([table.heading.map { $0.uppercased() }] + table.rows).map { $0.map(TerminalText.printable) }
        let widths = table.heading.indices.map { column in
            rows.map { ColumnText.columns(of: $0[column]) }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                line += text
                let rest = row[(column + 1)...].contains { !$0.isEmpty }
                if rest { line += String(repeating: " ", count: widths[column] - ColumnText.columns(of: text) + 2) }
            }
            return line
        }
    }
}
