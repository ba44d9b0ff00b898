// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelEvaluation

/// The self-contained page of `sca evaluate --page`, which has no script, loads nothing and shows no media.
enum EvaluationPage {
    static func text(_ result: EvaluationResult, date: Date = Date()) -> String {
        var parts = [head(result, date)]
        for scoring in result.scorings { parts += sections(scoring, result) }
        if let comparison = result.comparison {
            let names = result.scorings.map { MarkupText.escaped($0.name) }
            parts += [
                "<section><h2>\(names[1]) less \(names[0])</h2>",
                "<p>On the \(comparison.judgedByBoth) files that both have judged. A difference whose interval has 0 in it"
                    + " may be chance.</p>",
                table(EvaluationRows.differences(comparison, result.scorings[0].thresholds), "Differences"),
                "</section>",
            ]
        }
        parts.append("</main>\n</body>\n</html>\n")
        return parts.joined(separator: "\n")
    }

    private static func head(_ result: EvaluationResult, _ date: Date) -> String {
        let set = MarkupText.escaped(result.setName)
        let names = result.scorings.map { MarkupText.escaped($0.name) }.joined(separator: " and ")
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Evaluation of \(names) on \(set)</title>
            <style>
            \(ReportPage.style)\(style)</style>
            </head>
            <body>
            <header>
            <h1>Evaluation of \(names) on \(set)</h1>
            <p>Made on \(date.formatted(.iso8601.year().month().day())) by sca. Nothing has left this machine.
            \(MarkupText.escaped(EvaluationTable.method(result))) A score is no probability.</p>
            </header>
            <main>
            """
    }

    private static func sections(_ scoring: EvaluationResult.Scoring, _ result: EvaluationResult) -> [String] {
        let rows = EvaluationRows(scoring: scoring)
        let name = MarkupText.escaped(scoring.name)
        var parts = [
            "<section><h2>\(name)</h2>",
            "<p>\(MarkupText.escaped(EvaluationTable.summary(scoring, result)))</p>",
            table(rows.figures, "Figures of \(name)"), table(rows.thresholds, "Thresholds of \(name)"),
        ]
        let sentences = scoring.sentences
        if !sentences.isEmpty {
            let items = sentences.map { "<li>\(MarkupText.escaped($0))</li>" }.joined(separator: "\n")
            parts += ["<h3>What this set cannot show</h3>", "<ul>\(items)</ul>"]
        }
        let both = result.scorings.count == 2 ? result.scorings : [scoring]
        parts += [
            "<div class=\"plots\">",
            figure(EvaluationPlots.receiverCurve(both), curveCaption(both)),
            figure(
                EvaluationPlots.reliability(scoring),
                "Calibration. On the dashed line, a score is the share of sensitive files with this score. The lines are 95 %"
                    + " intervals."),
            figure(
                EvaluationPlots.histogram(scoring),
                "Scores. Filled bars are harmless files, outlined bars sensitive ones."), "</div>",
        ]
        if !scoring.slices.isEmpty { parts += ["<h3>Slices</h3>", table(rows.slices, "Slices of \(name)")] }
        if !scoring.suggestions.isEmpty {
            parts += [
                "<h3>Suggested thresholds</h3>", table(rows.suggestions, "Suggested thresholds of \(name)"),
                "<p>A threshold is fitted to this set. Check it with other files before you rely on it.</p>",
            ]
        }
        if !scoring.worst.isEmpty { parts += worst(scoring.worst, of: name) }
        return parts + ["</section>"]
    }

    private static func worst(_ mistakes: [EvaluationResult.Mistake], of name: String) -> [String] {
        let rows = mistakes.map { mistake in
            [mistake.path, mistake.isPositive ? "sensitive" : "harmless", PercentText.figure(mistake.score)]
        }
        return [
            "<h3>Files whose score contradicts their label most</h3>",
            "<p>Look at them: some labels may be wrong. The page shows no media.</p>",
            table(EvaluationRows.Table(heading: ["File", "Label", "Score"], rows: rows), "Contradictions of \(name)"),
        ]
    }

    private static func curveCaption(_ scorings: [EvaluationResult.Scoring]) -> String {
        guard scorings.count == 2 else { return "Found files over false alarms. The points are the thresholds." }
        return
            "Found files over false alarms: \(scorings[0].name) solid, \(scorings[1].name) dashed. The points are the"
            + " thresholds."
    }

    private static func figure(_ svg: String, _ caption: String) -> String {
        "<figure>\(svg)<figcaption>\(MarkupText.escaped(caption))</figcaption></figure>"
    }

    /// Returns a table that scrolls by itself where the page is narrow.
    private static func table(_ table: EvaluationRows.Table, _ name: String) -> String {
        let heading = table.heading.map { text in
            text.isEmpty ? "<td></td>" : "<th scope=\"col\">\(MarkupText.escaped(text))</th>"
        }
        let rows = table.rows.map { row in
            let cells = row.enumerated().map { column, text in
                let text = MarkupText.escaped(text)
                return column == 0 ? "<th scope=\"row\">\(text)</th>" : "<td>\(text)</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return """
            <div class="table" role="region" aria-label="\(name)" tabindex="0"><table>
            <thead><tr>\(heading.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
    }

    private static let style = """
        .table { overflow-x: auto; margin: .6rem 0; } table { border-collapse: collapse; }
        th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; white-space: nowrap; }
        td { font-variant-numeric: tabular-nums; } tbody th { font-weight: 400; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
        main h3 { margin-top: 1rem; } figure { margin: 0; break-inside: avoid; } figcaption { font-size: .9rem; }
        .plots svg text { font-size: 12px; }
        @media print { .table { overflow: visible; } table { font-size: 11px; } tr { break-inside: avoid; } }

        """
}
