// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

extension MediaAttachment {
    /// The flow now, and after each change or request to the app; the media is checked while there is a listener.
    ///
    /// A slow listener gets the newest flow only.
    public var flows: AsyncStream<InterventionFlow> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            _ = flow
            let (identifier, old) = state.withLock { state in
                let identifier = state.listeners.add(continuation)
                continuation.yield(state.flow)
                return (identifier, state.listeners.count == 1 ? follow(&state) : nil)
            }
            old?.cancel()
            continuation.onTermination = { [weak self] _ in self?.stopListening(identifier) }
        }
    }

    /// Starts the watch over the policy, and the check, for the first listener.
    ///
    /// - Returns: the earlier check task, to cancel after the lock is released; nil if there is none.
    private func follow(_ state: inout AttachmentState) -> Task<Void, Never>? {
        state.policyTask = Task { [weak self, checker] in
            for await _ in checker.changes() { _ = self?.flow }
        }
        return state.flow.needsCheck ? check(&state) : nil
    }

    /// Starts a check for the listeners, which get the outcome as a flow.
    ///
    /// - Returns: the earlier check task, to cancel after the lock is released; nil if there is none.
    func check(_ state: inout AttachmentState) -> Task<Void, Never>? {
        defer { state.checkTask = Task { [weak self] in _ = try? await self?.judgement() } }
        return state.checkTask
    }

    private func stopListening(_ identifier: Int) {
        let tasks = state.withLock { state -> [Task<Void, Never>?] in
            state.listeners.remove(identifier)
            return state.listeners.isEmpty ? [state.policyTask, state.checkTask] : []
        }
        for task in tasks { task?.cancel() }
    }
}
