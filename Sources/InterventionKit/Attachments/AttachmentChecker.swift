// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import Hashing
public import SensitiveContentAnalysis
internal import Synchronization

/// Checks the attachments of an app: a few at once, and each content once.
///
/// Judgements are kept in memory by content and policy, so that scrolling back does not check again. They are never
/// written anywhere.
public final class AttachmentChecker: Sendable {
    private let analysis: AttachmentAnalyzer
    private let maximumDigestedByteCount: Int
    /// Of their own: a few long videos must not keep pictures waiting.
    private let pictureSlots: ResourcePool<WorkerThread>
    private let videoSlots: ResourcePool<WorkerThread>
    private let memory: Mutex<VerdictMemory>
    private let running = Mutex<[VerdictMemory.Key: CheckUnderWay]>([:])

    /// Creates a checker; an app needs one.
    ///
    /// - Parameters:
    ///   - analyzer: judges the media, and tells the policy.
    ///   - maximumConcurrentChecks: the number of pictures that are checked at once, and of videos besides; the others
    ///     wait in order. Downloads are not counted: an app that follows many attachments bounds its own.
    ///   - maximumRememberedJudgements: the number of contents whose judgement is kept.
    public convenience init(
        analyzer: SCSensitivityAnalyzer = SCSensitivityAnalyzer(), maximumConcurrentChecks: Int = 2,
        maximumRememberedJudgements: Int = 10_000
    ) {
        self.init(
            AttachmentAnalyzer(analyzer), maximumConcurrentChecks: maximumConcurrentChecks,
            maximumRememberedJudgements: maximumRememberedJudgements)
    }

    package init(
        _ analysis: AttachmentAnalyzer, maximumConcurrentChecks: Int = 2, maximumRememberedJudgements: Int = 10_000,
        maximumDigestedByteCount: Int = 1 << 30
    ) {
        self.maximumDigestedByteCount = maximumDigestedByteCount
        self.analysis = analysis
        pictureSlots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        videoSlots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        memory = Mutex(VerdictMemory(capacity: maximumRememberedJudgements))
    }

    /// The policy in force.
    public var policy: SCSensitivityAnalysisPolicy { analysis.policy() }

    /// What decides on a verdict besides the policy.
    var conditions: [String] { analysis.conditions() }

    /// Waits until it is known what the policy and the conditions are.
    func settle() async { await analysis.settle() }

    func changes() -> AsyncStream<Void> { analysis.changes() }

    func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples {
        try await analysis.samples(file, cover)
    }

    /// A judgement, the version of the file that it is about, and what else decided on it.
    struct CheckedFile: Sendable {
        let judgement: MediaJudgement
        let version: FileVersion
        let conditions: [String]
    }

    /// Judges a local file, or tells what is known of its content.
    ///
    /// - Parameters:
    ///   - begins: is called when the check is no longer waiting for others.
    ///   - report: is called with the share that is done, from 0 to 1.
    func judge(
        _ file: URL, as kind: MediaKind, begins: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> CheckedFile {
        do {
            return try await judgeInTurn(file, as: kind, begins: begins, report: report)
        } catch let error as SensitivityAnalysisError where kind == .image && error.code == .unsupportedMedia {
            // What was taken for a picture may be a video, which waits among videos then.
            do {
                return try await judgeInTurn(file, as: .video, begins: begins, report: report)
            } catch let second as SensitivityAnalysisError where second.code == .unsupportedMedia {
                throw error
            }
        }
    }

    private func judgeInTurn(
        _ file: URL, as kind: MediaKind, begins: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> CheckedFile {
        let slots = kind == .image ? pictureSlots : videoSlots
        return try await slots.withResource { [self] thread in
            begins()
            for attempt in 1...Self.maximumAttempts {
                guard file.isFileURL, let opened = OpenedFile(path: file.path), let version = opened.version else {
                    // For the error, which says what is wrong with it; a judgement would be about who knows what.
                    _ = try await analysis.judge(file, kind, report)
                    continue
                }
                if version.isFresh {
                    try await Task.sleep(for: .milliseconds(FileVersion.tick))
                    guard opened.version == version else { continue }
                }
                let isLast = attempt == Self.maximumAttempts
                let conditions = analysis.conditions()
                guard
                    let judgement = try await judgement(
                        of: opened, version, kind, conditions, isLast ? nil : thread, report),
                    opened.version == version, FileVersion(path: file.path) == version
                else { continue }
                return CheckedFile(judgement: judgement, version: version, conditions: conditions)
            }
            throw SensitivityAnalysisError(
                .inputUnreadable,
                message: "The file changed again and again while it was checked. Check it when it is complete.")
        }
    }

    /// The judgement of an open file.
    ///
    /// - Parameter thread: where the content is read that is judged for all who have it; nil to judge it for this file
    ///   alone.
    /// - Returns: nil where the file has changed meanwhile, or another's check of the same content has failed.
    private func judgement(
        of file: OpenedFile, _ version: FileVersion, _ kind: MediaKind, _ conditions: [String],
        _ thread: WorkerThread?, _ report: @escaping @Sendable (Double) -> Void
    ) async throws -> MediaJudgement? {
        let policy = analysis.policy()
        guard let thread, version.byteCount <= maximumDigestedByteCount,
            let digest = try await Self.digest(of: file, version, thread)
        else { return try await analysis.judge(file.url, kind, report) }
        let key = VerdictMemory.Key(digest: digest, kind: kind, policy: policy, conditions: conditions)
        if let known = memory.withLock({ $0.judgement(key) }) { return known }
        let (check, isOwn) = check(for: key) { [weak self, analysis] report in
            let judgement = try await analysis.judge(file.url, kind, report)
            // What is mapped into another process changes without a new version.
            guard file.version == version, try await Self.digest(of: file, version, thread) == digest else {
                throw FileChanged()
            }
            if judgement.policy == policy, analysis.conditions() == conditions {
                self?.memory.withLock { $0.keep(judgement, for: key) }
            }
            return judgement
        }
        do {
            return try await check.judgement(report) { forget(key, check) }
        } catch is FileChanged {
            return nil
        } catch  where !isOwn && !Task.isCancelled {
            // The file of whoever began it may be gone; this one is judged by itself.
            return nil
        }
    }

    private struct FileChanged: Error {}

    /// How often a file is judged that changes meanwhile.
    private static let maximumAttempts = 3

    private static func digest(
        of file: OpenedFile, _ version: FileVersion, _ thread: WorkerThread
    ) async throws -> SHA256Digest? {
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            try await thread.result {
                try file.digest(byteCount: version.byteCount) { isCancelled.load(ordering: .relaxed) }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    /// The check of a content: one for all who want it now, and whether it is the caller's own.
    private func check(
        for key: VerdictMemory.Key,
        _ body: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> MediaJudgement
    ) -> (CheckUnderWay, isOwn: Bool) {
        running.withLock { running in
            if let check = running[key] { return (check, false) }
            let check = CheckUnderWay(body)
            running[key] = check
            return (check, true)
        }
    }

    private func forget(_ key: VerdictMemory.Key, _ check: CheckUnderWay) {
        running.withLock { if $0[key] === check { $0[key] = nil } }
    }
}
