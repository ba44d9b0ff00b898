// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Dispatch
internal import Foundation

package struct AnalyzeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Judge pictures: sensitive, not sensitive or unknown.",
        discussion: """
            Exit codes: 0 every input was analysed and none is sensitive, 1 at least one is sensitive, 2 none is \
            sensitive and at least one could not be analysed, 64 wrong usage or no input found, 74 the results could \
            not be written, 130 interrupted.
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

    @Option(help: "A table to read, or one JSON object a line for programs.")
    var format = FormatArgument.table

    @Option(
        help: ArgumentHelp(
            "Also write a page to look at: verdicts, scores over time, tiny pictures.", valueName: "file.html"))
    var report: String?

    @Option(help: ArgumentHelp("Also write the scores of a video over time as a picture.", valueName: "file.svg"))
    var timeline: String?

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
        guard !paths.contains("-") || !ArgumentCheck.isFile("-") else {
            throw ValidationError(
                "There is a file named - here, and - means standard input. Name the file ./-, or read standard input in"
                    + " another folder.")
        }
    }

    package func run() async throws {
        let (limits, decoders) = (limits.limits, limits.decoders)
        // A person who names a file asks for it to be judged; a parent's choice is not theirs to lower.
        let authority = await AnalysisAuthority.current(demand: policy == .simple ? .simple : .descriptive)
        if authority.isProtected, policy == .simple {
            StandardError.write(
                "This account is or may be under Communication Safety, so the policy is descriptive; see 'sca policy show'.\n"
            )
        }
        let run = AnalysisRun(
            authority: authority,
            engine: authority.engine(modelName: model, decoders: decoders), limits: limits,
            options: MediaOptions(
                preset: preset.preset, keepsTimeline: report != nil || timeline != nil,
                keepsThumbnails: report != nil, locatesEdges: true))
        let inputs = InputFinder(paths: paths, isRecursive: recursive)
        let format = format
        let page = try report.map { try ReportFile(path: $0) }
        let plots = try timeline.map { try ReportFile(path: $0) }
        @Sendable func abandonFiles() {
            page?.abandon()
            plots?.abandon()
        }
        let analysis = Task {
            var report = try AnalysisReport(format: format, page: page, plots: plots)
            try await run.analyze(inputs, reportingTo: &report)
            return report
        }
        InterruptSignal.handle {
            abandonFiles()
            analysis.cancel()
            // Reading from a pipe or a slow disk cannot be cancelled, and the person must not have to wait for it.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { Self.endInterrupted() }
        }
        do {
            let report = try await analysis.value
            report.printSummary()
            try report.finishFiles()
            throw ExitCode(report.exitCode)
        } catch is CancellationError {
            Self.endInterrupted()
        } catch let error as CommandFailure {
            abandonFiles()
            throw error
        }
    }

    private static func endInterrupted() -> Never {
        StandardError.write("Interrupted; what is printed above is complete.\n")
        ProcessEnd.now(130)
    }
}
