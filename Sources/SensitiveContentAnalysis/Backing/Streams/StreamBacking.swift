// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import LiveStreams
internal import Synchronization

/// The functions of an ``SCVideoStreamAnalyzer``: its streams in the service of the process, and its listeners.
final class StreamBacking: Sendable {
    /// The service of this process, with an analysis at a time for each core.
    static let sharedService = StreamService<CVPixelBuffer>(laneCount: EngineConfiguration().concurrency)

    typealias Handler = @MainActor @Sendable (SCSensitivityAnalysis?, (any Error)?) -> Void

    private let participant: String
    private let direction: SCVideoStreamAnalyzer.StreamDirection
    let source: StreamSource
    private let service: StreamService<CVPixelBuffer>
    private let state: Mutex<State>

    private struct State {
        /// The number of the stream in the service; nil before the first frame and after the end.
        var stream: Int?
        var log = AnalysisLog()
        var follower: Task<Void, Never>?
        var handler: Handler?
        var gate: GateOutput?
        var gateDelay: Duration?
        var session: (any StreamSession)?
        var isClosed = false
    }

    private let states = Broadcast<SCVideoStreamAnalyzer.State>()
    /// Held while a state is sent, so that a state of an ended analysis does not follow the end.
    private let sending = Mutex(())

    init(
        _ participant: String, _ direction: SCVideoStreamAnalyzer.StreamDirection, _ source: StreamSource,
        service: StreamService<CVPixelBuffer> = StreamBacking.sharedService
    ) throws {
        self.participant = participant
        self.direction = direction
        self.source = source
        self.service = service
        state = Mutex(State())
        try source.check()
        Task { [prepare = source.prepare] in await prepare() }
    }

    /// Ends the analysis for good.
    func close() {
        state.withLock { $0.isClosed = true }
        end()
    }

    var log: AnalysisLog { state.withLock { $0.log } }

    var handler: Handler? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    var analysis: SCSensitivityAnalysis? {
        guard let stream = state.withLock({ $0.stream }), let finding = service.activeFinding(of: stream) else {
            return nil
        }
        return analysis(finding)
    }

    func analyze(_ buffer: CVPixelBuffer) {
        guard let (stream, isGated) = stream() else { return }
        service.arrive(LivePicture(buffer.pixels, isGated: isGated, source: buffer), in: stream)
    }

    /// Analyses a frame of a session.
    ///
    /// - Returns: whether the frame is in a gate; nil if the session is no longer the analyzer's.
    func analyze(_ buffer: CVPixelBuffer, of session: any StreamSession) -> Bool? {
        guard let (stream, isGated) = stream(of: session) else { return nil }
        service.arrive(LivePicture(buffer.pixels, isGated: isGated, source: buffer), in: stream)
        return isGated
    }

    /// Makes the stream unknown, because its session has failed.
    func fail(_ failure: AnalysisFailure, of session: any StreamSession) {
        guard let (stream, _) = stream(of: session) else { return }
        service.sourceFailed(failure, in: stream)
    }

    /// Makes a session the analyzer's, and ends the analysis of the session before it.
    func replaceSession(by session: any StreamSession) {
        if state.withLock({ $0.session != nil }) { end() }
        state.withLock { $0.session = session }
    }

    var gateDelay: Duration? { state.withLock { $0.gateDelay } }

    func continueStream(accepts: Bool) {
        guard let stream = state.withLock({ $0.stream }) else { return }
        service.continueStream(stream, accepts: accepts)
    }

    func end() {
        let (stream, follower, log, gate, session) = state.withLock { state in
            defer {
                state.session = nil
                state.stream = nil
                state.follower = nil
                state.log = AnalysisLog()
                state.gate = nil
                state.gateDelay = nil
            }
            return (state.stream, state.follower, state.log, state.gate, state.session)
        }
        session?.end()
        if let stream { service.remove(stream) }
        follower?.cancel()
        log.finish(.success(()))
        gate?.finish()
        sending.withLock { _ in states.send(Self.stateWithoutFrames) }
    }

    /// Sends frames of the stream through a gate from now on.
    func openGate(delay: Duration) -> GateOutput {
        let output = GateOutput()
        let (stream, former) = state.withLock { state in
            defer {
                state.gate = output
                state.gateDelay = delay
            }
            return (state.stream, state.gate)
        }
        former?.finish()
        if let stream { service.openGate(of: stream, delay: delay) }
        return output
    }

