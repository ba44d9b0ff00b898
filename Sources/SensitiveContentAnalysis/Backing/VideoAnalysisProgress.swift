// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import Synchronization

/// The progress of a video analysis, reported to a `Progress` and to all listeners.
final class VideoAnalysisProgress: Sendable {
    typealias Update = SCSensitivityAnalyzer.VideoAnalysisHandler.ProgressUpdate

    private let state: Mutex<State>

    private struct State {
        var progress: Progress
        var latest: Update?
        var cancel: (@Sendable () -> Void)?
        var isFinished = false
        var listeners = Listeners<AsyncStream<Update>.Continuation>()
    }

    init() {
        state = Mutex(State(progress: TimeCodeProgress(total: Self.unitCount)))
    }

    var current: Progress { state.withLock { $0.progress } }

    /// Reports to another `Progress` from now on.
    func replace(with progress: Progress) {
        progress.totalUnitCount = Self.unitCount
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        let latest = state.withLock { state in
            state.progress = progress
            return state.latest
        }
        if let latest { Self.show(latest, in: progress) }
        if progress.isCancelled { cancel() }
    }

    /// Sets the closure that cancels the analysis.
    func setCancellation(_ cancel: @escaping @Sendable () -> Void) {
        let progress = state.withLock { state in
            state.cancel = cancel
            return state.progress
        }
        progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    /// Marks the beginning of an analysis.
    func begin() {
        state.withLock { $0.isFinished = false }
    }

    /// Reports the progress to the `Progress` and to all listeners.
    func report(_ news: MediaProgress) {
        let (progress, update, listeners) = state.withLock { state in
            // A replaced decoder starts again at the beginning, but the reported share must not decrease.
            let share = max(state.latest?.fractionCompleted ?? 0, min(1, news.share))
            let update = Update(fractionCompleted: share, position: news.position, duration: news.duration)
            state.latest = update
            return (state.progress, update, state.listeners.all)
        }
        Self.show(update, in: progress)
        for listener in listeners { listener.yield(update) }
    }

    /// Marks the end of the analysis, with any outcome.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners.removeAll()
        }
        for listener in listeners { listener.finish() }
    }

    func updates() -> AsyncStream<Update> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (number, latest, isFinished) = state.withLock { state in
                (state.isFinished ? nil : state.listeners.add(continuation), state.latest, state.isFinished)
            }
            if let latest { continuation.yield(latest) }
            if isFinished { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                guard let number else { return }
                _ = self?.state.withLock { $0.listeners.remove(number) }
            }
        }
    }

    private func cancel() {
        state.withLock { $0.cancel }?()
    }

    private static func show(_ update: Update, in progress: Progress) {
        (progress as? TimeCodeProgress)?.note(update)
        progress.completedUnitCount = Int64(update.fractionCompleted * Double(unitCount))
    }

    private static let unitCount: Int64 = 1000
}
