// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import DecoderProtocol
internal import Glibc
internal import Synchronization

/// Decoder processes of one kind, each with one request at a time; callers queue in the order in which they come.
package actor DecoderPool {
    private let locator: DecoderLocator
    private let settings: DecoderSettings
    private let workers: ResourcePool<DecoderWorker>
    private let everyWorker: WorkerList
    private var idleWatch: Task<Void, Never>?
    private let load: PoolLoad
    private var backoff = RestartBackoff()
    private let report: @Sendable (DecoderFault) -> Void

    /// - Parameters:
    ///   - maximumCount: the number of processes that may run at once.
    ///   - report: is told of each fault of a decoder, also of those that a second attempt makes up for.
    package init(
        locator: DecoderLocator, maximumCount: Int, settings: DecoderSettings,
        reporting report: @escaping @Sendable (DecoderFault) -> Void = { _ in }
    ) {
        self.locator = locator
        self.report = report
        let everyWorker = WorkerList()
        self.everyWorker = everyWorker
        let load = PoolLoad()
        self.load = load
        workers = ResourcePool(maximumCount: maximumCount, alternating: { load.isInTrouble() }) {
            everyWorker.makeWorker()
        }
        self.settings = settings
    }

    /// Whether media have lately kept decoders from answering.
    package nonisolated var isInTrouble: Bool { load.isInTrouble() }

    deinit {
        idleWatch?.cancel()
    }

    /// Starts a decoder ahead of its first request and asks who it is.
    ///
    /// - Throws: `decoderUnavailable` with the remedy.
    @discardableResult
    package func warmUp() async throws -> DecoderIdentity {
        let path = try locator.path()
        return try await withWorker { try await self.start($0, path) }
    }

    /// Has a decoder answer a request.
    ///
    /// - Parameters:
    ///   - open: opens what the request is about when its turn has come, so that waiting requests hold no descriptor.
    ///   - timeLimit: how long the decoder may take.
    ///   - check: turns the answer into a value; `DecoderLie` counts as a lie of the decoder, which is replaced.
    /// - Throws: what `open` throws, `decoderUnavailable`, `decoderFailed`, `timedOut`, `DecodingPostponed` or
    ///   `CancellationError`.
    package func perform<Value: Sendable>(
        _ request: DecoderRequest, timeLimit: Duration, urgency: DecodingUrgency = .patient,
        opening open: @escaping @Sendable () throws -> OwnedDescriptor,
        checking check: @escaping @Sendable (DecoderAnswer) throws -> Value
    ) async throws -> Value {
        let limits = ConversationLimits(answer: timeLimit, total: timeLimit, urgency: urgency)
        return try await converse(limits, opening: open) { conversation in
            try check(try await conversation.exchange(request, attachesInput: true))
        }
    }

    /// Has one decoder to oneself for any number of requests.
    ///
    /// A decoder that dies is replaced, and the conversation held once more from the start.
    ///
    /// - Parameters:
    ///   - body: holds the conversation; it may be called twice.
    /// - Throws: as `perform` does, and what the body throws.
    package func converse<Value: Sendable>(
        _ limits: ConversationLimits, opening open: @escaping @Sendable () throws -> OwnedDescriptor,
        _ body: @escaping @Sendable (DecoderConversation) async throws -> Value
    ) async throws -> Value {
        let path = try locator.path()
        return try await withWorker { worker in
            let input = try await worker.open(open)
            let conversation = DecoderConversation(worker, input: input, limits: limits, load: self.load)
            return try await self.hold(conversation, on: worker, path: path, body)
        }
    }

    /// Runs the closure with a worker of one's own, and has its decoder ended if nobody uses it afterwards.
    private func withWorker<Value: Sendable>(
        _ body: @Sendable (DecoderWorker) async throws -> Value
    ) async throws -> Value {
        let worker = try await nextWorker()
        do {
            let value = try await body(worker)
            await release(worker)
            return value
        } catch {
            await release(worker)
            throw error
        }
    }

    private func nextWorker() async throws -> DecoderWorker {
        load.startedWaiting()
        defer { load.stoppedWaiting() }
        return try await workers.acquire()
    }

    private func release(_ worker: DecoderWorker) async {
        worker.rest()
        await workers.release(worker)
        watchIdleWorkers()
    }

    /// A decoder that was taken over need not end by itself, and could go on in silence.
    private func watchIdleWorkers() {
        guard idleWatch == nil else { return }
        idleWatch = Task { [weak self, everyWorker] in
            repeat {
                // Cancelled when the pool goes, whose decoders must not live on for this.
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            } while !everyWorker.endIdleProcesses(at: .now)
            await self?.idleWatchEnded()
        }
    }

    private func idleWatchEnded() {
        idleWatch = nil
        // One may have been started meanwhile.
        if !everyWorker.endIdleProcesses(at: .now) { watchIdleWorkers() }
    }

    private func start(_ worker: DecoderWorker, _ path: String) async throws(AnalysisFailure) -> DecoderIdentity {
        do {
            return try await worker.start(path: path, settings: settings)
        } catch {
            // Not once for every file of a folder as fast as processes can be started.
            backoff.decoderCrashed()
            throw Self.unavailable(error)
        }
    }

    private func hold<Value: Sendable>(
        _ conversation: DecoderConversation, on worker: DecoderWorker, path: String,
        _ body: @Sendable (DecoderConversation) async throws -> Value
    ) async throws -> Value {
        var mayBeOfEarlier = true
        var hasCrashed = conversation.limits.urgency == .lastAttempt
        while true {
            try Task.checkCancellation()
            if backoff.pause > .zero, !worker.hasProcess { try await Task.sleep(for: backoff.pause) }
            _ = try await start(worker, path)
            conversation.startAgain()
            do {
                let value = try await withTaskCancellationHandler {
                    try await body(conversation)
                } onCancel: {
                    worker.discard()
                }
                backoff.decoderAnswered()
                return value
            } catch is DecoderLie {
                worker.discard()
                noteFault(.lie)
                throw AnalysisFailure(
                    .decoderFailed,
                    "The decoder gave an answer that contradicts itself, and was replaced. Take the file for hostile, or"
                        + " run `sca doctor` if this happens with others.")
            } catch let error as DecoderProcessError {
                try Task.checkCancellation()
                let isOfEarlier = mayBeOfEarlier && !conversation.hasAnswer
                switch error {
                case .ended(.exited(0)) where isOfEarlier, .unaskedAnswer where isOfEarlier:
                    // It ended for want of work just before this request, or says something about the file before:
                    // no fault of this one.
                    mayBeOfEarlier = false
                case .gaveWay: throw DecodingPostponed()
                case .timedOut, .ended(.signalled(SIGXCPU)):
                    load.noteTrouble()
                    report(.timedOut)
                    throw Self.timedOut(conversation.limits)
                case .hostShortage:
                    throw Self.unavailable(error)
                case .invalidAnswer, .unaskedAnswer:
                    noteFault(.lie)
                    throw AnalysisFailure(
                        .decoderFailed,
                        "The decoder gave no valid answer, and was replaced. Take the file for hostile, or run `sca doctor`"
                            + " if this happens with others.")
                case .ended, .cannotStart, .differentVersion, .lacksLayers:
                    noteFault(DecoderFault(endingWith: error))
                    // Its second attempt is not to hold up those that wait for their first.
                    if conversation.limits.urgency == .ordinary, load.wantsRoom() {
                        throw DecodingPostponed(hasCrashed: true)
                    }
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

    /// Neither crashes nor lies may make decoders start as fast as files come.
    private func noteFault(_ fault: DecoderFault) {
        report(fault)
        backoff.decoderCrashed()
        load.noteTrouble()
    }

    private static func timedOut(_ limits: ConversationLimits) -> AnalysisFailure {
        AnalysisFailure(
            .timedOut,
            "Decoding took longer than the limit of \(limits.answer.inSeconds)"
                + (limits.total > limits.answer
                    ? " for one picture, or of \(limits.total.inSeconds) for all pictures of the file" : "")
                + ". Raise the time limit if the media can be trusted.")
    }

    private static func unavailable(_ error: DecoderProcessError) -> AnalysisFailure {
        if let number = error.shortage {
            return AnalysisFailure(
                .decoderUnavailable,
                "The decoder could not be used, since the system gives no more (error \(number)): close files or end"
                    + " processes, or raise the limits of this one (ulimit).", cause: error)
        }
        if case .lacksLayers(let layers) = error {
            return AnalysisFailure(
                .decoderUnavailable,
                "The whole sandbox is required, and this system lacks \(layers.map(\.name).joined(separator: ", "))."
                    + " `sca doctor` says what to do; or require less.", cause: error)
        }
        let reason =
            switch error {
            case .cannotStart(.systemCall(let call, let number)): "\(call) failed with error \(number)"
            case .cannotStart: "no connection could be made"
            case .differentVersion(let version):
                "it is of \(version), and this library of version \(PackageVersion.current)"
            case .ended: "it ended at once"
            case .timedOut: "it did not answer"
            case .invalidAnswer, .unaskedAnswer, .lacksLayers, .gaveWay, .hostShortage: "it does not speak the protocol"
            }
        return AnalysisFailure(
            .decoderUnavailable,
            "The decoder could not be used: \(reason). Build or install it anew, and run `sca doctor` for details.",
            cause: error)
    }
}

/// All workers that a pool has made.
private final class WorkerList: Sendable {
    private let workers = Mutex<[DecoderWorker]>([])

    func makeWorker() -> DecoderWorker {
        let worker = DecoderWorker()
        workers.withLock { $0.append(worker) }
        return worker
    }

    /// - Returns: whether no worker has a process any more.
    func endIdleProcesses(at now: ContinuousClock.Instant) -> Bool {
        workers.withLock { $0 }.reduce(true) { $1.endIdleProcess(at: now) && $0 }
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
