// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import JSONLines

/// Prints and counts outcomes in the order in which they are added, and writes the report page and the score plot.
struct AnalysisReport: Sendable {
    private let format: AnalyzeCommand.FormatArgument?
    private let showsStyles = TerminalText.showsStyles
    private var counts = AnalysisCounts() {
        didSet { totals.update(counts) }
    }
    private let totals: RunningTotals
    var progress: ProgressBar { totals.progress }
    private let page: OutputFile?
    private var sections: PageSections?
    private let plots: OutputFile?
    private var hasPlot = false

    /// - Parameters:
    ///   - format: the output format; nil if another output takes standard output.
    ///   - totals: gets the counts after each outcome.
    ///   - page: the file for an HTML page with all results; nil for no page.
    ///   - plots: the file for the scores of a video over time; nil for no plot.
    init(
        format: AnalyzeCommand.FormatArgument?, totals: RunningTotals, page: OutputFile? = nil, plots: OutputFile? = nil
    ) {
        self.format = format
        self.totals = totals
        self.page = page
        self.plots = plots
        sections = page.map { PageSections(of: $0) }
        page?.write(ReportPage.head())
    }

    /// Moves the finished page and plot to their paths; removes a file that has no result.
    func finishFiles() {
        guard counts.total > 0 else {
            page?.abandon()
            plots?.abandon()
            return
        }
        page?.write(ReportPage.foot(counts.summary))
        page?.finish()
        guard hasPlot else {
            plots?.abandon()
            if plots != nil {
                StandardError.write("The file has no scores over time, so --timeline was not written.\n")
            }
            return
        }
        plots?.finish()
    }

    /// Counts and prints an outcome.
    ///
    /// - Parameter position: the number of inputs before this input, in the order of the arguments and names.
    mutating func add(_ outcome: AnalysisOutcome, at position: Int) {
        let isFirst = counts.total == 0
        sections?.add(ReportPage.section(outcome), at: position)
        guard let result = outcome.result else {
            counts.skipped += 1
            return
        }
        switch result {
        case .failure: counts.unknown += 1
        case .success(let analysis):
            counts.modelName = analysis.modelName
            if analysis.isSensitive { counts.sensitive += 1 } else { counts.notSensitive += 1 }
            if analysis.duration != nil {
                hasPlot = true
                plots?.write(ScorePlot(analysis: analysis, title: "Scores of \(outcome.path) over time").svg)
            }
        }
        guard let format else { return }
        var text = format == .jsonl ? ResultLine.text(path: outcome.path, result) : tableRow(outcome.path, result)
        if isFirst && format == .table {
            text = TerminalText.styled("VERDICT        SCORE   FILE", .bold, if: showsStyles) + "\n" + text
        }
        progress.clear()
        StandardOutput.write(line: text)
    }

    var exitCode: Int32 {
        if plots != nil, counts.total > 0, !hasPlot { return 74 }
        if counts.sensitive > 0 { return 1 }
        if counts.unknown > 0 { return 2 }
        return counts.notSensitive > 0 ? 0 : 64
    }

    /// Prints the counts below the table, or a message if nothing was analysed.
    func printSummary() {
        guard counts.total > 0 else {
            let words = "No input was found\(counts.skippedWords). Name files, or folders with --recursive.\n"
            StandardError.write(words)
            return
        }
        guard format == .table else {
            if format == .jsonl, counts.skipped > 0 {
                StandardError.write("\(counts.total) analysed\(counts.skippedWords).\n")
            }
            return
        }
        StandardOutput.write(line: "\n\(counts.summary)")
    }

    private func tableRow(_ path: String, _ result: Result<MediaAnalysis, AnalysisFailure>) -> String {
        let path = TerminalText.printable(path == "-" ? "(standard input)" : path)
        switch result {
        case .failure(let failure):
            let verdict = TerminalText.styled("unknown      ", .yellow, if: showsStyles)
            return "\(verdict)      -   \(path)\n                       \(TerminalText.printable(failure.description))"
        case .success(let analysis):
            let score = String(format: "%5.3f", analysis.score)
            let labels = Self.labelLine(analysis.labels)
            guard analysis.isSensitive else { return "not sensitive  \(score)   \(path)\(labels)" }
            let types = analysis.detectedTypes.sorted().map(\.rawValue).joined(separator: ", ")
            let verdict = TerminalText.styled("SENSITIVE    ", .bold, .red, if: showsStyles)
            let time = analysis.firstSensitiveTime.map { ", from \(TimeCode.text($0))" } ?? ""
            return "\(verdict)  \(score)   \(path)  (\(types)\(time))\(labels)"
        }
    }

    /// Returns a line below a row with the highest labels, or an empty text if no labels were requested.
    private static func labelLine(_ labels: [LabelScore]) -> String {
        guard !labels.isEmpty else { return "" }
        let shown = labels.descending.prefix(mostLabels).map { label in
            "\(TerminalText.printable(label.label)): \(String(format: "%.3f", label.value))"
        }
        let rest = labels.count > mostLabels ? ", and \(labels.count - mostLabels) more" : ""
        return "\n                       \(shown.joined(separator: ", "))\(rest)"
    }

    private static let mostLabels = 5
}
