// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Glibc
internal import HelperHost
internal import ModelEvaluation
internal import ModelStore
internal import VerdictCache

package struct EvaluateCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure how well a model tells your labelled files apart, and find a threshold.",
        discussion: """
            A set is a folder with a folder for each label, or a list of files:

              sca evaluate -- Set                          folders Set/sensitive and Set/harmless
              sca evaluate -- set.csv                      columns path and label; slice, source and score may follow
              sca evaluate --against other -- set.csv      compare two models
              sca evaluate --false-alarms 0.01 -- set.csv  suggest a threshold
              sca evaluate --page page.html -- set.csv     a page with plots

            JSON lines with the same names do as well. Files with the same source, such as a photographer or a film, are \
            drawn together for the intervals. Files that cannot be judged are unknown and counted apart. A list that has \
            scores is evaluated without a model, for scores of other programs. Scores are kept by the content of files, so \
            an interrupted run goes on, and a second question takes a second; 'sca cache clear' removes them.

            Exit codes: 0 the figures were printed, 64 wrong usage, 66 the set has no files, 69 the model cannot be used, \
            74 an output cannot be written, 130 interrupted.
            """)

    @Argument(
        help: ArgumentHelp("The labelled set: a folder, or a list in CSV or JSON lines.", valueName: "set"),
        completion: .file())
    var set: String

    @Option(
        help: ArgumentHelp("The model to use; 'sca model list' shows what there is.", valueName: "name"),
        completion: .installedModels)
    var model: String?

    @Option(
        help: ArgumentHelp("A second model, which is compared with the first.", valueName: "name"),
        completion: .installedModels)
    var against: String?

    @Option(help: "How much of a video is looked at; the highest score of a video counts.")
    var preset = AnalyzeCommand.PresetArgument.balanced

    @OptionGroup(title: "Labels")
    var labels: LabelOptions

    @OptionGroup(title: "Figures")
    var figures: FigureOptions

    @OptionGroup(title: "Results")
    var results: EvaluationOutputOptions

    @Flag(inversion: .prefixedNo, help: "Keep scores in this account's cache folder, and judge no file twice.")
    var cache = true

    @Option(
        help: ArgumentHelp(
            "How many files are judged at once, 1 to 64. (default: one for each core, at most 8)", valueName: "count"))
    var jobs: Int?

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    package init() {}

    package func validate() throws {
        do {
            try limits.limits.validate()
        } catch {
            throw ValidationError(error.message)
        }
        guard jobs.map({ (1...64).contains($0) }) ?? true else { throw ValidationError("--jobs is from 1 to 64.") }
        guard set != "-" else { throw ValidationError("A set is no standard input. Name a folder or a list.") }
        guard against == nil || against != (model ?? InstalledModels.defaultModelName) else {
            throw ValidationError("--against names the same model. Name another one.")
        }
    }

    package func run() async throws {
        let names = try LabelNames(
            sensitive: labels.sensitive, harmless: labels.harmless, ignored: labels.ignore)
        let path = InputPath.names([set])[0]
        let set = try LabelledSet(path, names)
        guard !set.hasScores || against == nil else {
            throw CommandFailure.usage(
                "The list has scores, so no model is used. Give the second scores in a column named against.")
        }
        var outputs = OutputOpener(
            inputs: [self.set] + set.files.map(\.path.text), replacesFiles: results.force,
            standardOutputUser: results.format == nil ? nil : "the results")
        // Only the person may read the files, because names and scores are private.
        let page = try results.page.map { try outputs.open($0, for: "--page", permissions: 0o600) }
        let scores = try results.scores.map { try outputs.open($0, for: "--scores", permissions: 0o600) }
        let (scorings, isLeftOut) = set.hasScores ? (givenScores(set), []) : try await judgedScores(set)
        let kept = set.files.indices.filter { isLeftOut.isEmpty || !isLeftOut[$0] }
        let files = kept.map { set.files[$0] }
        guard !files.isEmpty else {
            throw CommandFailure("No file of the set can be judged.", exitCode: CommandFailure.noInputCode)
        }
        let result = EvaluationResult(
            of: set, files,
            scorings.map { $0.keeping(kept) }, leftOut: set.leftOut + set.files.count - files.count,
            wishes: figures.wishes,
            bootstrap: figures.bootstrap)
        scores?.write(ScoreList.heading)
        for (place, file) in zip(kept, files) {
            scores?.write(ScoreList.line(file, scorings[0].scores[place]))
        }
        page?.write(EvaluationPage.text(result))
        print(result)
        scores?.finish()
        page?.finish()
    }

    private func print(_ result: EvaluationResult) {
        switch results.format {
        case .jsonl: StandardOutput.write(line: EvaluationRecord(result).text)
        case .csv: EvaluationValues.lines(result).forEach { StandardOutput.write(line: $0) }
        case nil where [results.page, results.scores].contains("-"): break
        case .table, nil:
            let isTerminal = isatty(STDOUT_FILENO) == 1
            for line in EvaluationTable.lines(result) {
                // A table that is broken between its words cannot be read.
                let isTable = line.contains("  ")
                StandardOutput.write(
                    line: isTerminal && !isTable ? TerminalText.wrapped(line, for: STDOUT_FILENO) : line)
            }
        }
    }

    /// Returns the scores that the list has.
    private func givenScores(_ set: LabelledSet) -> [ScoredSet] {
        let thresholds = figures.thresholds(of: try? manifest(model, in: .ofThisProcess()))
        let first = ScoredSet(
            name: "scores", scores: Self.comparable(set.files.map { $0.given?.value }), thresholds: thresholds)
        guard set.files.contains(where: { $0.givenAgainst != nil }) else { return [first] }
        return [
            first,
            ScoredSet(
                name: "against", scores: Self.comparable(set.files.map { $0.givenAgainst?.value }),
                thresholds: thresholds),
        ]
    }

    /// Returns scores that can be compared with thresholds, which are 32-bit numbers: a score of 0.4 reaches 0.4.
    private static func comparable(_ scores: [Double?]) -> [Double?] {
        // Scores with more digits are left alone, because a common rounding could make two of them equal.
        let areShort = scores.allSatisfy { score in score.map { Double("\(Float($0))") == $0 } ?? true }
        return areShort ? scores.map { $0.map(ThresholdSuggestion.compared) } : scores
    }

    private func manifest(_ name: String?, in paths: InstallationPaths) throws -> ModelManifest {
        try InstalledModels(folders: paths.models).model(named: name ?? InstalledModels.defaultModelName).manifest
    }

    /// Judges the files by one or two models.
    private func judgedScores(_ set: LabelledSet) async throws -> ([ScoredSet], isLeftOut: [Bool]) {
        let authority = await AnalysisAuthority.current(demand: .simple)
        let names = [model] + (against.map { [$0] } ?? [])
        for name in names { try authority.requireModel(named: name) }
        var scorings: [ScoredSet] = []
        var isLeftOut = Array(repeating: false, count: set.files.count)
        for (number, name) in names.enumerated() {
            let progress = ProgressBar(isWanted: !results.noProgress)
            let judging = SetJudging(
                authority: authority, modelName: name, preset: preset.preset, limits: limits, jobs: jobs,
                usesCache: cache)
            let collected = try await judging.outcomes(of: set, progress, part: (number + 1, names.count))
            let manifest = try self.manifest(name, in: authority.paths)
            scorings.append(
                ScoredSet(
                    name: manifest.name, scores: collected.scores, failures: collected.failures,
                    unknownFiles: collected.unknownFiles, cached: collected.cached,
                    thresholds: figures.thresholds(of: manifest)))
            for place in isLeftOut.indices where collected.isLeftOut[place] { isLeftOut[place] = true }
        }
        return (scorings, isLeftOut)
    }
}
