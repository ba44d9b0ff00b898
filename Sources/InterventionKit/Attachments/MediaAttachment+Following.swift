// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension MediaAttachment {
    /// The flow now, and then each time that it changes or the app is asked for something; has the media checked as long
    /// as somebody follows.
    ///
    /// Who is slow gets the newest only.
    public var flows: AsyncStream<InterventionFlow> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            _ = flow
            let (identifier, old) = state.withLock { state in
                let identifier = state.addListener(continuation)
                continuation.yield(state.flow)
                return (identifier, state.listeners.count == 1 ? follow(&state) : nil)
            }
            old?.cancel()
            continuation.onTermination = { [weak self] _ in self?.stopListening(identifier) }
        }
    }

    /// Begins what goes on as long as somebody follows.
    ///
    /// - Returns: what is to be cancelled, after the lock.
    private func follow(_ state: inout AttachmentState) -> Task<Void, Never>? {
        state.policyTask = Task { [weak self, checker] in
            for await _ in checker.changes() { _ = self?.flow }
        }
        return state.flow.needsCheck ? check(&state) : nil
    }

    /// Checks for those who follow, to whom the outcome comes as a flow.
    ///
    /// - Returns: what is to be cancelled, after the lock.
    func check(_ state: inout AttachmentState) -> Task<Void, Never>? {
        defer { state.checkTask = Task { [weak self] in _ = try? await self?.judgement() } }
        return state.checkTask
    }

    private func stopListening(_ identifier: Int) {
        let tasks = state.withLock { state -> [Task<Void, Never>?] in
            state.listeners[identifier] = nil
            return state.listeners.isEmpty ? [state.policyTask, state.checkTask] : []
        }
        for task in tasks { task?.cancel() }
    }
}
