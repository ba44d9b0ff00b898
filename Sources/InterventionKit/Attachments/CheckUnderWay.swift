// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// A check of one content for all callers that wait for it, with reports of its progress.
final class CheckUnderWay: Sendable {
    private let work: SharedTask<MediaJudgement>
    private let progress: ProgressReports
    private let waitingCount = Mutex(0)

    /// - Parameter check: judges the content, and reports the share that is done, from 0 to 1.
    init(_ check: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> MediaJudgement) {
        let progress = ProgressReports()
        self.progress = progress
        work = SharedTask { _ in try await check { progress.report($0) } }
    }

    /// Waits for the judgement.
    ///
    /// - Parameter whenIdle: called when no caller waits any more, because the check has ended or all have given up.
    func judgement(
        _ report: @escaping @Sendable (Double) -> Void, whenIdle: () -> Void
    ) async throws -> MediaJudgement {
        waitingCount.withLock { $0 += 1 }
        defer {
            let isLast = waitingCount.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast { whenIdle() }
        }
        let listener = progress.add(report)
        defer { progress.remove(listener) }
        return try await work.value()
    }
}

/// The listeners for the progress of a check.
private final class ProgressReports: Sendable {
    private let state = Mutex(State())

    private struct State {
        var listeners = Listeners<@Sendable (Double) -> Void>()
        var latest: Double?
    }

    /// Adds a listener, and reports the latest progress to it.
    ///
    /// - Returns: the number by which the listener is removed.
    func add(_ listener: @escaping @Sendable (Double) -> Void) -> Int {
        let (number, latest) = state.withLock { state in (state.listeners.add(listener), state.latest) }
        if let latest { listener(latest) }
        return number
    }

    func remove(_ number: Int) { state.withLock { _ = $0.listeners.remove(number) } }

    func report(_ share: Double) {
        let listeners = state.withLock { state in
            state.latest = share
            return state.listeners.all
        }
        for listener in listeners { listener(share) }
    }
}
