// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The options about the results of an evaluation.
struct EvaluationOutputOptions: ParsableArguments {
    @Option(help: "A table to read, one JSON object, or comma-separated values with a figure a line. (default: table)")
    var format: ResultOptions.Format?

    @Option(
        help: ArgumentHelp("Also write a page with tables and plots; - writes it instead.", valueName: "file.html"),
        completion: .file())
    var page: String?

    @Option(
        help: ArgumentHelp(
            "Also write the score of each file as a list, for other programs or another evaluation.",
            valueName: "file.csv"),
        completion: .file())
    var scores: String?

    @Flag(help: "Replace the files that --page and --scores name, if they exist.")
    var force = false

    @Flag(help: "Show no progress on the terminal.")
    var noProgress = false
}
