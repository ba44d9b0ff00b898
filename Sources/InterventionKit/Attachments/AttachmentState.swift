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
    /// The media of the last check; nil as long as no check has ended.
    var checked: CheckedMedia?
    var error: (any Error)?
    /// The check under way or to come.
    var work: SharedTask<MediaJudgement>?
    private var workNumber = 0
    private var workRun = 0
    var listeners = Listeners<AsyncStream<InterventionFlow>.Continuation>()
    /// The task that watches the policy for the listeners.
    var policyTask: Task<Void, Never>?
    /// The task that checks for the listeners.
    var checkTask: Task<Void, Never>?
    private var obeyedLookCount = 0
    /// The number of judgements in a row that were made under a laxer policy.
    private var laxJudgementCount = 0

    /// The media of a check: the version of the file, or nil without a file, and the conditions besides the policy.
    struct CheckedMedia: Hashable {
        let version: FileVersion?
        let conditions: [String]
    }

    /// The identity of a check, by which reports of superseded checks are dropped.
    struct WorkIdentity: Hashable {
        let number: Int
        /// The run of the shared task, which begins anew after all callers gave up.
        let run: Int
    }

    init(flow: InterventionFlow, localFile: URL?) {
        self.flow = flow
        self.localFile = localFile
    }

    /// Returns the check under way or to come; creates it if there is none.
    ///
    /// - Parameter make: creates the work of this number.
    mutating func currentWork(
        _ make: (Int) -> SharedTask<MediaJudgement>
    ) -> SharedTask<MediaJudgement> {
        let current = work ?? make(workNumber)
        work = current
        return current
    }

    /// Drops the work; its results are ignored.
    mutating func forgetWork() {
        work = nil
        workNumber += 1
        workRun = 0
    }

    /// Notes that a run of the work has begun, which supersedes earlier runs.
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

    /// The number of judgements under a laxer policy after which no check follows.
    private static let mostLaxJudgements = 4

    /// Begins a look at the policy: the number of looks that were obeyed so far.
    func beginLook() -> Int { obeyedLookCount }

    /// Takes the policy of a look.
    ///
    /// - Returns: false where another look was obeyed since this look began; its policy may be newer.
    mutating func obey(_ policy: SCSensitivityAnalysisPolicy, look: Int) -> Bool {
        guard look == obeyedLookCount || policy == flow.policy else { return false }
        obeyedLookCount += 1
        _ = flow.handle(.policyChanged(policy))
        return true
    }
}
