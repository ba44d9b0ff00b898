// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import SensitiveContentAnalysis

/// The state of an attachment, with its listeners and its tasks, under the attachment's lock.
struct AttachmentState {
    var flow: InterventionFlow
    var localFile: URL?
    /// The download of the file, under way or finished.
    var download: SharedTask<URL>?
    /// The file and the conditions of the last check; nil before its end, and after a change that voids its verdict.
    var checked: CheckedMedia?
    var error: (any Error)?
    /// The check that all callers share: not begun, running or ended; nil until a caller needs one.
    var work: SharedTask<MediaJudgement>?
    private var workNumber = 0
    private var workRun = 0
    var listeners = Listeners<AsyncStream<InterventionFlow>.Continuation>()
    /// The task that watches the policy while the attachment has listeners.
    var policyTask: Task<Void, Never>?
    /// The task that waits for a check while the attachment has listeners.
    var checkTask: Task<Void, Never>?
    private var obeyedLookCount = 0
    /// The number of judgements in a row that were made under a laxer policy.
    private var laxJudgementCount = 0

    /// The version of the checked file, or nil without a file; and the conditions of the verdict besides the policy.
    struct CheckedMedia: Hashable {
        let version: FileVersion?
        let conditions: [String]
        /// Whether the verdict is about the pixels that the app shows, and not about the file.
        var isAboutPixels = false
    }

    /// The identity of a check, by which reports of superseded checks are dropped.
    struct WorkIdentity: Hashable {
        let number: Int
        /// The number of the shared task's run; after all callers gave up, the next caller starts a new run.
        let run: Int
    }

    init(flow: InterventionFlow, localFile: URL?) {
        self.flow = flow
        self.localFile = localFile
    }

    /// Returns the check that all callers share; creates it if there is none.
    ///
    /// - Parameter make: creates a check; its parameter is the number by which reports of the check are recognised.
    mutating func currentWork(
        _ make: (Int) -> SharedTask<MediaJudgement>
    ) -> SharedTask<MediaJudgement> {
        let current = work ?? make(workNumber)
        work = current
        return current
    }

    /// Drops the shared check; its later reports and its result are ignored.
    mutating func forgetWork() {
        work = nil
        workNumber += 1
        workRun = 0
    }

    /// Notes that a run of the shared check has begun, so that reports of earlier runs are ignored.
    mutating func begin(_ identity: WorkIdentity) {
        if identity.number == workNumber { workRun = max(workRun, identity.run) }
    }

    /// Whether reports of a check still count.
    func isCurrent(_ identity: WorkIdentity) -> Bool {
        identity == WorkIdentity(number: workNumber, run: workRun)
    }

    /// Notes whether a judgement holds under the policy in force, or was made under a laxer policy.
    ///
    /// - Returns: false if several judgements in a row were made under a laxer policy. No further check follows then.
    mutating func obeys(_ judgement: MediaJudgement) -> Bool {
        laxJudgementCount = judgement.holds(under: flow.policy) ? 0 : laxJudgementCount + 1
        guard laxJudgementCount == Self.mostLaxJudgements else { return true }
        laxJudgementCount = 0
        return false
    }

    /// The number of judgements in a row under a laxer policy after which no check follows.
    private static let mostLaxJudgements = 4

    /// Returns the number of policies applied so far, for ``obey(_:look:)`` with a policy that is read afterwards.
    func beginLook() -> Int { obeyedLookCount }

    /// Applies a policy that was read after ``beginLook()``.
    ///
    /// - Returns: false if another policy was applied since ``beginLook()``, because that policy may be newer.
    mutating func obey(_ policy: SCSensitivityAnalysisPolicy, look: Int) -> Bool {
        guard look == obeyedLookCount || policy == flow.policy else { return false }
        obeyedLookCount += 1
        _ = flow.handle(.policyChanged(policy))
        return true
    }
}
