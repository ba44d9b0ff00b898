// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import HelperProtocol
internal import Synchronization

/// A unit of the pool for one caller at a time: a thread that may block, and its connection to a helper process.
final class HelperWorker: Sendable {
    private let launcher: any HelperLauncher
    private let thread = WorkerThread()
    private let state = Mutex(State())

    private struct State {
        var connection: HelperConnection?
        /// The number of conversations that have used the connection.
        var useCount = 0
        /// The time since which the connection is unused, or nil while it is in use.
        var restingSince: ContinuousClock.Instant?
    }

    init(launcher: any HelperLauncher) {
        self.launcher = launcher
    }

    /// Whether there is a connection, even if its process has ended meanwhile.
    var isConnected: Bool { state.withLock { $0.connection != nil } }

    /// Connects to a helper process unless there is a connection.
    ///
    /// - Throws: `HelperProcessError` or `AnalysisFailure`.
    func start() async throws -> HelperIdentity {
        try await thread.result { () throws(any Error) in
            let present = self.state.withLock { state in
                state.restingSince = nil
                return state.connection
            }
            if let present { return present.identity }
            let connection = try self.launcher.connect()
            self.state.withLock { state in
                state.connection = connection
                state.useCount = 0
            }
            return connection.identity
        }
    }

    /// Opens the input of a request on the worker's thread, because opening may block.
    func open(_ body: @escaping @Sendable () throws -> OwnedDescriptor) async throws -> OwnedDescriptor {
        try await thread.result(of: body)
    }

    /// Sends a request and waits for its reply, and drops the connection after any error.
    func exchange(
        _ request: any HelperRequest, with attachment: OwnedDescriptor?, views: [PixelImage], timeLimit: Duration,
        givingWay watch: AnswerWatch?
    ) async throws(HelperProcessError) -> HelperAnswer {
        try await thread.result { () throws(HelperProcessError) in
            guard let connection = self.state.withLock({ $0.connection }) else { throw .ended(nil) }
            let answer = Result { () throws(HelperProcessError) in
                try connection.exchange(
                    request, with: attachment, views: views, within: timeLimit, givingWay: watch)
            }
            if case .failure = answer { self.replace(connection) }
            return try answer.get()
        }
    }

    /// Ends the helper process at once, so that a running exchange fails.
    func discard() {
        state.withLock { $0.connection }.map(replace)
    }

    /// Records that the connection is unused, and ends a decoder process after its thousandth use.
    func rest() {
        let worn = state.withLock { state -> HelperConnection? in
            state.restingSince = .now
            state.useCount += 1
            return state.useCount >= launcher.kind.mostUses ? state.connection : nil
        }
        worn.map(replace)
    }

    /// Gives the connection back to the launcher if it is unused for longer than its process waits for work.
    ///
    /// - Returns: whether the worker now has no connection.
    func retireIdleConnection(at now: ContinuousClock.Instant) -> Bool {
        let (idle, isGone) = state.withLock { state -> (HelperConnection?, Bool) in
            guard let connection = state.connection else { return (nil, true) }
            guard let since = state.restingSince, now - since > launcher.kind.longestRest else { return (nil, false) }
            // This is under the lock, so that no caller gets a connection that is about to be given back.
            state.connection = nil
            return (connection, true)
        }
        idle.map(launcher.retire)
        return isGone
    }

    private func replace(_ old: HelperConnection) {
        old.kill()
        state.withLock { if $0.connection === old { $0.connection = nil } }
    }
}
