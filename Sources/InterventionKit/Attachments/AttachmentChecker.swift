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
    private let slots: ResourcePool<WorkerThread>
    private let memory: Mutex<VerdictMemory>
    private let running = Mutex<[VerdictMemory.Key: SharedTask<MediaJudgement>]>([:])

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
        _ analysis: MediaAnalysis, maximumConcurrentChecks: Int = 2, maximumRememberedJudgements: Int = 10_000
    ) {
        self.analysis = analysis
        slots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        memory = Mutex(VerdictMemory(capacity: maximumRememberedJudgements))
    }

    /// The policy in force.
    public var policy: SCSensitivityAnalysisPolicy { analysis.policy() }

    func policyChanges() -> AsyncStream<SCSensitivityAnalysisPolicy> { analysis.policyChanges() }

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
            let policy = analysis.policy()
            guard file.isFileURL, let digest = await thread.result(of: { ContentDigest(ofFile: file.path) }) else {
                return try await analysis.judge(file, kind, report)
            }
            let key = VerdictMemory.Key(digest: digest, kind: kind, policy: policy)
            if let known = memory.withLock({ $0.judgement(key) }) { return known }
            // Whoever gives up last ends it; nobody else must find it then.
            defer { _ = running.withLock { $0.removeValue(forKey: key) } }
            return try await work(for: key) { [self] in
                let judgement = try await analysis.judge(file, kind, report)
                // What was judged must be what was read: a file can be replaced meanwhile, and the policy as well.
                if judgement.policy == policy, await thread.result(of: { ContentDigest(ofFile: file.path) }) == digest {
                    memory.withLock { $0.keep(judgement, for: key) }
                }
                return judgement
            }.value()
        }
    }

    /// The work for a content: one for all who want it now.
    private func work(
        for key: VerdictMemory.Key, _ body: @escaping @Sendable () async throws -> MediaJudgement
    ) -> SharedTask<MediaJudgement> {
        running.withLock { running in
            if let work = running[key] { return work }
            let work = SharedTask(body)
            running[key] = work
            return work
        }
    }
}
