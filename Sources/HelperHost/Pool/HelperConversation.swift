// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import FileAccess
package import HelperProtocol
internal import Synchronization

/// The exclusive use of one helper for a series of requests, and the input of these requests.
package final class HelperConversation: Sendable {
    private let lease: WorkerLease
    private let input: OwnedDescriptor?
    /// Records that the helper has taken too long or was stopped, and returns the failure for the caller.
    let failureOfTimeOut: @Sendable (HelperProcessError) -> AnalysisFailure
    let limits: ConversationLimits
    private let state = Mutex(State())

    private struct State {
        /// The time that was spent on waiting for replies.
        var spent = Duration.zero
        var hasAnswer = false
    }

    init(
        _ lease: WorkerLease, input: OwnedDescriptor?, limits: ConversationLimits,
        failureOfTimeOut: @escaping @Sendable (HelperProcessError) -> AnalysisFailure
    ) {
        self.failureOfTimeOut = failureOfTimeOut
        self.lease = lease
        self.input = input
        self.limits = limits
    }

    private var worker: HelperWorker { lease.worker }

    /// Changes to another pool of the same decoders, so that callers of the first pool need not wait for the end.
    ///
    /// - Returns: whether a decoder of the other pool was free.
    func move(to pool: HelperPool) async -> Bool { await lease.move(to: pool) }

    /// Resets the waiting time and `hasAnswer`, because a new helper starts the conversation again.
    func startAgain() {
        state.withLock { $0 = State() }
    }

    /// Whether the current helper has sent a reply in this conversation.
    var hasAnswer: Bool { state.withLock { $0.hasAnswer } }

    /// Makes the helper close the file, without counting the time towards the limits of the file.
    ///
    /// - Throws: `HelperLie`, or the error that ends the conversation. If the helper was given up, nothing is sent.
    func closeMedia() async throws {
        guard worker.isConnected else { return }
        let reply = try await worker.exchange(
            DecoderRequest.closeMedia, with: nil, views: [], timeLimit: limits.answer, givingWay: nil
        ).reply
        guard case .closed = reply else { throw HelperLie() }
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - attachesInput: whether the descriptor of the conversation's input is sent with the request.
    ///   - views: the pixels that the model scores; empty for all other requests.
    /// - Throws: the error that ends the conversation; the pool then repeats the conversation or gives it up.
    package func exchange(
        _ request: any HelperRequest, attachesInput: Bool = false, views: [PixelImage] = []
    ) async throws -> HelperAnswer {
        // The total is for files of several pictures, and the reply to the first request says if it is one.
        let rest = attachesInput ? limits.answer : limits.total - state.withLock { $0.spent }
        let timeLimit = min(limits.answer, rest)
        guard timeLimit > .zero else {
            worker.discard()
            throw HelperProcessError.timedOut
        }
        let start = ContinuousClock.now
        defer { state.withLock { $0.spent += ContinuousClock.now - start } }
        let watch: AnswerWatch? =
            limits.urgency != .ordinary
            ? nil : AnswerWatch(interval: limits.patience) { [lease] in lease.load.wantsRoom() }
        let answer = try await worker.exchange(
            request, with: attachesInput ? input : nil, views: views, timeLimit: timeLimit, givingWay: watch)
        state.withLock { $0.hasAnswer = true }
        return answer
    }
}

/// The time limits of a conversation, which is about one file or one picture.
package struct ConversationLimits: Sendable, Hashable {
    /// The limit for each reply.
    package var answer: Duration
    /// The limit for all replies together.
    package var total: Duration
    package var urgency: DecodingUrgency
    /// The time for a reply after which a file may have to make room for waiting files; most replies take less.
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

/// A check, at regular intervals, whether to stop waiting for a reply.
struct AnswerWatch: Sendable {
    let interval: Duration
    let mustGiveWay: @Sendable () -> Bool
}

/// A fault of a helper.
package enum HelperFault: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)
    /// The helper has ended in an unknown way.
    case ended
    /// The helper sent a reply that is impossible, invalid or without a request.
    case lie
    case timedOut

    /// - Parameter error: the error of a helper that has ended, or could not be started again.
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
