// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Dispatch
internal import ModelStore
internal import VerdictCache

/// Judges the files of a labelled set by one model.
struct SetJudging: Sendable {
    let authority: AnalysisAuthority
    let modelName: String?
    let preset: SamplingPreset
    let limits: LimitOptions
    let jobs: Int?
    /// Whether scores are kept.
    let usesCache: Bool

    /// Judges the files, with progress on the terminal.
    ///
    /// An interruption ends the command.
    ///
    /// - Parameter part: the number of this model among the models, for a message.
    func outcomes(
        of set: LabelledSet, _ progress: ProgressBar, part: (number: Int, of: Int)
    ) async throws -> OutcomeCollector {
        if part.of > 1 {
            StandardError.write(
                "Model \(part.number) of \(part.of): \(modelName ?? InstalledModels.defaultModelName)\n")
        }
        // The analysis goes on after a sensitive verdict is certain, so that the score of a video is its highest.
        let options = MediaOptions(preset: preset, keepsTimeline: true)
        let cache = cachedVerdicts(options)
        let run = AnalysisRun(
            authority: authority,
            engine: authority.engine(modelName: modelName, decoders: limits.decoders, concurrency: jobs),
            limits: limits.limits, options: options, isUnordered: true, cache: cache, isStrict: false
        ) { authority.modelFailure($0, named: modelName) }
        let inputs = InputFinder(
            paths: set.files.map(\.path), isRecursive: false, skipsOtherListedFiles: true, pathsAreListed: set.isFolder)
        let count = set.files.count
        let judging = Task {
            var collector = OutcomeCollector(count: count, progress: progress)
            try await run.analyze(InputFeed(inputs.makeIterator(names: nil)), reportingTo: &collector)
            return collector
        }
        InterruptSignal.handle {
            judging.cancel()
            progress.end()
            let kept = cache == nil ? "Nothing was kept." : "Scores so far are kept; the same command goes on."
            StandardError.write("Interrupted. No figures were made. \(kept)\n")
            ProcessEnd.now(130)
        }
        return try await judging.value
    }

    private func cachedVerdicts(_ options: MediaOptions) -> CachedVerdicts? {
        guard usesCache, !authority.isProtected else { return nil }
        do {
            return try CachedVerdicts(
                authority, modelName: modelName, options, limits, purpose: "evaluation", remembersFiles: true)
        } catch {
            // A missing model is reported after the first file.
            if !(error is AnalysisFailure) { StandardError.write("Scores are not kept: \(error)\n") }
            return nil
        }
    }
}
