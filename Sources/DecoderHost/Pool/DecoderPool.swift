// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import DecoderProtocol
internal import Glibc

/// Decoder processes of one kind, each with one request at a time; callers queue in the order in which they come.
package actor DecoderPool {
    private let locator: DecoderLocator
    private let memoryLimit: Int
    private let workers: ResourcePool<DecoderWorker>
    private var backoff = RestartBackoff()

    /// - Parameters:
    ///   - maximumCount: the number of processes that may run at once.
    ///   - memoryLimit: the memory of one process, in bytes.
    package init(locator: DecoderLocator, maximumCount: Int, memoryLimit: Int) {
        self.locator = locator
        workers = ResourcePool(maximumCount: maximumCount) { DecoderWorker() }
        self.memoryLimit = memoryLimit
    }

    /// Starts a decoder ahead of its first request and asks who it is.
    ///
    /// - Throws: `decoderUnavailable` with the remedy.
    @discardableResult
    package func warmUp() async throws -> DecoderIdentity {
        let path = try locator.path()
        return try await workers.withResource { try await self.start($0, path) }
    }

    /// Has a decoder answer a request.
    ///
    /// - Parameters:
    ///   - open: opens what the request is about when its turn has come, so that waiting requests hold no descriptor.
    ///   - timeLimit: how long the decoder may take.
    ///   - check: turns the answer into a value; `DecoderLie` counts as a lie of the decoder, which is replaced.
    /// - Throws: what `open` throws, `decoderUnavailable`, `decoderFailed`, `timedOut` or `CancellationError`.
    package func perform<Value: Sendable>(
        _ request: DecoderRequest, timeLimit: Duration,
        opening open: @escaping @Sendable () throws -> OwnedDescriptor,
        checking check: @escaping @Sendable (DecoderReply, OwnedDescriptor?) throws -> Value
    ) async throws -> Value {
        try await converse(timeLimit: timeLimit, opening: open) { conversation in
            let (reply, memory) = try await conversation.exchange(request, attachesInput: true)
            return try check(reply, memory)
        }
    }

    /// Has one decoder to oneself for any number of requests.
    ///
    /// A decoder that dies is replaced, and the conversation held once more from the start.
    ///
    /// - Parameters:
    ///   - timeLimit: how long the decoder may take for each answer.
    ///   - body: holds the conversation; it may be called twice.
    /// - Throws: as `perform` does, and what the body throws.
    package func converse<Value: Sendable>(
        timeLimit: Duration, opening open: @escaping @Sendable () throws -> OwnedDescriptor,
        _ body: @escaping @Sendable (DecoderConversation) async throws -> Value
    ) async throws -> Value {
        let path = try locator.path()
        return try await workers.withResource { worker in
            let conversation = DecoderConversation(worker, input: try await worker.open(open), timeLimit: timeLimit)
            return try await self.hold(conversation, on: worker, path: path, body)
        }
    }

    private func start(_ worker: DecoderWorker, _ path: String) async throws(AnalysisFailure) -> DecoderIdentity {
        do {
            return try await worker.start(path: path, memoryLimit: memoryLimit)
        } catch {
            throw Self.unavailable(error)
        }
    }

    private func hold<Value: Sendable>(
        _ conversation: DecoderConversation, on worker: DecoderWorker, path: String,
        _ body: @Sendable (DecoderConversation) async throws -> Value
    ) async throws -> Value {
        var mayHaveIdled = true
        var hasCrashed = false
        while true {
            try Task.checkCancellation()
            if backoff.pause > .zero { try await Task.sleep(for: backoff.pause) }
            _ = try await start(worker, path)
            do {
                let value = try await withTaskCancellationHandler {
                    try await body(conversation)
                } onCancel: {
                    worker.kill()
                }
                backoff.decoderAnswered()
                return value
            } catch is DecoderLie {
                worker.discard()
                throw AnalysisFailure(
                    .decoderFailed,
                    "The decoder gave an answer that contradicts itself, and was replaced. Take the file for hostile, or"
                        + " run `sca doctor` if this happens with others.")
            } catch let error as DecoderProcessError {
                try Task.checkCancellation()
                switch error {
                case .ended(.exited(0)) where mayHaveIdled:
                    // It ended for want of work just before this request; that is no fault of the media.
                    mayHaveIdled = false
                case .timedOut: throw Self.timedOut(conversation.timeLimit)
                case .invalidAnswer:
                    throw AnalysisFailure(
                        .decoderFailed,
                        "The decoder gave no valid answer, and was replaced. Take the file for hostile, or run `sca doctor`"
                            + " if this happens with others.")
                case .ended, .cannotStart, .differentVersion:
                    backoff.decoderCrashed()
                    guard !hasCrashed else {
                        throw AnalysisFailure(
                            .decoderFailed,
                            "The decoder ended unexpectedly twice with this input, which is likely to be damaged or"
                                + " hostile, or to need more memory than the limit allows. Get the file again, or raise the limit if it"
                                + " can be trusted.")
                    }
                    hasCrashed = true
                }
            } catch let error as AnalysisFailure {
                // An answer as well, if not a picture.
                backoff.decoderAnswered()
                throw error
            }
        }
    }

    private static func timedOut(_ limit: Duration) -> AnalysisFailure {
        AnalysisFailure(
            .timedOut,
            "Decoding took longer than the limit of \(limit.inSeconds). Raise the time limit if the"
                + " media can be trusted.")
    }

    private static func unavailable(_ error: DecoderProcessError) -> AnalysisFailure {
        if case .cannotStart(.systemCall(_, let number)) = error, [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(number) {
            return AnalysisFailure(
                .decoderUnavailable,
                "The decoder could not be started, since the system gives no more (error \(number)): close files or end"
                    + " processes, or raise the limits of this one (ulimit).", cause: error)
        }
        let reason =
            switch error {
            case .cannotStart(.systemCall(let call, let number)): "\(call) failed with error \(number)"
            case .cannotStart: "no connection could be made"
            case .differentVersion(let version):
                "it is of \(version), and this library of version \(PackageVersion.current)"
            case .ended: "it ended at once"
            case .timedOut: "it did not answer"
            case .invalidAnswer: "it does not speak the protocol"
            }
        return AnalysisFailure(
            .decoderUnavailable,
            "The decoder could not be used: \(reason). Build or install it anew, and run `sca doctor` for details.",
            cause: error)
    }
}

/// Thrown by checks of a decoder's answer that found it to be impossible.
package struct DecoderLie: Error, Sendable {
    package init() {}
}

extension Duration {
    /// The length in seconds, in words.
    fileprivate var inSeconds: String {
        let milliseconds = Int(self / .milliseconds(1))
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
