// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import Hashing
public import SensitiveContentAnalysis
internal import Synchronization

/// A checker of an app's attachments, which runs a few checks at once; attachments with the same content share a check.
///
/// Judgements are kept in memory by content and policy, so scrolling back starts no new check. They are never written
/// to a file.
public final class AttachmentChecker: Sendable {
    private let analysis: AttachmentAnalyzer
    /// The way in which the app shows uncovered images.
    public let display: Display
    private let maximumDigestedByteCount: Int
    /// The slots for checks of pictures; videos have slots of their own, because long videos must not delay pictures.
    private let pictureSlots: ResourcePool<WorkerThread>
    private let videoSlots: ResourcePool<WorkerThread>
    private let memory: Mutex<VerdictMemory>
    private let running = Mutex<[VerdictMemory.Key: CheckUnderWay]>([:])

    /// The way in which an app shows uncovered images, on which their check depends.
    public enum Display: Sendable, Hashable {
        /// Another program or library decodes the file, so each look that a common viewer gives it is judged.
        case files
        /// The app shows the pixels that were judged, by ``MediaAttachment/displayedImage(maximumPixelSize:)`` and
        /// ``MediaAttachment/displayedFrames(maximumPixelSize:)``; the file is not given out.
        case judgedPixels
    }

    /// Creates a checker; an app needs only one.
    ///
    /// - Parameters:
    ///   - analyzer: the analyzer that judges the media and knows the policy.
    ///   - maximumConcurrentChecks: the largest number of pictures checked at once, and also of videos. Further checks
    ///     wait in order. Downloads are not counted; an app with many attachments bounds its own downloads.
    ///   - maximumRememberedJudgements: the largest number of judgements that are kept in memory.
    ///   - display: the way in which the app shows uncovered images. Files that viewers show differently can be judged
    ///     only for `judgedPixels`. An app that sends files has a checker for `files`.
    public convenience init(
        analyzer: SCSensitivityAnalyzer = SCSensitivityAnalyzer(), maximumConcurrentChecks: Int = 2,
        maximumRememberedJudgements: Int = 10_000, display: Display = .files
    ) {
        self.init(
            AttachmentAnalyzer(analyzer, display: display), maximumConcurrentChecks: maximumConcurrentChecks,
            maximumRememberedJudgements: maximumRememberedJudgements, display: display)
    }

    package init(
        _ analysis: AttachmentAnalyzer, maximumConcurrentChecks: Int = 2, maximumRememberedJudgements: Int = 10_000,
        maximumDigestedByteCount: Int = 1 << 30, display: Display = .files
    ) {
        self.display = display
        self.maximumDigestedByteCount = maximumDigestedByteCount
        self.analysis = analysis
        pictureSlots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        videoSlots = ResourcePool(maximumCount: maximumConcurrentChecks) { WorkerThread() }
        memory = Mutex(VerdictMemory(capacity: maximumRememberedJudgements))
    }

    /// The policy in force.
    public var policy: SCSensitivityAnalysisPolicy { analysis.policy() }

    /// The facts besides the policy on which a verdict depends, such as the model.
    var conditions: [String] { analysis.conditions() }

    /// Waits until the policy and the conditions are known.
    func settle() async { await analysis.settle() }

    func changes() -> AsyncStream<Void> { analysis.changes() }

    func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples {
        try await analysis.samples(file, cover)
    }

    func image(of file: URL, _ maximumPixelSize: Int?) async throws -> (MediaJudgement, CGImage) {
        try await analysis.image(file, maximumPixelSize)
    }

    func imageWithCoveredRegions(of file: URL, _ maximumPixelSize: Int?) async throws -> CGImage? {
        try await analysis.imageWithCoveredRegions(file, maximumPixelSize)
    }

    func frames(
        of file: URL, _ maximumPixelSize: Int?
    ) async throws -> (MediaJudgement, SCSensitivityAnalyzer.JudgedFrames) {
        try await analysis.frames(file, maximumPixelSize)
    }

    /// A judgement, with the version of the judged file and the conditions of the verdict besides the policy.
    struct CheckedFile: Sendable {
        let judgement: MediaJudgement
        let version: FileVersion
        let conditions: [String]
        /// Whether the judgement is about the pixels that the app shows, and not about the file.
        let isAboutPixels: Bool
    }

    /// Judges a local file, or returns the known judgement of its content.
    ///
    /// - Parameters:
    ///   - begins: called when the check has a slot and begins; called again if the file is then judged as a video.
    ///   - report: called with the share of the check that is done, from 0 to 1.
    func judge(
        _ file: URL, as kind: MediaKind, begins: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> CheckedFile {
        do {
            return try await judgeInTurn(file, as: kind, begins: begins, report: report)
        } catch let error as SensitivityAnalysisError where kind == .image && error.code == .unsupportedMedia {
            // The file may be a video. It then waits for a slot of videos.
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
                    // Called for its error, which names the fault. Without the file's version, a judgement is dropped.
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
                return CheckedFile(
                    judgement: judgement, version: version, conditions: conditions,
                    isAboutPixels: display == .judgedPixels && kind == .image)
            }
            throw SensitivityAnalysisError(
                .inputUnreadable,
                message: "The file changed again and again while it was checked. Check it when it is complete.")
        }
    }

    /// Returns the judgement of an open file.
    ///
    /// - Parameter thread: the thread that hashes the content, so that checks of the same content share a judgement;
    ///   nil to judge this file alone.
    /// - Returns: nil if the file has changed meanwhile, or if another caller's check of the same content has failed.
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
            // Hashed again, because a process that has mapped the file can change it without a new version.
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
            // The file of the caller that began the check may be gone. This file is then tried again.
            return nil
        }
    }

    private struct FileChanged: Error {}

    /// The number of attempts for a file that changes during its check.
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

    /// Returns the check of a content, which all current callers share, and whether this caller began it.
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
