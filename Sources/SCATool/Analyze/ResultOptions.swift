// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The options about the results that are printed, and about their consequences.
struct ResultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "List only these files: sensitive, unknown, not-sensitive, review, or several with commas between them.",
            valueName: "verdict"), completion: .list(OutcomeSelection.words))
    var only: [OutcomeSelection] = []

    @Option(
        help: ArgumentHelp(
            """
            Mark files with a score in this range, such as 0.3-0.7, for a person to look at. The verdict stays as it is, \
            and --only review selects them.
            """, valueName: "low-high"), transform: ReviewBand.init(argument:))
    var review: ReviewBand?

    @Flag(
        name: [.customShort("l"), .long],
        help: "Print only the names of the files: of the sensitive ones, or of those that --only names.")
    var filesWithMatches = false

    @Flag(
        name: [.short, .long],
        help: "Print nothing, and end at the first sensitive file; the exit code is the result.")
    var quiet = false

    @Option(
        help:
            "A table to read, one JSON object a line, or comma-separated values. (default: table, unless - takes its place)"
    )
    var format: Format?

    @Flag(help: "List the entries of folders that are skipped, too.")
    var listSkipped = false

    @Flag(help: "Print results as they come, and not in the order of the inputs.")
    var unordered = false

    @Flag(help: "Show no progress on the terminal.")
    var noProgress = false

    @Option(
        help: ArgumentHelp(
            "Move the sensitive files, or those that --only names, into this folder; no file is ever replaced.",
            valueName: "folder"), completion: .directory)
    var moveTo: String?

    @Option(
        help: ArgumentHelp(
            """
            Write a copy of each file that is not sensitive into this folder, which shows exactly what was judged; see \
            'sca copy --help'. No file is ever replaced.
            """,
            valueName: "folder"), completion: .directory)
    var copyTo: String?

    @Option(help: ArgumentHelp("With --copy-to: the longest edge of a copy, in pixels.", valueName: "pixels"))
    var maxSize: Int?

    @Flag(help: "With --move-to or --copy-to: say what would be moved or copied, and write nothing.")
    var dryRun = false

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case jsonl
        case csv
    }

    func validate() throws {
        let forms = [("-q", quiet), ("-l", filesWithMatches), ("--format", format != nil)].filter(\.1).map(\.0)
        guard forms.count <= 1 else { throw ValidationError("\(forms[0]) and \(forms[1]) exclude each other.") }
        guard !filesWithMatches || !listSkipped else {
            throw ValidationError("-l lists files to act on, so it cannot be used with --list-skipped.")
        }
        guard review != nil || !only.contains(where: \.includesReview) else {
            throw ValidationError(
                "--only review needs a range of scores. Give it with --review, such as --review 0.3-0.7.")
        }
        guard !dryRun || moveTo != nil || copyTo != nil else {
            throw ValidationError("--dry-run is for --move-to and --copy-to.")
        }
        guard copyTo != "" else { throw ValidationError("--copy-to has an empty name. Name a folder.") }
        guard copyTo == nil || moveTo == nil else {
            throw ValidationError("--copy-to leaves the files in their places, so it cannot be used with --move-to.")
        }
        guard !quiet || copyTo == nil else {
            throw ValidationError("-q ends at the first sensitive file, so it cannot be used with --copy-to.")
        }
        guard maxSize == nil || copyTo != nil else { throw ValidationError("--max-size is for --copy-to.") }
        guard maxSize.map({ $0 > 0 }) ?? true else { throw ValidationError("--max-size is at least 1.") }
        guard moveTo != "" else { throw ValidationError("--move-to has an empty name. Name a folder.") }
        guard !quiet || moveTo == nil else {
            throw ValidationError("-q ends at the first sensitive file, so it cannot be used with --move-to.")
        }
    }

    /// The folder for copies; nil if none are written.
    var copies: CopyFolder? {
        copyTo.map { CopyFolder(folder: $0, maximumEdge: maxSize, isRehearsal: dryRun) }
    }

    /// The choices for the report.
    ///
    /// - Parameters:
    ///   - separator: the byte behind each name if only names are printed.
    ///   - standardOutputIsTaken: whether a page or a plot goes to standard output.
    ///   - hasFiles: whether a page or a plot is written.
    func choices(separator: UInt8, standardOutputIsTaken: Bool, hasFiles: Bool) -> AnalysisReport.Choices {
        var choices = AnalysisReport.Choices()
        choices.style =
            switch format {
            case .table: .table
            case .jsonl: .jsonLines
            case .csv: .values
            case nil where filesWithMatches: .names(separator: separator)
            case nil: quiet || standardOutputIsTaken ? nil : .table
            }
        var selection = OutcomeSelection(verdicts: [])
        for each in only { selection.formUnion(each) }
        choices.listed = only.isEmpty ? filesWithMatches ? .sensitive : .all : selection
        choices.moved = only.isEmpty ? .sensitive : selection
        choices.review = review
        choices.listsSkipped = listSkipped
        choices.printsTotals = !quiet
        choices.endsEarly = quiet && !hasFiles
        choices.mover = moveTo.map { FileMover(folder: $0, isRehearsal: dryRun) }
        return choices
    }
}
