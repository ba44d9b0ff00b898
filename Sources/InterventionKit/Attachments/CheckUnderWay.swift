// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// A check of one content for all who want it now, and who is told how far it is.
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
    /// - Parameter whenIdle: is called when nobody waits any more, be it that the check has ended or was given up.
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

/// Who wants to know how far something is.
private final class ProgressReports: Sendable {
    private let state = Mutex(State())

    private struct State {
        var listeners: [Int: @Sendable (Double) -> Void] = [:]
        var lastIdentifier = 0
        var latest: Double?
    }

    /// - Returns: by what the listener is removed.
    func add(_ listener: @escaping @Sendable (Double) -> Void) -> Int {
        let (identifier, latest) = state.withLock { state in
            state.lastIdentifier += 1
            state.listeners[state.lastIdentifier] = listener
            return (state.lastIdentifier, state.latest)
        }
        if let latest { listener(latest) }
        return identifier
    }

    func remove(_ identifier: Int) { state.withLock { $0.listeners[identifier] = nil } }

    func report(_ share: Double) {
        let listeners = state.withLock { state in
            state.latest = share
            return state.listeners.values
        }
        for listener in listeners { listener(share) }
    }
}
