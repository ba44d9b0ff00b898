// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
public import SensitiveContentAnalysis
internal import Synchronization

/// Checks the attachments of an app: a few at once, and each content once.
///
/// Judgements are kept in memory by content and policy, so that scrolling back does not check again. They are never
/// written anywhere.
public final class AttachmentChecker: Sendable {
    private let analysis: MediaAnalysis
    private let maximumDigestedByteCount: Int
    private let slots: ResourcePool<WorkerThread>
    private let memory: Mutex<VerdictMemory>
    private let running = Mutex<[VerdictMemory.Key: CheckUnderWay]>([:])

    /// Creates a checker; an app needs one.
    ///
    /// - Parameters:
    ///   - analyzer: judges the media, and tells the policy.
    ///   - maximumConcurrentChecks: the number of attachments that are checked at once; the others wait in order.
    ///   - maximumRememberedJudgements: the number of contents whose judgement is kept.
    public convenience init(
        analyzer: SCSensitivityAnalyzer = SCSensitivityAnalyzer(), maximumConcurrentChecks: Int = 2,
        maximumRememberedJudgements: Int = 10_000
    ) {
        self.init(
            MediaAnalysis(analyzer), maximumConcurrentChecks: maximumConcurrentChecks,
            maximumRememberedJudgements: maximumRememberedJudgements)
    }

    package init(
        _ analysis: MediaAnalysis, maximumConcurrentChecks: Int = 2, maximumRememberedJudgements: Int = 10_000,
        maximumDigestedByteCount: Int = 1 << 30
    ) {
        self.maximumDigestedByteCount = maximumDigestedByteCount
        self.analysis = analysis
        slots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        memory = Mutex(VerdictMemory(capacity: maximumRememberedJudgements))
    }

    /// The policy in force.
    public var policy: SCSensitivityAnalysisPolicy { analysis.policy() }

    func policyChanges() -> AsyncStream<SCSensitivityAnalysisPolicy> { analysis.policyChanges() }

    func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples {
        try await analysis.samples(file, cover)
    }

    /// Judges a local file, or tells what is known of its content.
    ///
    /// - Parameters:
    ///   - begins: is called when the check is no longer waiting for others.
    ///   - report: is called with the share that is done, from 0 to 1.
    func judge(
        _ file: URL, as kind: MediaKind, begins: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> MediaJudgement {
        try await slots.withResource { [self] thread in
            begins()
            guard file.isFileURL else { return try await analysis.judge(file, kind, report) }
            for _ in 0..<Self.maximumAttempts {
                let policy = analysis.policy()
                guard let content = try await content(of: file, thread) else {
                    return try await analysis.judge(file, kind, report)
                }
                do {
                    guard let digest = content.digest else {
                        return try await judge(content, of: file, kind, thread, report)
                    }
                    let key = VerdictMemory.Key(digest: digest, kind: kind, policy: policy)
                    if let known = memory.withLock({ $0.judgement(key) }) { return known }
                    let (check, isOwn) = check(for: key) { report in
                        try await self.judge(content, of: file, kind, thread, report)
                    }
                    do {
                        let judgement = try await check.judgement(report)
                        // Another's file was judged, which had the same content; this one may have another by now.
                        if !isOwn, try await self.content(of: file, thread) != content { throw FileChanged() }
                        if judgement.policy == policy { memory.withLock { $0.keep(judgement, for: key) } }
                        return judgement
                    } catch  where !isOwn && !Task.isCancelled {
                        // The file of whoever began it may be gone; this one is judged by itself.
                        continue
                    }
                } catch is FileChanged {
                    continue
                }
            }
            throw SensitivityAnalysisError(
                .inputUnreadable,
                message: "The file changed again and again while it was checked. Check it when it is complete.")
        }
    }

    /// Judges a file that must hold the same afterwards: it can be replaced meanwhile.
    private func judge(
        _ content: FileContent, of file: URL, _ kind: MediaKind, _ thread: WorkerThread,
        _ report: @escaping @Sendable (Double) -> Void
    ) async throws -> MediaJudgement {
        let judgement = try await analysis.judge(file, kind, report)
        guard try await self.content(of: file, thread) == content else { throw FileChanged() }
        return judgement
    }

    private func content(of file: URL, _ thread: WorkerThread) async throws -> FileContent? {
        let isCancelled = Atomic(false)
        let (path, maximumByteCount) = (file.path, maximumDigestedByteCount)
        return try await withTaskCancellationHandler {
            try await thread.result {
                try FileContent.read(path, maximumByteCount: maximumByteCount) { isCancelled.load(ordering: .relaxed) }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private struct FileChanged: Error {}

    /// How often a file is judged that changes meanwhile.
    private static let maximumAttempts = 3

    /// The check of a content: one for all who want it now, and whether it is the caller's own.
    private func check(
        for key: VerdictMemory.Key,
        _ body: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> MediaJudgement
    ) -> (CheckUnderWay, isOwn: Bool) {
        running.withLock { running in
            if let check = running[key] { return (check, false) }
            let check = CheckUnderWay { [weak self] report in
                // Nobody must find it when it has ended.
                defer { self?.forget(key) }
                return try await body(report)
            }
            running[key] = check
            return (check, true)
        }
    }

    private func forget(_ key: VerdictMemory.Key) {
        _ = running.withLock { $0.removeValue(forKey: key) }
    }
}
