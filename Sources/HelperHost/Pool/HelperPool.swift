// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import FileAccess
internal import Glibc
package import HelperProtocol
internal import Synchronization

/// A pool of connections to helper processes of one kind, each with one request at a time.
///
/// Callers are served in order. After media have stopped a decoder, every second turn goes to the newest caller.
package actor HelperPool {
    private let launcher: any HelperLauncher
    private let workers: ResourcePool<HelperWorker>
    private let everyWorker: WorkerList
    private var idleWatch: Task<Void, Never>?
    let load: PoolLoad
    private var backoff = RestartBackoff()
    private let report: @Sendable (HelperFault) -> Void

    private nonisolated var kind: HelperKind { launcher.kind }

    /// Makes a pool of decoders, each with a process of its own.
    package init(
        locator: HelperLocator, maximumCount: Int, settings: HelperSettings, kind: HelperKind = .imageDecoder,
        reporting report: @escaping @Sendable (HelperFault) -> Void = { _ in }
    ) {
        self.init(
            DecoderLauncher(kind: kind, locator: locator, settings: settings), maximumCount: maximumCount,
            reporting: report)
    }

    /// - Parameters:
    ///   - maximumCount: the number of connections that may be used at once.
    ///   - report: is called with each fault of a helper, also if a second attempt succeeds.
    package init(
        _ launcher: any HelperLauncher, maximumCount: Int,
        reporting report: @escaping @Sendable (HelperFault) -> Void = { _ in }
    ) {
        self.launcher = launcher
        self.report = report
        let everyWorker = WorkerList()
        self.everyWorker = everyWorker
        let load = PoolLoad()
        self.load = load
        workers = ResourcePool(maximumCount: maximumCount, alternating: { load.isInTrouble() }) {
            everyWorker.makeWorker(launcher)
        }
    }

    /// Whether a file has crashed a decoder, used up its time or caused an impossible reply in the last minute.
    package nonisolated var isInTrouble: Bool { load.isInTrouble() }

    deinit {
        idleWatch?.cancel()
    }

    /// Starts a helper before its first request, and returns its identity.
    ///
    /// - Throws: `decoderUnavailable` or `modelUnavailable` with the remedy.
    @discardableResult
    package func warmUp() async throws -> HelperIdentity {
        try launcher.requireProgram()
        return try await withWorker { try await self.start($0.worker) }
    }

    /// Decodes a live stream in a process of its own, which is not one of the pool's.
    ///
    /// - Throws: `AnalysisFailure` if the program is missing, or the system has no descriptor or thread left.
    package nonisolated func decodeStream(
        _ request: StreamRequest, beginning: [UInt8] = [], receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> StreamDecoder {
        try StreamDecoder(launcher, request, beginning: beginning, receive: receive)
    }

    /// Gives back all unused connections, so that their processes end.
    package func retireAll() {
        _ = everyWorker.retireIdleConnections(at: .now + .seconds(86_400))
    }

    /// Sends one request and waits for its reply.
    ///
    /// - Parameters:
    ///   - open: opens the input of the request when its turn has come, so that waiting requests hold no descriptor.
    ///   - timeLimit: the time limit of the reply.
    ///   - check: turns the reply into a value; after a `HelperLie`, the helper is replaced.
    /// - Throws: errors of `open`, `decoderUnavailable`, `decoderFailed`, `timedOut`, `DecodingPostponed` or
    ///   `CancellationError`.
    package func perform<Value: Sendable>(
        _ request: any HelperRequest, timeLimit: Duration, urgency: DecodingUrgency = .patient,
        opening open: @escaping @Sendable () throws -> OwnedDescriptor,
        checking check: @escaping @Sendable (HelperAnswer) throws -> Value
    ) async throws -> Value {
        let limits = ConversationLimits(answer: timeLimit, total: timeLimit, urgency: urgency)
        return try await converse(limits, opening: open) { conversation in
            try check(try await conversation.exchange(request, attachesInput: true))
        }
    }

    /// Reserves one helper for any number of requests.
    ///
    /// A helper that dies is replaced, and the conversation is repeated once from the start.
    ///
    /// - Parameter body: sends the requests; it may be called twice.
    /// - Throws: as `perform` does, and errors of the body.
    package func converse<Value: Sendable>(
        _ limits: ConversationLimits, opening open: (@Sendable () throws -> OwnedDescriptor)?,
        _ body: @escaping @Sendable (HelperConversation) async throws -> Value
    ) async throws -> Value {
        try launcher.requireProgram()
        return try await withWorker { lease in
            let input: OwnedDescriptor? = if let open { try await lease.worker.open(open) } else { nil }
            let conversation = HelperConversation(lease, input: input, limits: limits) {
                self.failureOfTimeOut($0 == .stopped ? .stopped : .timedOut(limits), lease.load)
            }
            defer { conversation.end() }
            do {
                return try await self.hold(conversation, on: lease, body)
            } catch let postponed as DecodingPostponed where lease.hasMoved {
                // The file has left the queue of this pool.
                throw SequencesWait(urgency: postponed.urgency)
            }
        }
    }

    /// Runs the closure with a worker that no other caller uses.
    private func withWorker<Value: Sendable>(
        _ body: @Sendable (WorkerLease) async throws -> Value
    ) async throws -> Value {
        let lease = WorkerLease(try await nextWorker(), of: self)
        do {
            let value = try await body(lease)
            await lease.end()
            return value
        } catch {
            await lease.end()
            throw error
        }
    }

    private func nextWorker() async throws -> HelperWorker {
        load.startedWaiting()
        defer { load.stoppedWaiting() }
        return try await workers.acquire()
    }

    /// Takes a worker back, and then starts the watch for idle workers.
    func release(_ worker: HelperWorker) async {
        worker.rest()
        await workers.release(worker)
        watchIdleWorkers()
    }

    /// Gives up a free worker in exchange for a worker in use; nil if none is free.
    func exchangeFreeWorker(for worker: HelperWorker) async -> HelperWorker? {
        guard let free = await workers.acquireIfFree() else { return nil }
        everyWorker.replace(free, by: worker)
        return free
    }

    /// Takes a free worker in exchange for a worker in use.
    func take(_ free: HelperWorker, for worker: HelperWorker) async {
        everyWorker.replace(worker, by: free)
        await workers.release(free)
        watchIdleWorkers()
    }

    /// Watches for idle helpers and ends them, because a decoder that was taken over might not end by itself.
    private func watchIdleWorkers() {
        guard idleWatch == nil else { return }
        idleWatch = Task { [weak self, everyWorker] in
            repeat {
                // The pool's deinit cancels this task, because the task must not keep decoders alive.
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            } while !everyWorker.retireIdleConnections(at: .now)
            await self?.idleWatchEnded()
        }
    }

    private func idleWatchEnded() {
        idleWatch = nil
        // A helper may have been started meanwhile.
        if !everyWorker.retireIdleConnections(at: .now) { watchIdleWorkers() }
    }

    private func start(_ worker: HelperWorker) async throws -> HelperIdentity {
        do {
            return try await worker.start()
        } catch {
            // A failed start counts as a crash, so that the next starts pause and do not keep a core busy.
            backoff.helperCrashed()
            guard let error = error as? HelperProcessError else { throw error }
            throw kind.failure(.unavailable(error))
        }
    }

    private func hold<Value: Sendable>(
        _ conversation: HelperConversation, on lease: WorkerLease,
        _ body: @Sendable (HelperConversation) async throws -> Value
    ) async throws -> Value {
        let worker = lease.worker
        var mayBeOfEarlier = true
        var hasCrashed = conversation.limits.urgency == .lastAttempt
        while true {
            try Task.checkCancellation()
            if backoff.pause > .zero, !worker.isConnected { try await Task.sleep(for: backoff.pause) }
            _ = try await start(worker)
            conversation.startAgain()
            do {
                let value = try await withTaskCancellationHandler {
                    try await body(conversation)
                } onCancel: {
                    if kind.endsOnCancellation { worker.discard() }
                }
                backoff.helperAnswered()
                return value
            } catch is HelperLie {
                worker.discard()
                noteFault(.lie, lease.load)
                throw kind.failure(.contradiction)
            } catch let error as HelperProcessError {
                try Task.checkCancellation()
                let isOfEarlier = mayBeOfEarlier && !conversation.hasAnswer
                switch error {
                case .ended(.exited(0)) where isOfEarlier, .unaskedAnswer where isOfEarlier:
                    // The helper ended when idle, just before this request, or the reply is about the previous file.
                    // In both cases, the current file has no fault.
                    mayBeOfEarlier = false
                case .gaveWay: throw DecodingPostponed()
                case .timedOut, .ended(.signalled(SIGXCPU)):
                    throw failureOfTimeOut(.timedOut(conversation.limits), lease.load)
                case .stopped: throw failureOfTimeOut(.stopped, lease.load)
                case .hostShortage, .tooManyPixels:
                    throw kind.failure(.unavailable(error))
                case .invalidAnswer, .unaskedAnswer:
                    noteFault(.lie, lease.load)
                    throw kind.failure(.invalidAnswer)
                case .ended, .cannotStart, .differentVersion, .lacksLayers, .refused:
                    noteFault(HelperFault(endingWith: error), lease.load)
                    // The second attempt must not delay files that wait for their first attempt.
                    if conversation.limits.urgency == .ordinary, lease.load.wantsRoom() {
                        throw DecodingPostponed(hasCrashed: true)
                    }
                    guard !hasCrashed else { throw kind.failure(.endedTwice) }
                    hasCrashed = true
                }
            } catch let error as AnalysisFailure {
                // A failure is a reply too, so the helper works.
                backoff.helperAnswered()
                throw error
            }
        }
    }

    private nonisolated func failureOfTimeOut(_ problem: HelperProblem, _ load: PoolLoad) -> AnalysisFailure {
        load.noteTrouble()
        report(.timedOut)
        return kind.failure(problem)
    }

    /// Records a fault, so that repeated faults delay later starts, and slow files make room for waiting files.
    private func noteFault(_ fault: HelperFault, _ load: PoolLoad) {
        report(fault)
        backoff.helperCrashed()
        load.noteTrouble()
    }
}

/// All workers that a pool has made, in use or idle.
private final class WorkerList: Sendable {
    private let workers = Mutex<[HelperWorker]>([])

    func makeWorker(_ launcher: any HelperLauncher) -> HelperWorker {
        let worker = HelperWorker(launcher: launcher)
        workers.withLock { $0.append(worker) }
        return worker
    }

    func replace(_ old: HelperWorker, by new: HelperWorker) {
        workers.withLock { workers in
            workers.removeAll { $0 === old }
            workers.append(new)
        }
    }

    /// Gives back idle connections, and returns whether no worker has a connection any more.
    func retireIdleConnections(at now: ContinuousClock.Instant) -> Bool {
        workers.withLock { $0 }.reduce(true) { $1.retireIdleConnection(at: now) && $0 }
    }
}
