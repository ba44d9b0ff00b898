// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A source that is started once, such as a decoder, and its end at any time.
final class SessionSource<Source: AnyObject & Sendable>: Sendable {
    private let state = Mutex(State())
    private let giveUp: @Sendable (Source) -> Void

    private struct State {
        var source: Source?
        var hasBegun = false
        var hasEnded = false
    }

    /// - Parameter giveUp: ends a source.
    init(giveUp: @escaping @Sendable (Source) -> Void) {
        self.giveUp = giveUp
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// The source; nil before the start and after the end.
    var current: Source? { state.withLock { $0.source } }

    /// - Throws: `invalidArgument` if the source was started before, and errors of the closure.
    func begin(_ start: () throws -> Source) throws {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "A session can be analysed once. Create another one.")
        }
        let source = try start()
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.source = source }
            return state.hasEnded
        }
        // The analysis may have ended while the source began.
        if hasEnded { giveUp(source) }
    }

    func end() {
        let source = state.withLock { state in
            state.hasEnded = true
            defer { state.source = nil }
            return state.source
        }
        if let source { giveUp(source) }
    }
}
