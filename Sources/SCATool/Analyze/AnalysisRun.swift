// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import Glibc
internal import HelperHost
internal import HelperProtocol

/// Analyses many inputs at once, and reports the outcomes in the order of the inputs or of their completion.
struct AnalysisRun: Sendable {
    let authority: AnalysisAuthority
    let engine: MediaEngine
    let limits: AnalysisLimits
    let options: MediaOptions
    /// Whether an outcome is reported at once, without waiting for the outcomes of earlier inputs.
    let isUnordered: Bool
    /// The verdicts of earlier runs; nil if they are not used.
    var cache: CachedVerdicts?
    /// Whether the outcomes have the states of their files.
    var readsStates = false
    /// The folder for copies, by which files are judged; nil if files are judged as they are.
    var copies: CopyFolder?
    /// Whether no file is skipped in which pictures could be.
    let isStrict: Bool
    /// Describes the failure of a model that cannot be used for any input.
    let describeModelFailure: @Sendable (AnalysisFailure) -> CommandFailure
    /// Threads that open files, because opening can block; a thread for each file would cost more than a cached verdict.
    private let threads = ResourcePool(maximumCount: 4) { WorkerThread() }

    private enum Step: Sendable {
        case input(FoundInput?)
        case outcome(Int, AnalysisOutcome)
    }

