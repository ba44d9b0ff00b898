// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// Whether the media is likely to be sensitive; downloads and checks the media, if this has not been done.
    ///
    /// - Throws: an error of the download; `SensitivityAnalysisError` if the media could not be analysed, for example
    ///   with `analysisDisabled`; or `CancellationError`.
    public var isSensitive: Bool {
        get async throws { try await judgement().verdict != .notSensitive }
    }

    /// Returns a judgement that holds under the policy in force, though it may be made under another policy.
    func judgement() async throws -> MediaJudgement {
        noticeReplacement()
        // A decision on media that cannot be checked stands. A new check would ask the person again.
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
        // The run may have been abandoned before its start, and superseded by a new run.
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
                        // The path may lead to a new file by now, for which earlier choices must not count.
                        state.flow.mediaNumber += 1
                        _ = state.flow.handle(.checkBegan)
                    }
                }, report: { [weak self] share in self?.tell(identity) { _ = $0.flow.handle(.checkAdvanced(share)) } })
            var isObeyed = true
            tell(identity) { state in
                isObeyed = state.obeys(checked.judgement)
                guard isObeyed else { return }
                state.error = nil
                state.checked = .init(
                    version: checked.version, conditions: checked.conditions, isAboutPixels: checked.isAboutPixels)
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
                // A disabled policy refuses the check. The media then counts as unchecked, also under a later policy.
                let isDisabled = (error as? SensitivityAnalysisError)?.code == .analysisDisabled && policy == .disabled
                state.error = error
                state.checked = isDisabled ? nil : .init(version: version, conditions: conditions)
                _ = state.flow.handle(.checkEnded(.unknown, policy: policy))
            }
            throw error
        }
    }

    /// Applies a report of a check, unless the check is superseded.
    private func tell(
        _ identity: AttachmentState.WorkIdentity, keepsWork: Bool = false, _ change: (inout AttachmentState) -> Void
    ) {
        _ = update(keepsWork: keepsWork) { state in
            if state.isCurrent(identity) { change(&state) }
            return nil
        }
    }

    /// Voids the verdict, so that a new check is due, if the file was replaced or the conditions have changed.
    func noticeReplacement() {
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard let checked else { return }
        // A missing file cannot be shown, so its verdict may stay.
        let present = file.flatMap { FileVersion(path: $0.path) }
        guard present != nil && present != checked.version || checker.conditions != checked.conditions else { return }
        _ = update { state in
            guard state.checked == checked, state.localFile == file else { return nil }
            state.checked = nil
            state.flow.mediaNumber += 1
            // A check that has not begun yet will read the new file, so it stays.
            if !state.flow.needsCheck { state.forgetWork() }
            // `checkBegan` voids the finding and the decision. `checkAbandoned` makes a new check due.
            _ = state.flow.handle(.checkBegan)
            return state.flow.handle(.checkAbandoned)
        }
    }
}

extension Optional where Wrapped == MediaAttachment {
    /// Returns the attachment, or throws `CancellationError` if it is gone.
    fileprivate func orCancelled() throws -> MediaAttachment {
        guard let self else { throw CancellationError() }
        return self
    }
}
