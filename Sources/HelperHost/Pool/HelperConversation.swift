// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import FileAccess
package import HelperProtocol
internal import Synchronization

/// One helper for as long as its user needs it, and the input that it is about.
package final class HelperConversation: Sendable {
    private let worker: HelperWorker
    private let input: OwnedDescriptor?
    private let load: PoolLoad
    /// Notes that the helper has taken too long, and gives the failure of that.
    let failureOfTimeOut: @Sendable () -> AnalysisFailure
    let limits: ConversationLimits
    private let state = Mutex(State())

    private struct State {
        /// How long answers have been waited for.
        var spent = Duration.zero
        var hasAnswer = false
    }

    init(
        _ worker: HelperWorker, input: OwnedDescriptor?, limits: ConversationLimits, load: PoolLoad,
        failureOfTimeOut: @escaping @Sendable () -> AnalysisFailure
    ) {
        self.failureOfTimeOut = failureOfTimeOut
        self.worker = worker
        self.input = input
        self.limits = limits
        self.load = load
    }

    /// Forgets how long an earlier helper has taken.
    func startAgain() {
        state.withLock { $0 = State() }
    }

    /// Whether there was an answer yet.
    var hasAnswer: Bool { state.withLock { $0.hasAnswer } }

    /// Has the helper close the file; this counts for none of the limits of the file.
    ///
    /// - Throws: `HelperLie`, or what ends the conversation. A helper that has been given up has nothing open.
    func closeMedia() async throws {
        guard worker.isConnected else { return }
        let reply = try await worker.exchange(
            .closeMedia, with: nil, views: [], timeLimit: limits.answer, givingWay: nil
        ).reply
        guard case .closed = reply else { throw HelperLie() }
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - attachesInput: whether the request is the one that hands the input over.
    ///   - views: pixels that the request is about.
    /// - Throws: what ends the conversation; it is held again or given up by the pool.
    package func exchange(
        _ request: HelperRequest, attachesInput: Bool = false, views: [PixelImage] = []
    ) async throws -> HelperAnswer {
        let timeLimit = min(limits.answer, limits.total - state.withLock { $0.spent })
        guard timeLimit > .zero else {
            worker.discard()
            throw HelperProcessError.timedOut
        }
        let start = ContinuousClock.now
        defer { state.withLock { $0.spent += ContinuousClock.now - start } }
        let watch: AnswerWatch? =
            limits.urgency != .ordinary ? nil : AnswerWatch(interval: limits.patience) { [load] in load.wantsRoom() }
        let answer = try await worker.exchange(
            request, with: attachesInput ? input : nil, views: views, timeLimit: timeLimit, givingWay: watch)
        state.withLock { $0.hasAnswer = true }
        return answer
    }
}

/// How long a file may take.
package struct ConversationLimits: Sendable, Hashable {
    /// For each answer.
    package var answer: Duration
    /// For all answers together.
    package var total: Duration
    package var urgency: DecodingUrgency
    /// How long an answer takes before room is made where others wait; ordinary pictures take a fraction of it.
    package var patience: Duration

    package init(
        answer: Duration, total: Duration, urgency: DecodingUrgency = .patient, patience: Duration = .milliseconds(500)
    ) {
        self.answer = answer
        self.total = total
        self.urgency = urgency
        self.patience = patience
    }
}

/// Asks from time to time whether to go on waiting for an answer.
struct AnswerWatch: Sendable {
    let interval: Duration
    let mustGiveWay: @Sendable () -> Bool
}

/// What has gone wrong with a decoder.
package enum HelperFault: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// It has ended, and nobody knows how.
    case ended
    /// An answer that is impossible, not valid or unasked for.
    case lie
    case timedOut

    /// - Parameter error: that of a decoder that has ended, or could not be started again.
    init(endingWith error: HelperProcessError) {
        switch error {
        case .ended(.exited(let code)): self = .exited(code)
        case .ended(.signalled(let signal)): self = .signalled(signal)
        default: self = .ended
        }
    }

    package var description: String {
        switch self {
        case .exited(let code): "exit \(code)"
        case .signalled(let signal): "signal \(signal)"
        case .ended: "ended"
        case .lie: "lie"
        case .timedOut: "timed out"
        }
    }
}
