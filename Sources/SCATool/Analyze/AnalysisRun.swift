// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Dispatch
internal import Foundation
internal import Glibc
internal import HelperHost
internal import HelperProtocol

/// The result for one input.
struct AnalysisOutcome: Sendable {
    let path: String
    /// Nil for a skipped file in a folder, because it is no media or no regular file.
    let result: Result<MediaAnalysis, AnalysisFailure>?
}

/// Analyses many inputs at once, and reports the outcomes in the order of the inputs or of their completion.
struct AnalysisRun: Sendable {
    let authority: AnalysisAuthority
    let engine: AnalysisEngine
    let limits: AnalysisLimits
    let options: MediaOptions
    /// Whether an outcome is reported at once, without waiting for the outcomes of earlier inputs.
    let isUnordered: Bool

    /// - Throws: `CancellationError` if the task was cancelled.
    func analyze(_ inputs: InputFinder, reportingTo report: inout AnalysisReport) async throws {
        var iterator = inputs.makeIterator()
        let progress = report.progress
        let drawing = Task { await progress.keepDrawing() }
        defer {
            drawing.cancel()
            progress.end()
        }
        try await withThrowingTaskGroup(of: (Int, AnalysisOutcome).self) { group in
            var started = 0
            var reported = 0
            var isExhausted = false
            var early: [Int: AnalysisOutcome] = [:]
            while true {
                // A bound on the outcomes that wait for a slow input keeps memory bounded.
                while !isExhausted, started - reported < Self.window {
                    guard let input = iterator.next() else {
                        isExhausted = true
                        break
                    }
                    let position = started
                    started += 1
                    group.addTask {
                        progress.began(position, name: input.path == "-" ? "(standard input)" : input.path)
                        defer { progress.ended(position) }
                        return (position, try await outcome(of: input) { progress.note($0, of: position) })
                    }
                }
                progress.update(found: started + iterator.knownCount, isComplete: isExhausted)
                guard let (position, outcome) = try await group.next() else { break }
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
        try Task.checkCancellation()
    }

    /// - Throws: `CancellationError` only; every other failure becomes an outcome.
    private func outcome(
        of input: FoundInput, progress: @escaping @Sendable (MediaProgress) -> Void
    ) async throws -> AnalysisOutcome {
        var options = options
        options.reportProgress = progress
        do {
            let encoded = try await encodedInput(input)
            let request = authority.request(
                limits: limits, options: options, expecting: VideoFileName.isLikely(input.path) ? .video : .any)
            let answer = try await engine.analyzeMedia(request) { encoded }
            if case .content(let content) = answer, input.kind == .inFolder, content != .otherMedia {
                return AnalysisOutcome(path: input.path, result: nil)
            }
            return AnalysisOutcome(path: input.path, result: .success(try answer.get()))
        } catch let failure as AnalysisFailure {
            return AnalysisOutcome(
                path: input.path, result: input.kind == .noFile ? nil : .failure(authority.explained(failure)))
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = AnalysisFailure(.internalFailure, "This should not occur; please report it.", cause: error)
            return AnalysisOutcome(path: input.path, result: .failure(failure))
        }
    }

    private func encodedInput(_ input: FoundInput) async throws -> DecoderInput {
        switch input.kind {
        case .named, .inFolder: return .file(path: input.path)
        case .noFile:
            throw AnalysisFailure(.inputUnreadable, "This is no regular file. Name the files that are to be judged.")
        case .unreachable(let number):
            let remedy =
                number == EACCES
                ? "Change the permissions of its folder, or run as its owner." : "Check the path and the disk."
            throw AnalysisFailure(
                .inputUnreadable, "Not even its kind could be found out (error \(number)). \(remedy)")
        case .misnamed:
            throw AnalysisFailure(
                .inputUnreadable, "Its name is not UTF-8 text, so it cannot be opened. Give it another name.")
        case .unreadableFolder:
            throw AnalysisFailure(
                .inputUnreadable, "The folder could not be listed. Change its permissions, or run as its owner.")
        case .remote:
            throw AnalysisFailure(
                .invalidArgument, "This is an address on a network, and nothing is fetched. Download the file first.")
        case .standardInput:
            let limit = limits.maximumByteCount
            // The read has its own thread, because it blocks until the writer is done.
            return .memory(try await WorkerThread().result(of: { try Self.standardInput(atMost: limit) }))
        }
    }

    private static func standardInput(atMost limit: Int) throws -> SealedMemory {
        do {
            guard let memory = try SealedMemory.contents(of: STDIN_FILENO, maximumByteCount: limit) else {
                throw AnalysisFailure(
                    .unsupportedMedia, "Standard input is empty. Check the program that writes into it.")
            }
            return memory
        } catch SealedMemoryError.tooLarge {
            throw AnalysisFailure(
                .limitExceeded,
                "Standard input has more than the limit of \(limit) bytes. Raise the limit if it can be trusted.")
        } catch TransportError.systemCall(_, let number) {
            throw AnalysisFailure(
                .inputUnreadable,
                "Standard input could not be read (error \(number)). Check the program that writes into it.")
        }
    }

    private static let window = 64
}
