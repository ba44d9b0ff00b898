// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// Whether the media is likely to be sensitive; downloads and checks it, where that has not been done.
    ///
    /// - Throws: what the download throws; `SensitivityAnalysisError` if the media could not be analysed, for example
    ///   with `analysisDisabled`; or `CancellationError`.
    public var isSensitive: Bool {
        get async throws { try await judgement().verdict != .notSensitive }
    }

    /// The judgement under the policy in force, or under one whose thresholds say more.
    func judgement() async throws -> MediaJudgement {
        noticeReplacement()
        // Who has decided about what cannot be checked is not asked again because the app asks.
        let known = state.withLock {
            Stage.decided.contains($0.flow.stage) && $0.flow.verdict == .unknown ? $0.error : nil
        }
        if let known { throw known }
        while true {
            let work = state.withLock { state in
                state.currentWork { number in
                    SharedTask { [weak self] run in
                        try await self.orCancelled().performCheck(.init(number: number, run: run))
                    }
                }
            }
            let judgement = try await work.value()
            if judgement.holds(under: checker.policy) { return judgement }
            state.withLock { state in
                if state.work === work { state.forgetWork() }
            }
        }
    }

    private func performCheck(_ identity: AttachmentState.WorkIdentity) async throws -> MediaJudgement {
        // It may have been given up before it could begin, and begun anew.
        try Task.checkCancellation()
        state.withLock { $0.begin(identity) }
        await checker.settle()
        let conditions = checker.conditions
        var version: FileVersion?
        do {
            let file = try await downloadedFile()
            version = FileVersion(path: file.path)
            let checked = try await checker.judge(
                file, as: kind,
                begins: { [weak self] in
                    self?.tell(identity) { state in
                        state.checked = nil
                        // It may be another file under the name.
                        state.flow.mediaNumber += 1
                        _ = state.flow.handle(.checkBegan)
                    }
                }, report: { [weak self] share in self?.tell(identity) { _ = $0.flow.handle(.checkAdvanced(share)) } })
            var isObeyed = true
            tell(identity) { state in
                isObeyed = state.obeys(checked.judgement)
                guard isObeyed else { return }
                state.error = nil
                state.checked = .init(version: checked.version, conditions: checked.conditions)
                _ = state.flow.handle(.checkEnded(checked.judgement.verdict, policy: checked.judgement.policy))
            }
            guard isObeyed else {
                throw SensitivityAnalysisError(
                    .internalFailure,
                    message: "The media was judged under a laxer policy than the one in force, again and again. Please"
                        + " report it.")
            }
            return checked.judgement
        } catch  where Task.isCancelled {
            tell(identity, keepsWork: true) { _ = $0.flow.handle(.checkAbandoned) }
            throw CancellationError()
        } catch {
            let version = version
            tell(identity) { state in
                let policy = state.flow.policy
                // Where nobody wants analysis, nothing has been found out, also for when somebody does.
                let isDisabled = (error as? SensitivityAnalysisError)?.code == .analysisDisabled && policy == .disabled
                state.error = error
                state.checked = isDisabled ? nil : .init(version: version, conditions: conditions)
                _ = state.flow.handle(.checkEnded(.unknown, policy: policy))
            }
            throw error
        }
    }

    /// Takes what a check says, unless another one counts by now.
    private func tell(
        _ identity: AttachmentState.WorkIdentity, keepsWork: Bool = false, _ change: (inout AttachmentState) -> Void
    ) {
        _ = update(keepsWork: keepsWork) { state in
            if state.isCurrent(identity) { change(&state) }
            return nil
        }
    }

    /// Has media checked anew that is no longer what was judged, or would be judged in another way now.
    func noticeReplacement() {
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard let checked else { return }
        // What is gone cannot be shown.
        let present = file.flatMap { FileVersion(path: $0.path) }
        guard present != nil && present != checked.version || checker.conditions != checked.conditions else { return }
        _ = update { state in
            guard state.checked == checked, state.localFile == file else { return nil }
            state.checked = nil
            state.flow.mediaNumber += 1
            // A check that is still to begin will be about what is there then.
            if !state.flow.needsCheck { state.forgetWork() }
            // As if a check had begun, which nobody has yet: what was found and decided is void.
            _ = state.flow.handle(.checkBegan)
            return state.flow.handle(.checkAbandoned)
        }
    }
}

extension Optional where Wrapped == MediaAttachment {
    /// The attachment, where it is still there.
    fileprivate func orCancelled() throws -> MediaAttachment {
        guard let self else { throw CancellationError() }
        return self
    }
}
