// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import SensitiveContentAnalysis

/// What is known of an attachment, who follows it and what goes on for it; lies under the attachment's lock.
struct AttachmentState {
    var flow: InterventionFlow
    var localFile: URL?
    /// The download that brings the file, or has brought it.
    var download: SharedTask<URL>?
    /// What the last check was about; nil as long as none has ended.
    var checked: CheckedMedia?
    var error: (any Error)?
    /// The check under way or to come.
    var work: SharedTask<MediaJudgement>?
    private var workNumber = 0
    private var workRun = 0
    var listeners: [Int: AsyncStream<InterventionFlow>.Continuation] = [:]
    private var lastListener = 0
    /// The watch over the policy, and the check, for those who follow.
    var policyTask: Task<Void, Never>?
    var checkTask: Task<Void, Never>?
    private var obeyedLookCount = 0
    /// How many judgements in succession were of no use.
    private var laxJudgementCount = 0

    /// What a check was about: the version of a file, or that there was none, and what decided besides the policy.
    struct CheckedMedia: Hashable {
        let version: FileVersion?
        let conditions: [String]
    }

    /// A check, so that what an earlier one still says is of no interest.
    struct WorkIdentity: Hashable {
        let number: Int
        /// Of those of a shared task, which begins anew when all who waited have given up.
        let run: Int
    }

    init(flow: InterventionFlow, localFile: URL?) {
        self.flow = flow
        self.localFile = localFile
    }

    /// The check under way or to come, made where there is none.
    ///
    /// - Parameter make: is given the number of the work.
    mutating func currentWork(
        _ make: (Int) -> SharedTask<MediaJudgement>
    ) -> SharedTask<MediaJudgement> {
        let current = work ?? make(workNumber)
        work = current
        return current
    }

    /// What was begun is nobody's any more.
    mutating func forgetWork() {
        work = nil
        workNumber += 1
        workRun = 0
    }

    /// Takes that a run of the work has begun; one before it counts no more.
    mutating func begin(_ identity: WorkIdentity) {
        if identity.number == workNumber { workRun = max(workRun, identity.run) }
    }

    /// Whether what a check says still counts.
    func isCurrent(_ identity: WorkIdentity) -> Bool {
        identity == WorkIdentity(number: workNumber, run: workRun)
    }

    /// - Returns: by what the listener is removed.
    mutating func addListener(_ continuation: AsyncStream<InterventionFlow>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = continuation
        return lastListener
    }

    /// Takes a judgement, which is of no use where the policy in force is stricter than the one that it was made under.
    ///
    /// - Returns: whether to go on, if need be with another check; not where the policy is disregarded again and again.
    mutating func obeys(_ judgement: MediaJudgement) -> Bool {
        laxJudgementCount = judgement.holds(under: flow.policy) ? 0 : laxJudgementCount + 1
        guard laxJudgementCount == Self.mostLaxJudgements else { return true }
        laxJudgementCount = 0
        return false
    }

    /// How often media is judged whose policy becomes stricter meanwhile.
    private static let mostLaxJudgements = 4

    /// A look at the policy that begins now: how many have been obeyed by then.
    func beginLook() -> Int { obeyedLookCount }

    /// Takes the policy that a look has found.
    ///
    /// - Returns: whether it was taken; not where another one was obeyed since the look began, which may be newer.
    mutating func obey(_ policy: SCSensitivityAnalysisPolicy, look: Int) -> Bool {
        guard look == obeyedLookCount || policy == flow.policy else { return false }
        obeyedLookCount += 1
        _ = flow.handle(.policyChanged(policy))
        return true
    }
}
