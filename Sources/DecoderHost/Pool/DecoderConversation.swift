// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import DecoderProtocol
internal import Synchronization

/// One decoder for as long as its user needs it, and the input that it is about.
package final class DecoderConversation: Sendable {
    private let worker: DecoderWorker
    private let input: OwnedDescriptor
    private let load: PoolLoad
    let limits: ConversationLimits
    private let state = Mutex(State())

    private struct State {
        /// How long the decoder has been waited for.
        var spent = Duration.zero
        var hasAnswer = false
    }

    init(_ worker: DecoderWorker, input: OwnedDescriptor, limits: ConversationLimits, load: PoolLoad) {
        self.worker = worker
        self.input = input
        self.limits = limits
        self.load = load
    }

    /// Forgets what an earlier decoder has taken.
    func startAgain() {
        state.withLock { $0 = State() }
    }

    /// Whether the decoder has answered anything yet.
    var hasAnswer: Bool { state.withLock { $0.hasAnswer } }

    /// Has the decoder answer a request.
    ///
    /// - Parameter attachesInput: whether the request is the one that hands the input over.
    /// - Throws: what ends the conversation; it is held again or given up by the pool.
    package func exchange(_ request: DecoderRequest, attachesInput: Bool = false) async throws -> DecoderAnswer {
        let timeLimit = min(limits.answer, limits.total - state.withLock { $0.spent })
        guard timeLimit > .zero else {
            worker.discard()
            throw DecoderProcessError.timedOut
        }
        let start = ContinuousClock.now
        defer { state.withLock { $0.spent += ContinuousClock.now - start } }
        let watch: AnswerWatch? =
            limits.urgency != .ordinary ? nil : AnswerWatch(interval: limits.patience) { [load] in load.wantsRoom() }
        let answer = try await worker.exchange(
            request, with: attachesInput ? input : nil, timeLimit: timeLimit, givingWay: watch)
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