    /// Analyses all inputs, or stops when the report is decided.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func analyze(_ inputs: InputFeed, reportingTo report: inout some OutcomeReport) async throws {
        let progress = report.progress
        let drawing = Task { await progress.keepDrawing() }
        defer {
            drawing.cancel()
            progress.end()
        }
        var early: [Int: AnalysisOutcome] = [:]
        do {
            try await analyze(inputs, reportingTo: &report, early: &early)
        } catch {
            // The outcomes that wait for an earlier input are complete, and must not be lost by an interruption.
            report.isInterrupted = true
            for (position, outcome) in early.sorted(by: { $0.key < $1.key }) { report.add(outcome, at: position) }
            throw error
        }
        try Task.checkCancellation()
    }

    /// - Parameter early: the outcomes that wait for the outcome of an earlier input, by the positions of their inputs.
    private func analyze(
        _ inputs: InputFeed, reportingTo report: inout some OutcomeReport, early: inout [Int: AnalysisOutcome]
    ) async throws {
        let progress = report.progress
        var reported = 0
        try await withThrowingTaskGroup(of: Step.self) { group in
            var started = 0
            var isExhausted = false
            var isWaitingForInput = false
            var isModelUsable = false
            while !report.isDecided {
                // A bound on the outcomes that wait for a slow input keeps memory bounded.
                if !isExhausted, !isWaitingForInput, started - reported < Self.window {
                    isWaitingForInput = true
                    group.addTask { .input(await inputs.next()) }
                }
                progress.update(found: started + inputs.knownCount, isComplete: isExhausted)
                switch try await group.next() {
                case nil: return
                case .input(nil):
                    isExhausted = true
                    isWaitingForInput = false
                case .input(let input?):
                    isWaitingForInput = false
                    let position = started
                    started += 1
                    group.addTask {
                        progress.began(position, name: input.name)
                        defer { progress.ended(position) }
                        return .outcome(position, try await outcome(of: input) { progress.note($0, of: position) })
                    }
                case .outcome(let position, let outcome):
                    if !isModelUsable { isModelUsable = try await requireModel(after: outcome, progress) }
                    guard !isUnordered else {
                        reported += 1
                        report.add(outcome, at: position)
                        continue
                    }
                    early[position] = outcome
                    while let next = early.removeValue(forKey: reported) {
                        report.add(next, at: reported)
                        reported += 1
                    }
                }
            }
            // The group would wait for a program that still writes names.
            progress.end()
            ProcessEnd.now(report.exitCode)
        }
    }

    /// Ends the command if the model cannot be used, because every further input would be unknown for the same reason.
    ///
    /// - Returns: whether the outcome shows that the model can be used.
    private func requireModel(after outcome: AnalysisOutcome, _ progress: ProgressBar) async throws -> Bool {
        switch outcome.finding {
        case .skipped: return false
        case .analysis: return !outcome.isCached
        case .failure(let failure) where failure.code == .modelUnavailable: break
        case .failure: return false
        }
        do {
            // A failure of the process for one input is no failure of the model.
            try await engine.requireModel()
            return true
        } catch let failure as AnalysisFailure where failure.code == .modelUnavailable {
            progress.end()
            describeModelFailure(failure).end()
        } catch is AnalysisFailure {
            return false
        }
    }

    /// - Throws: `CancellationError` only; every other failure becomes an outcome.
    private func outcome(
        of input: FoundInput, progress: @escaping @Sendable (MediaProgress) -> Void
    ) async throws -> AnalysisOutcome {
        if case .skipped(let reason) = input.kind {
            return AnalysisOutcome(input: input, finding: .skipped(reason))
        }
        let file = JudgedFile(input)
        do {
            let answer = try await answer(to: input, file, progress)
            if case .content(let content) = answer, input.kind == .inFolder,
                let reason = reason(for: content, named: input.path.text)
            {
                return AnalysisOutcome(input: input, finding: .skipped(reason))
            }
            let judgement = try answer.get()
            return AnalysisOutcome(
                input: input, finding: .analysis(judgement.analysis), isCached: judgement.isCached, state: file.state,
                copy: judgement.copy)
        } catch let failure as AnalysisFailure {
            return AnalysisOutcome(
                input: input, finding: .failure(authority.explained(failure, in: "sca analyze")), state: file.state)
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = AnalysisFailure(.internalFailure, "This should not occur; please report it.", cause: error)
            return AnalysisOutcome(input: input, finding: .failure(failure))
        }
    }

    private struct Judgement: Sendable {
        let analysis: MediaAnalysis
        var isCached = false
        /// The outcome of the copy; nil if there is none.
        var copy: Placement?
    }

    private func answer(
        to input: FoundInput, _ file: JudgedFile, _ progress: @escaping @Sendable (MediaProgress) -> Void
    ) async throws -> FileAnswer<Judgement> {
        var options = options
        options.reportProgress = progress
        let request = authority.request(limits: limits, options: options)
        let isLikelyVideo = MediaFileName.isLikelyVideo(input.path.text)
        @Sendable func judgement(
            _ makeInput: @escaping @Sendable () throws -> DecoderInput
        ) async throws -> FileAnswer<Judgement> {
            guard let copies else { return try await analysis(makeInput).map { Judgement(analysis: $0) } }
            let answer = try await engine.judgedCopy(
                request, maximumEdge: copies.maximumEdge, CopyEncoding(format: nil), sensitive: .refusal, makeInput)
            try Task.checkCancellation()
            return try await answer.asyncMap { copy in
                let place = try await threads.withResource { thread in
                    await thread.result { copies.write(copy, of: input) }
                }
                return Judgement(analysis: copy.analysis, copy: place)
            }
        }
        @Sendable func analysis(
            _ makeInput: @escaping @Sendable () throws -> DecoderInput
        ) async throws -> FileAnswer<MediaAnalysis> {
            try await engine.analyzeMedia(request, isLikelyVideo: isLikelyVideo, makeInput)
        }
        if input.kind == .standardInput {
            let memory = try await StandardInput.memory(atMost: limits.maximumByteCount)
            return try await judgement { .memory(memory) }
        }
        try input.requireFile()
        guard cache != nil || readsStates else { return try await judgement { .open(try file.open()) } }
        let descriptor = try await threads.withResource { thread in
            try await thread.result { () throws(AnalysisFailure) in try file.open() }
        }
        guard let cache else { return try await judgement { .open(descriptor) } }
        let (answer, isCached) = try await cache.analysis(of: descriptor, analyzing: analysis)
        return answer.map { Judgement(analysis: $0, isCached: isCached) }
    }

    /// Returns the reason to skip a file in a folder; nil for a file that is judged or unknown.
    private func reason(for content: MediaContent, named name: String) -> SkipReason? {
        switch content {
        case .empty: .empty
        case .unknownFormat: isStrict || MediaFileName.namesMedia(name) ? nil : .noMedia
        case .document: isStrict || MediaFileName.namesMedia(name) ? nil : .document
        case .sound: MediaFileName.namesMedia(name) && !MediaFileName.isLikelyVideo(name) ? nil : .sound
        case .otherMedia, .pictures, .video: nil
        }
    }

    private static let window = 64
}
