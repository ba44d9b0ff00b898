// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The analysis of all live streams of the process: one thread that follows the clock, and one task for each analysis.
///
/// The calls of apps change the state behind a lock, and wait for nothing else. Frames are compared before the lock is
/// taken, because a comparison takes up to about 10 ms for frames that are made for it. The thread ends with the last
/// stream.
package final class StreamService<Source: Sendable>: Sendable {
    package typealias Instant = ContinuousClock.Instant
    package typealias State = StreamState<Instant, LivePicture<Source>>
    package typealias Release = StreamRelease<Instant, LivePicture<Source>>

    /// Judges a frame under the terms of the stream.
    package typealias Judge = @Sendable (LiveContent, StreamTerms) async throws -> StreamFinding

    /// The receiver of all that happens to a stream; it is called on one thread, in order, and must not block.
    package struct Outlet: Sendable {
        package var judge: Judge
        /// Searches a judged frame for pictures inside it; the state of the stream has the interval.
        package var lookAgain: Judge
        package var receive: @Sendable (Output) -> Void

        package init(
            judge: @escaping Judge, lookAgain: Judge? = nil, receive: @escaping @Sendable (Output) -> Void
        ) {
            self.judge = judge
            self.lookAgain = lookAgain ?? judge
            self.receive = receive
        }
    }

    /// A message about a stream.
    package enum Output: Sendable {
        case event(StreamEvent, AnalysisFailure?)
        case status(KnownStatus)
        /// A frame or a cover, and the policy under which the gate has decided.
        case release(Release, droppedCount: Int, AnalysisPolicy)
    }

    /// The status of a stream, and the facts that it depends on.
    package struct KnownStatus: Sendable {
        package let status: StreamStatus
        /// The time since the arrival of the newest judged frame; nil if no frame is judged.
        package let age: Duration?
        /// The policy in force in the stream.
        package let policy: AnalysisPolicy

        init(_ state: State, at now: Instant) {
            status = state.status(at: now)
            age = state.age(at: now)
            policy = state.terms.policy
        }
    }

    private struct World: Sendable {
        var scheduler: StreamScheduler<Instant, LivePicture<Source>>
        var receivers: [Int: Receiver] = [:]
        var isRunning = false
    }

    private struct Receiver: Sendable {
        let outlet: Outlet
        /// The last failure of the stream, whose message an error needs.
        var failure: AnalysisFailure?
    }

    private let world: ConditionLock<World>
    private let clock: @Sendable () -> Instant

    /// - Parameter clock: returns the time; tests have a clock that they move by hand.
    package init(laneCount: Int, clock: @escaping @Sendable () -> Instant = { .now }) {
        self.clock = clock
        world = ConditionLock(World(scheduler: StreamScheduler(laneCount: laneCount)))
    }

    /// Adds a stream of a participant.
    ///
    /// - Parameter isDecodedHere: whether the package decodes or captures the stream.
    /// - Returns: the number of the stream; nil if the system has no thread left.
    package func add(participant: String, isDecodedHere: Bool = false, _ state: State, _ outlet: Outlet) -> Int? {
        let (number, starts) = world.withLock { world in
            let number = world.scheduler.add(participant: participant, isDecodedHere: isDecodedHere, state)
            world.receivers[number] = Receiver(outlet: outlet)
            defer { world.isRunning = true }
            return (number, !world.isRunning)
        }
        guard starts, !BackgroundThread.start(blocksSignals: true, { self.run() }) else { return number }
        world.withLock { $0.isRunning = false }
        remove(number)
        return nil
    }

    package func remove(_ stream: Int) {
        world.withLock { world in
            world.scheduler.remove(stream)
            world.receivers[stream] = nil
        }
    }

    /// Takes the next frame of a stream.
    package func arrive(_ picture: LivePicture<Source>, in stream: Int) {
        // A sketch remembers the comparisons that it is about to need. Without one, they are fast, and are not remembered.
        if picture.sketch != nil { _ = world.read({ $0.scheduler.state(of: stream) })?.leastChange(of: picture) }
        world.withLock { $0.scheduler.arrive(picture, in: stream, at: clock()) }
    }

    /// Takes the failure of the source of a stream, after which no frames come.
    package func sourceFailed(_ failure: AnalysisFailure, in stream: Int) {
        world.withLock { world in
            world.receivers[stream]?.failure = failure
            world.scheduler.sourceFailed(stream, failure.code)
        }
    }

    package func change(_ terms: StreamTerms, of stream: Int) {
        world.withLock { $0.scheduler.change(terms, of: stream, at: clock()) }
    }

    package func continueStream(_ stream: Int, accepts: Bool) {
        world.withLock { $0.scheduler.continueStream(stream, accepts: accepts, at: clock()) }
    }

    /// Resumes all streams of a participant that wait for the person.
    package func continueStreams(ofParticipant participant: String) {
        world.withLock { $0.scheduler.continueStreams(ofParticipant: participant, at: clock()) }
    }

    /// Makes the stream hold its frames in a gate.
    package func openGate(of stream: Int, delay: Duration) {
        world.withLock { $0.scheduler.openGate(of: stream, delay: delay) }
    }

    package func status(of stream: Int) -> KnownStatus? {
        world.read { world in world.scheduler.state(of: stream).map { KnownStatus($0, at: clock()) } }
    }

    /// Returns the finding for which a stream waits; nil if it does not wait.
    package func activeFinding(of stream: Int) -> StreamFinding? {
        world.read { $0.scheduler.state(of: stream)?.activeFinding?.finding }
    }

    /// Whether the newest frame of a stream is judged, or the stream waits; true for a stream that was removed.
    package func isSettled(_ stream: Int) -> Bool {
        world.read { $0.scheduler.state(of: stream)?.isSettled ?? true }
    }

    /// The number of streams, for tests.
    package var streamCount: Int { world.read { $0.scheduler.streamCount } }

    // MARK: The thread

    private struct Work: Sendable {
        var analyses: [(StreamScheduler<Instant, LivePicture<Source>>.Analysis, Outlet)] = []
        var outputs: [(Outlet, Output)] = []
        /// The states from which frames are about to leave, whose comparisons come first.
        var releasing: [State] = []
        var isOver = false
        /// The time of the next work, if it is another one than before.
        var next: Instant?
    }

    private func run() {
        var waitsFor: Instant?
        var hasCompared = false
        while true {
            let limit = waitsFor.map { max(.zero, clock().duration(to: $0)) }
            let work = world.wait(within: limit) { world in
                Self.work(&world, waitsFor, hasCompared: hasCompared, at: clock())
            }
            hasCompared = work?.releasing.isEmpty == false
            guard let work else {
                waitsFor = nil
                continue
            }
            if work.isOver { return }
            if hasCompared {
                let now = clock()
                for var copy in work.releasing { _ = copy.release(at: now) }
                continue
            }
            waitsFor = work.next
            for (outlet, output) in work.outputs { outlet.receive(output) }
            for (analysis, outlet) in work.analyses { begin(analysis, outlet) }
        }
    }

    /// Returns the work that is due; nil if there is none before the time for which the thread waits.
    ///
    /// - Parameter hasCompared: whether the frames that are about to leave were compared, outside the lock.
    private static func work(
        _ world: inout World, _ waitsFor: Instant?, hasCompared: Bool, at now: Instant
    ) -> Work? {
        var work = Work()
        if world.receivers.isEmpty {
            world.isRunning = false
            work.isOver = true
            return work
        }
        let due = world.scheduler.dueStreams(at: now)
        guard due.isEmpty || hasCompared else {
            work.releasing = due.compactMap { world.scheduler.state(of: $0) }
            return work
        }
        world.scheduler.advance(to: now)
        while let analysis = world.scheduler.beginNext(at: now) {
            if let outlet = world.receivers[analysis.stream]?.outlet { work.analyses.append((analysis, outlet)) }
        }
        for stream in due {
            let (release, droppedCount) = world.scheduler.release(from: stream, at: now)
            guard let release, let outlet = world.receivers[stream]?.outlet,
                let policy = world.scheduler.state(of: stream)?.terms.policy
            else { continue }
            work.outputs.append((outlet, .release(release, droppedCount: droppedCount, policy)))
        }
        for news in world.scheduler.takeNews(at: now) {
            guard let receiver = world.receivers[news.stream] else { continue }
            for event in news.events {
                work.outputs.append((receiver.outlet, .event(event, receiver.failure)))
            }
            guard news.status != nil, let state = world.scheduler.state(of: news.stream) else { continue }
            work.outputs.append((receiver.outlet, .status(KnownStatus(state, at: now))))
        }
        work.next = world.scheduler.nextChange(after: now)
        guard work.analyses.isEmpty, work.outputs.isEmpty, work.next == waitsFor else { return work }
        return nil
    }

    private func begin(_ analysis: StreamScheduler<Instant, LivePicture<Source>>.Analysis, _ outlet: Outlet) {
        // The tasks of an app must not delay a frame that others wait for.
        Task(priority: .high) { [world, clock] in
            do {
                guard let content = analysis.frame.picture.content else {
                    throw AnalysisFailure(.internalFailure, "A frame has no pixels. Please report it.")
                }
                let judge = analysis.isSecondLook ? outlet.lookAgain : outlet.judge
                let finding = try await judge(content, analysis.terms)
                world.withLock { $0.scheduler.judged(analysis, finding, at: clock()) }
            } catch is StreamTermsSuperseded {
                world.withLock { $0.scheduler.superseded(analysis, at: clock()) }
            } catch {
                let failure =
                    error as? AnalysisFailure
                    ?? AnalysisFailure(
                        .internalFailure, "The analysis failed in a way that should not occur. Please report it.",
                        cause: error)
                world.withLock { world in
                    world.receivers[analysis.stream]?.failure = failure
                    world.scheduler.failed(analysis, failure.code, at: clock())
                }
            }
        }
    }
}
