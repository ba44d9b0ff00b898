// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Dispatch
internal import Foundation
internal import Glibc
internal import ModelStore

package struct AnalyzeCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Judge pictures and videos: sensitive, not sensitive or unknown.",
        discussion: """
            Names come after --, since they may begin with a dash:

              sca analyze -- *.jpg
              sca analyze --recursive --format jsonl -- Pictures

            Exit codes: 0 every input was analysed and none is sensitive, 1 at least one is sensitive, 2 none is \
            sensitive and at least one could not be analysed, 64 wrong usage or no input found, 74 the results or a \
            report cannot be written, 130 interrupted.
            """)

    @Argument(
        help: ArgumentHelp("Files to judge; - for standard input; folders with --recursive.", valueName: "path"))
    var paths: [String]

    @Flag(name: [.short, .long], help: "Search folders and all below them; links are not followed.")
    var recursive = false

    @Option(help: "The strictness: simple is for adults, descriptive for children.")
    var policy = PolicyArgument.simple

    @Option(help: "How much of a video is looked at; see docs/video-sampling.md for what each can miss.")
    var preset = PresetArgument.balanced

    @Option(help: ArgumentHelp("The model to use; 'sca model list' shows what there is.", valueName: "name"))
    var model: String?

    @Flag(
        help: "Also show what the model says of its labels, highest first, for the picture with the highest score.")
    var labels = false

    @Option(
        help: "A table to read, or one JSON object a line for programs. (default: table, unless - takes its place)")
    var format: FormatArgument?

    @Flag(help: "Print results as they come, and not in the order of the inputs.")
    var unordered = false

    @Option(
        help: ArgumentHelp(
            "Also write a page to look at: verdicts, scores over time, tiny pictures; - writes it instead of the table.",
            valueName: "file.html"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Also write the scores of a video over time as a picture; - writes it instead of the table.",
            valueName: "file.svg"))
    var timeline: String?

    @Flag(help: "Replace the files that --report and --timeline name, if they exist.")
    var force = false

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    package init() {}

    enum PolicyArgument: String, ExpressibleByArgument, CaseIterable {
        case simple
        case descriptive
    }

    enum PresetArgument: String, ExpressibleByArgument, CaseIterable {
        case fast
        case balanced
        case thorough

        var preset: SamplingPreset {
            switch self {
            case .fast: .fast
            case .balanced: .balanced
            case .thorough: .thorough
            }
        }
    }

    enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
        case table
        case jsonl
    }

    package func validate() throws {
        do {
            try limits.limits.validate()
        } catch {
            throw ValidationError(error.message)
        }
        guard timeline == nil || paths.count == 1 && !recursive else {
            throw ValidationError("--timeline is for one file. Use --report for several.")
        }
        guard paths.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input (-) can be read only once.")
        }
        try ArgumentCheck.checkStandardInput(among: paths)
    }

    package func run() async throws {
        var inputs = InputFinder(paths: paths, isRecursive: recursive)
        let (page, plots) = try openOutputs(for: inputs)
        inputs.ownFiles = Set([page?.identity, plots?.identity].compactMap { $0 })
        let run = await analysisRun()
        try requireNamedModel(run.authority)
        // Only one output can use standard output.
        let format = format ?? ([report, timeline].contains("-") ? nil : .table)
        let totals = RunningTotals()
        if paths.contains("-"), isatty(STDIN_FILENO) == 1 {
            StandardError.write("Standard input is read from this terminal; Ctrl-D ends it, and Ctrl-C the command.\n")
        }
        let analysis = Task { [inputs] in
            var report = AnalysisReport(format: format, totals: totals, page: page, plots: plots)
            try await run.analyze(inputs, reportingTo: &report)
            return report
        }
        InterruptSignal.handle {
            analysis.cancel()
            // A read from a pipe or a slow disk cannot be cancelled, and the person must not have to wait for it.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { Self.endInterrupted(totals) }
        }
        do {
            let report = try await analysis.value
            report.printSummary()
            report.finishFiles()
            throw ExitCode(report.exitCode)
        } catch is CancellationError {
            Self.endInterrupted(totals)
        }
    }

    /// Opens all output files before the analysis begins.
    private func openOutputs(for inputs: InputFinder) throws -> (page: OutputFile?, plots: OutputFile?) {
        var outputs = OutputOpener(
            inputs: paths, search: recursive ? inputs : nil, replacesFiles: force,
            standardOutputUser: format == nil ? nil : "the results")
        try outputs.checkStandardOutput()
        // Only the person may read the files, because names and scores are private.
        let page = try report.map { try outputs.open($0, for: "--report", permissions: 0o600) }
        let plots = try timeline.map { try outputs.open($0, for: "--timeline", permissions: 0o600) }
        return (page, plots)
    }

    private func analysisRun() async -> AnalysisRun {
        // A person who names a file demands its analysis, but cannot lower a parent's choice.
        let authority = await AnalysisAuthority.current(demand: policy == .simple ? .simple : .descriptive)
        if authority.isProtected, policy == .simple {
            StandardError.write(
                "This account is or may be under Communication Safety, so the policy is descriptive; see 'sca policy show'.\n"
            )
        }
        return AnalysisRun(
            authority: authority, engine: authority.engine(modelName: model, decoders: limits.decoders),
            limits: limits.limits,
            options: MediaOptions(
                preset: preset.preset, keepsTimeline: report != nil || timeline != nil,
                keepsThumbnails: report != nil, keepsLabels: labels, locatesEdges: true),
            isUnordered: unordered)
    }

    /// Refuses a model that a person names and that is not installed or damaged, before every input is unknown for it.
    private func requireNamedModel(_ authority: AnalysisAuthority) throws(CommandFailure) {
        guard let model else { return }
        do {
            try ModelStore(folders: authority.paths.models).model(named: model).requireFile()
        } catch {
            throw .usage(authority.explained(error).message)
        }
    }

    private static func endInterrupted(_ totals: RunningTotals) -> Never {
        totals.reportInterruption()
        ProcessEnd.now(130)
    }
}
