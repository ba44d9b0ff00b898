// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Dispatch
internal import FileAccess
internal import Foundation
internal import Glibc
internal import ModelStore
internal import VerdictCache

package struct AnalyzeCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Judge pictures and videos: sensitive, not sensitive or unknown.",
        discussion: """
            Names come after --, since they may begin with a dash:

              sca analyze -- *.jpg                             judge some files
              sca analyze -r --only sensitive -- Pictures      list hits of a library
              sca analyze -r --move-to Reviewed -- Pictures    move hits elsewhere
              sca analyze -rl --only unknown -- Pictures       list unknown files
              sca analyze -q -- upload.jpg && echo accepted    check an upload
              sca analyze -r --copy-to Clean -- Uploads        write clean copies

            'sca help scripts' has more, such as a folder that is watched. --only changes what is listed or moved, and \
            not the exit code.

            Exit codes: 0 every input was analysed and none is sensitive, 1 at least one is sensitive, 2 none is \
            sensitive and at least one could not be analysed, 64 wrong usage, 66 no file was found that can be judged, \
            69 the model cannot be used, 74 the results or a report cannot be written or a file cannot be moved or copied, 130 \
            interrupted.
            """)

    @Argument(
        help: ArgumentHelp("Files to judge; - for standard input; folders with --recursive.", valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @OptionGroup(title: "Search")
    var search: SearchOptions

    @Option(help: "The strictness: simple is for adults, descriptive for children.")
    var policy = PolicyArgument.simple

    @Option(
        help: ArgumentHelp(
            """
            The score from which on media is sensitive, above 0 and up to 1, in place of the model's thresholds. Under \
            Communication Safety it can only make verdicts stricter.
            """, valueName: "score"))
    var threshold: Float?

    @Option(help: "How much of a video is looked at; see docs/video-sampling.md for what each can miss.")
    var preset = PresetArgument.balanced

    @Option(
        help: ArgumentHelp("The model to use; 'sca model list' shows what there is.", valueName: "name"),
        completion: .installedModels)
    var model: String?

    @Flag(
        help: "Also show what the model says of its labels, highest first, for the picture with the highest score.")
    var labels = false

    @Flag(
        help: """
            Search every picture for pictures inside it, such as the photograph in a screenshot. Without it, the policy \
            simple searches only where something may be; descriptive always searches.
            """)
    var thorough = false

    @Flag(
        help: """
            Keep verdicts in this account's cache folder, and judge no file again that has not changed. Verdicts are \
            private; 'sca cache clear' removes them.
            """)
    var cache = false

    @Option(
        help: ArgumentHelp(
            "How many files are judged at once, 1 to 64. (default: one for each core, at most 8)", valueName: "count"))
    var jobs: Int?

    @OptionGroup(title: "Results")
    var results: ResultOptions

    @Option(
        help: ArgumentHelp(
            "Also write a page to look at: verdicts, scores over time, tiny pictures; - writes it instead of the table.",
            valueName: "file.html"), completion: .file())
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Also write the scores of a video over time as a picture; - writes it instead of the table.",
            valueName: "file.svg"), completion: .file())
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            """
            Also write a picture into this folder for each picture that is listed: a cover with the scores of the places \
            in the model's map, and with the pictures that were found inside. It explains the model, not the picture.
            """,
            valueName: "folder"), completion: .directory)
    var explain: String?

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

    package func validate() throws {
        do {
            try limits.limits.validate()
        } catch {
            throw ValidationError(error.message)
        }
        try ArgumentCheck.checkThreshold(threshold)
        guard !paths.isEmpty || search.filesFrom != nil else {
            throw ValidationError("No file is named. Name files, or folders with --recursive.")
        }
        guard timeline == nil || paths.count == 1 && !search.recursive && search.filesFrom == nil else {
            throw ValidationError("--timeline is for one file. Use --report for several.")
        }
        guard paths.count(where: { $0 == "-" }) + (search.filesFrom == "-" ? 1 : 0) <= 1 else {
            throw ValidationError("Standard input (-) can be read only once.")
        }
        guard !search.null || search.filesFrom != nil || results.filesWithMatches else {
            throw ValidationError("-0 is for --files-from and -l.")
        }
        guard results.moveTo == nil || !paths.contains("-") else {
            throw ValidationError("--move-to cannot move standard input. Name files.")
        }
        let keepsMore = report != nil || timeline != nil || explain != nil || labels
        guard !cache || !keepsMore else {
            throw ValidationError(
                "--cache keeps verdicts and no more: leave out --report, --timeline, --explain and --labels.")
        }
        guard results.copyTo == nil || !cache && !keepsMore && preset == .balanced else {
            throw ValidationError(
                "--copy-to looks at every frame and keeps verdicts and no more: leave out --cache, --preset, --report,"
                    + " --timeline, --explain and --labels.")
        }
        guard explain != "" else { throw ValidationError("--explain has an empty name. Name a folder.") }
        guard explain != "-" else {
            throw ValidationError("--explain writes several files, so it needs a folder and not standard output.")
        }
        guard !results.quiet || explain == nil else {
            throw ValidationError("-q ends at the first sensitive file, so it cannot be used with --explain.")
        }
        guard jobs.map({ (1...64).contains($0) }) ?? true else { throw ValidationError("--jobs is from 1 to 64.") }
        try ArgumentCheck.checkStandardInput(among: paths + [search.filesFrom].compactMap { $0 })
    }

    package func run() async throws {
        var inputs = InputFinder(
            paths: InputPath.names(paths), isRecursive: search.recursive, filter: search.filter,
            skipsOtherListedFiles: search.skipOther)
        let (page, plots) = try openOutputs(for: inputs)
        var choices = results.choices(
            separator: search.null ? 0 : UInt8(ascii: "\n"), standardOutputIsTaken: [report, timeline].contains("-"),
            hasFiles: report != nil || timeline != nil)
        choices.explanations = explain.map { ExplanationFolder($0) }
        let copies = results.copies
        try choices.mover?.prepare()
        try copies?.prepare()
        try choices.explanations?.prepare()
        let folders = [
            ("--move-to", choices.mover?.identity), ("--copy-to", copies?.identity),
            ("--explain", choices.explanations?.identity),
        ]
        for (option, identity) in folders {
            guard let identity, paths.contains(where: { FileIdentity(path: $0) == identity }) else { continue }
            throw CommandFailure.usage("\(option) names a folder that is searched. Name another folder.")
        }
        inputs.ownFiles = Set(([page?.identity, plots?.identity] + folders.map(\.1)).compactMap { $0 })
        let run = try await analysisRun(readsStates: choices.mover != nil, copies)
        let feed = InputFeed(inputs.makeIterator(names: try search.nameReader()))
        let totals = RunningTotals(showsProgress: !results.noProgress && !results.quiet)
        if paths.contains("-") || search.filesFrom == "-", isatty(STDIN_FILENO) == 1 {
            StandardError.write("Standard input is read from this terminal; Ctrl-D ends it, and Ctrl-C the command.\n")
        }
        let analysis = Task {
            var report = AnalysisReport(choices, totals: totals, page: page, plots: plots)
            try await run.analyze(feed, reportingTo: &report)
            return report
        }
        InterruptSignal.handle {
            analysis.cancel()
            // A read from a pipe or a slow disk cannot be cancelled, and the person must not have to wait for it.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { Self.endInterrupted(totals) }
        }
        do {
            var report = try await analysis.value
            report.finish()
            throw ExitCode(report.exitCode)
        } catch is CancellationError {
            Self.endInterrupted(totals)
        }
    }

    /// Opens all output files before the analysis begins.
    private func openOutputs(for inputs: InputFinder) throws -> (page: OutputFile?, plots: OutputFile?) {
        var outputs = OutputOpener(
            inputs: paths, search: search.recursive ? inputs : nil, replacesFiles: force,
            standardOutputUser: results.format == nil && !results.filesWithMatches ? nil : "the results")
        try outputs.checkStandardOutput()
        // Only the person may read the files, because names and scores are private.
        let page = try report.map { try outputs.open($0, for: "--report", permissions: 0o600) }
        let plots = try timeline.map { try outputs.open($0, for: "--timeline", permissions: 0o600) }
        return (page, plots)
    }

    private func analysisRun(readsStates: Bool, _ copies: CopyFolder?) async throws -> AnalysisRun {
        // A person who names a file demands its analysis, but cannot lower a parent's choice.
        let authority = await AnalysisAuthority.current(
            demand: policy == .simple ? .simple : .descriptive, threshold: threshold, isPersonsThreshold: true)
        authority.tellOfStricterPolicy(than: policy)
        authority.tellOfThreshold()
        try authority.requireModel(named: model)
        var options = MediaOptions(
            preset: preset.preset, keepsTimeline: report != nil || timeline != nil,
            keepsThumbnails: report != nil || explain != nil, keepsLabels: labels, locatesEdges: true)
        options.searchesEveryPicture = thorough
        options.keepsPlaces = explain != nil
        return AnalysisRun(
            authority: authority,
            engine: authority.engine(modelName: model, decoders: limits.decoders, concurrency: jobs),
            limits: limits.limits, options: options, isUnordered: results.unordered,
            cache: cachedVerdicts(authority, options), readsStates: readsStates,
            copies: copies, isStrict: search.strict
        ) { authority.modelFailure($0, named: model) }
    }

    /// Opens the cache of verdicts; nil if it is not requested or cannot be used.
    private func cachedVerdicts(_ authority: AnalysisAuthority, _ options: MediaOptions) -> CachedVerdicts? {
        guard cache else { return nil }
        guard !authority.isProtected else {
            StandardError.write(
                "Under Communication Safety the cache is not used, since this account could change it.\n")
            return nil
        }
        do {
            return try CachedVerdicts(authority, modelName: model, options, limits)
        } catch {
            // A missing model is reported after the first file.
            if !(error is AnalysisFailure) { StandardError.write("Every file is judged anew: \(error)\n") }
            return nil
        }
    }

    private static func endInterrupted(_ totals: RunningTotals) -> Never {
        totals.reportInterruption()
        ProcessEnd.now(130)
    }
}
