// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
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
        /// The time for which the helper has worked on replies.
        var spent = Duration.zero
        var hasAnswer = false
        /// Whether the helper belongs to other callers by now.
        var isOver = false
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

    /// The size of the input in bytes; nil without an input.
    var inputByteCount: Int? { input.flatMap { FileState($0) }?.byteCount }

    /// Changes to another pool of the same decoders, so that callers of the first pool need not wait for the end.
    ///
    /// - Returns: whether a decoder of the other pool was free.
    func move(to pool: HelperPool) async -> Bool { await lease.move(to: pool) }

    /// The time for which the current helper has worked on replies.
    var work: Duration { state.withLock { $0.spent } }

    /// Resets the time of work and `hasAnswer`, because a new helper starts the conversation again.
    func startAgain() {
        state.withLock { $0 = State() }
    }

    /// Ends the conversation: later requests fail, because the helper may serve another caller.
    func end() { state.withLock { $0.isOver = true } }

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
    ///   - memory: the descriptor of memory that is sent with the request instead.
    ///   - views: the pixels that the model scores; empty for all other requests.
    /// - Throws: the error that ends the conversation; the pool then repeats the conversation or gives it up.
    package func exchange(
        _ request: any HelperRequest, attachesInput: Bool = false, memory: OwnedDescriptor? = nil,
        views: [PixelImage] = []
    ) async throws -> HelperAnswer {
        guard !state.withLock(\.isOver) else { throw HelperProcessError.ended(nil) }
        // The total is for files of several pictures, and the reply to the first request says if it is one.
        let rest = attachesInput ? limits.answer : limits.total - state.withLock { $0.spent }
        let timeLimit = min(limits.answer, rest)
        guard timeLimit > .zero else {
            worker.discard()
            throw HelperProcessError.timedOut
        }
        let watch: AnswerWatch? =
            limits.urgency != .ordinary
            ? nil : AnswerWatch(interval: limits.patience) { [lease] in lease.load.wantsRoom() }
        let answer = try await worker.exchange(
            request, with: attachesInput ? input : memory, views: views, timeLimit: timeLimit, givingWay: watch)
        state.withLock { state in
            state.hasAnswer = true
            state.spent += answer.work
        }
        return answer
    }
}
