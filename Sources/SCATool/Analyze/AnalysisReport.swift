// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import Glibc

/// Counts, prints and moves in the order in which outcomes are added, and writes the report page and the score plot.
struct AnalysisReport: Sendable {
    /// The parts of the output that the person has chosen.
    struct Choices: Sendable {
        /// The form of the results on standard output; nil if another output takes it, or for no results.
        var style: ResultStyle? = .table
        /// The outcomes that are listed.
        var listed = OutcomeSelection.all
        /// The outcomes whose files are moved.
        var moved = OutcomeSelection(verdicts: [])
        /// The range of scores that are marked for review; nil for none.
        var review: ReviewBand?
        var listsSkipped = false
        /// Whether the counts are printed at the end.
        var printsTotals = true
        /// Whether the run may end as soon as the exit code is certain.
        var endsEarly = false
        var mover: FileMover?
        /// The folder for explanations of listed pictures; nil for none.
        var explanations: ExplanationFolder?
    }

    private var choices: Choices
    private let showsStyles = TerminalText.showsStyles
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var counts = AnalysisCounts() {
        didSet { totals.update(counts) }
    }
    private let totals: RunningTotals
    var progress: ProgressBar { totals.progress }
    private let page: OutputFile?
    private var sections: PageSections?
    private let plots: OutputFile?
    private var hasPlot = false
    /// Whether the person has interrupted the run, so that no further file is moved.
    var isInterrupted = false
    private var hasHeading = false

    /// - Parameters:
    ///   - totals: gets the counts after each outcome.
    ///   - page: the file for an HTML page with all results; nil for no page.
    ///   - plots: the file for the scores of a video over time; nil for no plot.
    init(_ choices: Choices, totals: RunningTotals, page: OutputFile? = nil, plots: OutputFile? = nil) {
        self.choices = choices
        self.totals = totals
        self.page = page
        self.plots = plots
        sections = page.map { PageSections(of: $0) }
    }

    /// Prints the counts, and finishes the page and the plot.
    mutating func finish() {
        defer {
            if counts.total > 0, let summary = choices.explanations?.summary {
                StandardError.write(TerminalText.wrapped(summary, for: STDERR_FILENO) + "\n")
            }
        }
        // A page that cannot be written ends the command, and the counts must not be lost for it. If the page goes to
        // standard output and its reader has gone, the command ends without a word.
        let usesStandardOutput = [page, plots].contains { $0.map { $0.identity == nil } ?? false }
        if usesStandardOutput {
            finishFiles()
            printSummary()
        } else {
            printSummary()
            finishFiles()
        }
    }

    /// Moves the finished page and plot to their paths; removes a file that has no result.
    private mutating func finishFiles() {
        guard counts.total > 0 else {
            page?.abandon()
            plots?.abandon()
            return
        }
        sections?.finish(counts)
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

    /// Counts, moves and prints an outcome.
    ///
    /// - Parameter position: the number of inputs before this input, in the order of the arguments and names.
    mutating func add(_ outcome: AnalysisOutcome, at position: Int) {
        var outcome = outcome
        outcome.isForReview = choices.review?.contains(outcome) ?? false
        let isListed = choices.listed.contains(outcome) ?? choices.listsSkipped
        let placement = outcome.copy ?? move(outcome)
        counts.add(outcome, placement, choices.review)
        sections?.add(isListed ? outcome : nil, at: position)
        if isListed { choices.explanations?.write(outcome) }
        if isListed, let style = choices.style { print(outcome, placement, style) }
        // A failed write ends the command, so the plot comes last.
        if case .analysis(let analysis) = outcome.finding, analysis.duration != nil {
            hasPlot = true
            plots?.write(ScorePlot(analysis: analysis, title: "Scores of \(outcome.input.name) over time").svg)
        }
    }

    private mutating func print(_ outcome: AnalysisOutcome, _ placement: Placement?, _ style: ResultStyle) {
        progress.clear()
        if !hasHeading {
            hasHeading = true
            if let heading = style.heading(showsStyles: showsStyles) { StandardOutput.write(line: heading) }
        }
        StandardOutput.write(style.bytes(outcome, placement, showsStyles: showsStyles, isTerminal: isTerminal))
    }

    private func move(_ outcome: AnalysisOutcome) -> Placement? {
        guard !isInterrupted, let mover = choices.mover, choices.moved.contains(outcome) == true else { return nil }
        guard let state = outcome.state else { return Placement(.move, .failed("it could not be opened")) }
        do throws(FileMover.Failure) {
            let place = try mover.move(outcome.input.path, judged: state)
            return Placement(.move, mover.isRehearsal ? .planned(place) : .done(place))
        } catch {
            return Placement(.move, .failed(error.description))
        }
    }

    /// Whether further outcomes cannot change anything that the person has chosen.
    var isDecided: Bool { choices.endsEarly && counts.sensitive > 0 }

    var exitCode: Int32 {
        if plots != nil, counts.total > 0, !hasPlot { return 74 }
        if counts.notPlaced > 0 || choices.explanations?.hasFailed == true { return 74 }
        if counts.sensitive > 0 { return 1 }
        if counts.unknown > 0 { return 2 }
        return counts.notSensitive > 0 ? 0 : CommandFailure.noInputCode
    }

    /// Prints the counts below the table or on standard error, or a message if nothing was analysed.
    private func printSummary() {
        guard counts.total > 0 else {
            let remedy =
                counts.hasSkipped
                ? "Nothing of it can be judged." : "A folder or list is empty, or nothing was named."
            return StandardError.write(
                TerminalText.wrapped("No input was found\(counts.skippedWords). \(remedy)", for: STDERR_FILENO) + "\n")
        }
        guard choices.printsTotals else { return }
        // Standard output has only results if a program reads them.
        guard case .table = choices.style else {
            return StandardError.write(TerminalText.wrapped(counts.summary, for: STDERR_FILENO) + "\n")
        }
        let summary = TerminalText.wrapped(counts.summary, for: STDOUT_FILENO)
        StandardOutput.write(line: "\(hasHeading ? "\n" : "")\(summary)")
    }
}