    /// Returns the state now, and then each new state.
    func stateChanges() -> AsyncStream<SCVideoStreamAnalyzer.State> {
        let later = states.values()
        let now = currentState
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield(now)
            let task = Task {
                for await state in later { continuation.yield(state) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    var currentState: SCVideoStreamAnalyzer.State {
        let known = state.withLock { $0.stream }.flatMap { service.status(of: $0) }
        return known.map(publicState) ?? Self.stateWithoutFrames
    }

    private static let stateWithoutFrames = SCVideoStreamAnalyzer.State(
        kind: .unknown(.notYetJudged), timeSinceJudgedFrame: nil, policy: nil)

    /// Returns the number of the stream in the service, which begins with the first frame, and whether it has a gate.
    ///
    /// - Parameter session: the session whose frame has come; the stream of another session does not begin again.
    private func stream(of session: (any StreamSession)? = nil) -> (Int, isGated: Bool)? {
        state.withLock { state in
            if let session, state.session !== session { return nil }
            if let stream = state.stream { return (stream, state.gate != nil) }
            guard !state.isClosed, let stream = begin(&state) else { return nil }
            return (stream, state.gate != nil)
        }
    }

    private func begin(_ state: inout State) -> Int? {
        let log = state.log
        let outlet = StreamService<CVPixelBuffer>.Outlet(judge: source.judge, lookAgain: source.lookAgain) {
            [weak self] in self?.receive($0, log)
        }
        let timing = StreamTiming(
            secondLookInterval: source.lookAgain == nil ? nil : StreamTiming.ordinarySecondLookInterval)
        let stream = service.add(
            participant: participant, isDecodedHere: state.session != nil,
            StreamService<CVPixelBuffer>.State(
                terms: source.terms(), gateDelay: state.gateDelay, timing: timing), outlet)
        guard let stream else {
            let failure = AnalysisFailure(
                .internalFailure, "The system has no thread left for the analysis of streams.")
            log.finish(.failure(source.explain(failure)))
            return nil
        }
        state.stream = stream
        state.follower = Task { [source, service] in
            for await _ in source.changes() { service.change(source.terms(), of: stream) }
        }
        return stream
    }

    private func receive(_ output: StreamService<CVPixelBuffer>.Output, _ log: AnalysisLog) {
        // A message about an analysis that has ended must not reach the listeners of the next one.
        let (isCurrent, gate, session) = state.withLock { ($0.log === log, $0.gate, $0.session) }
        guard isCurrent else { return }
        switch output {
        case .event(.finding(let finding), _):
            let analysis = analysis(finding)
            log.append(analysis)
            call(analysis, nil)
        case .event(.failure(let code), let failure):
            let error = source.explain(failure ?? AnalysisFailure(code, "A frame could not be analysed."))
            log.finish(.failure(error))
            call(nil, error)
        case .status(let known):
            sending.withLock { _ in
                if state.withLock({ $0.log === log }) { states.send(publicState(known)) }
            }
        case .release(let release, let droppedCount, let policy):
            gate?.send(release, droppedCount: droppedCount, SCSensitivityAnalysisPolicy(policy))
            session?.output.display(release)
        }
    }

    private func call(_ analysis: SCSensitivityAnalysis?, _ error: (any Error)?) {
        guard let handler else { return }
        Task { @MainActor in handler(analysis, error) }
    }

    private func analysis(_ finding: StreamFinding) -> SCSensitivityAnalysis {
        SCSensitivityAnalysis(AnalysisBacking(finding, isIncoming: direction == .incoming))
    }

    private func publicState(_ known: StreamService<CVPixelBuffer>.KnownStatus) -> SCVideoStreamAnalyzer.State {
        let kind: SCVideoStreamAnalyzer.State.Kind =
            switch known.status {
            case .judged: .judged
            case .unknown(.notYetJudged): .unknown(.notYetJudged)
            case .unknown(.late): .unknown(.late)
            case .unknown(.disabled): .unknown(.analysisDisabled)
            case .unknown(.failed(let code)): .unknown(.analysisFailed(SensitivityAnalysisError.Code(code)))
            case .covered(let finding): .covered(analysis(finding))
            }
        return SCVideoStreamAnalyzer.State(
            kind: kind, timeSinceJudgedFrame: known.age, policy: SCSensitivityAnalysisPolicy(known.policy))
    }
}
