// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The changes of a stream's analysis, kept for each listener from the creation of the analyzer on.
final class AnalysisLog: Sendable {
    private let state = Mutex(State())

    private struct State {
        var analyses: [SCSensitivityAnalysis] = []
        /// The number of analyses that were dropped before the first kept one.
        var droppedCount = 0
        /// The end of the sequence; nil while the stream is analysed.
        var end: Result<Void, any Error>?
        var waiting = Listeners<CheckedContinuation<Void, Never>>()
    }

    /// The largest number of kept analyses.
    static let maximumCount = 1000

    func append(_ analysis: SCSensitivityAnalysis) {
        change { state in
            if state.analyses.count >= Self.maximumCount {
                state.droppedCount += state.analyses.count
                state.analyses = []
            }
            state.analyses.append(analysis)
        }
    }

    /// Ends the sequence after the kept analyses; a later end has no effect.
    func finish(_ end: Result<Void, any Error>) {
        change { state in if state.end == nil { state.end = end } }
    }

    var isFinished: Bool { state.withLock { $0.end != nil } }

    /// Returns the next analysis after a position, after a wait if necessary; nil at the end or after a cancellation.
    ///
    /// - Parameter position: the number of analyses that the listener has passed; advanced by the call.
    /// - Throws: the error that ended the analysis.
    func next(after position: inout Int) async throws -> SCSensitivityAnalysis? {
        while !Task.isCancelled {
            let found = state.withLock { state -> Result<SCSensitivityAnalysis?, any Error>? in
                let index = max(0, position - state.droppedCount)
                if index < state.analyses.count {
                    position = state.droppedCount + index + 1
                    return .success(state.analyses[index])
                }
                return state.end.map { end in end.map { nil } }
            }
            if let found { return try found.get() }
            await change(after: position)
        }
        return nil
    }

    /// Waits until there is an analysis after a position, or the end.
    private func change(after position: Int) async {
        let number = state.withLock { $0.waiting.makeNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    // The task may have been cancelled before it was registered.
                    if Task.isCancelled || state.end != nil || position < state.droppedCount + state.analyses.count {
                        return true
                    }
                    state.waiting.register(continuation, as: number)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.remove(number) }?.resume()
        }
    }

    private func change(_ body: (inout sending State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            return state.waiting.removeAll()
        }
        for continuation in waiting { continuation.resume() }
    }
}
