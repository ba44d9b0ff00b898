// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import SensitiveContentAnalysis
internal import Synchronization

/// A live stream with its analysis, its gate and its intervention, so that an app writes only a view.
///
/// ```swift
/// let session = LiveSession(participantUUID: call.caller, streamDirection: .incoming, abilities: [.leaveStream])
/// Task { for await picture in session.pictures { view.display(picture) } }
/// Task {
///     for await flow in session.flows {
///         view.draw(flow)
///         call.isMuted = session.mutesSound
///     }
/// }
/// for await frame in call.frames { session.show(frame) }
/// session.end()
/// ```
///
/// The app passes each frame to ``show(_:)``, displays ``pictures``, and draws the panes of ``flows``. A frame is
/// displayed only after it was judged, or after the person has decided to see it. Under a disabled policy all frames
/// are displayed at once.
public final class LiveSession: Sendable {
    /// The pictures to display, each at its time.
    ///
    /// Iterate over it once; a slow view gets the newest picture only.
    public let pictures: AsyncStream<Picture>

    /// A picture to display.
    ///
    /// ```swift
    /// for await picture in session.pictures {
    ///     switch picture {
    ///     case .frame(let frame): view.display(frame)
    ///     case .cover(let samples, let width, let height):
    ///         if let cover = try? samples?.picture(width: width, height: height) {
    ///             view.show(cover)
    ///         } else {
    ///             view.displayCover(width: width, height: height)
    ///         }
    ///     }
    /// }
    /// ```
    public enum Picture: Sendable {
        /// A frame that may be seen.
        case frame(CVPixelBuffer)
        /// A cover in the place of a frame of this size, in pixels. The samples are nil if they could not be made; the
        /// app then shows a plain cover.
        case cover(CoverSamples?, width: Int, height: Int)
    }

    private let continuation: AsyncStream<Picture>.Continuation
    private let source: LiveSessionSource
    private let delay: Duration
    private let state: Mutex<State>
    private let displaying = Mutex(())

    private struct State {
        var flow: InterventionFlow
        var analyzer: SCVideoStreamAnalyzer?
        /// The latest output, which is displayed again after a decision of the person.
        var latest: Latest?
        var listeners = Listeners<AsyncStream<InterventionFlow>.Continuation>()
        var tasks: [Task<Void, Never>] = []
        var policyTask: Task<Void, Never>?
        var hasEnded = false
    }

    /// An output, and the policy under which it was decided.
    private struct Latest {
        var picture: SCVideoStreamAnalyzer.Gate.Picture
        let policy: SCSensitivityAnalysisPolicy

        /// Returns the output as it may be displayed under a policy: nothing is judged under another one.
        func picture(under policy: SCSensitivityAnalysisPolicy) -> SCVideoStreamAnalyzer.Gate.Picture {
            guard policy != self.policy else { return picture }
            return switch picture {
            case .frame(let frame): .cover(SCVideoStreamAnalyzer.Gate.CoveredFrame(frame), .unjudged)
            case .cover(let frame, _): .cover(frame, .unjudged)
            }
        }
    }

    /// Creates the session of a stream.
    ///
    /// - Parameters:
    ///   - participantUUID: a token of the person; the same for all streams of the person in a call.
    ///   - streamDirection: the direction of the stream.
    ///   - abilities: the abilities of the app, on which some actions depend.
    ///   - delay: the time from a frame to its display; below 0 and above 2 seconds, the nearest of these counts.
    ///   - configuration: the configuration of the analysis.
    public convenience init(
        participantUUID: String, streamDirection: SCVideoStreamAnalyzer.StreamDirection,
        abilities: Set<InterventionAbility> = [], delay: Duration = .milliseconds(250),
        configuration: SCSensitivityAnalyzer.Configuration = SCSensitivityAnalyzer.defaultConfiguration
    ) {
        let analyzer = SCSensitivityAnalyzer(configuration: configuration)
        self.init(
            LiveSessionSource(
                policy: { analyzer.analysisPolicy },
                policyChanges: {
                    AsyncStream { continuation in
                        let task = Task {
                            for await policy in analyzer.analysisPolicyChanges { continuation.yield(policy) }
                            continuation.finish()
                        }
                        continuation.onTermination = { _ in task.cancel() }
                    }
                },
                makeAnalyzer: {
                    try SCVideoStreamAnalyzer(
                        participantUUID: participantUUID, streamDirection: streamDirection,
                        configuration: configuration)
                }), abilities: abilities, delay: delay)
    }

    package init(_ source: LiveSessionSource, abilities: Set<InterventionAbility>, delay: Duration) {
        self.source = source
        self.delay = min(max(delay, .zero), .seconds(2))
        (pictures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let flow = InterventionFlow(policy: source.policy(), direction: .live, abilities: abilities)
        state = Mutex(State(flow: flow))
        let changes = source.policyChanges()
        begin()
        let task = Task { [weak self] in
            for await policy in changes { self?.obey(policy) }
        }
        state.withLock { $0.policyTask = task }
    }

    deinit {
        let state = state.withLock { $0 }
        Self.stop(state)
        continuation.finish()
    }

    /// Takes the next frame of the stream, and returns at once.
    ///
    /// - Parameter frame: the frame. Its memory must not change until it is no longer displayed.
    public func show(_ frame: CVPixelBuffer) {
        let (analyzer, isOpen) = state.withLock { state in
            (state.analyzer, !state.hasEnded && state.flow.policy == .disabled)
        }
        if let analyzer {
            analyzer.analyze(frame)
        } else if isOpen {
            display(.frame(frame), .disabled)
        } else {
            display(.cover(SCVideoStreamAnalyzer.Gate.CoveredFrame(frame), .unjudged), flow.policy)
        }
    }

    /// The state of the intervention.
    public var flow: InterventionFlow { state.withLock { $0.flow } }

    /// The certainty about the newest frames, with the reason where nothing is known; nil if there is no analysis.
    ///
    /// A view may tell the person why a stream is covered, for example that the machine has too much to do.
    public var analysisState: SCVideoStreamAnalyzer.State? { state.withLock { $0.analyzer }?.state }

    /// Whether the sound of the stream has to be silent: as long as the flow does not show the stream uncovered.
    ///
    /// It is true before the first judgement as well.
    public var mutesSound: Bool { !flow.presentation.isUncovered }

    /// The flow now, and then each new flow; a slow listener gets the newest flow only.
    public var flows: AsyncStream<InterventionFlow> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
            let (number, flow) = state.withLock { state in
                (state.hasEnded ? nil : state.listeners.add(listener), state.flow)
            }
            listener.yield(flow)
            guard let number else {
                listener.finish()
                return
            }
            listener.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.listeners.remove(number) } }
        }
    }

    /// Handles a choice of the person.
    ///
    /// - Parameters:
    ///   - action: one of the actions that the flow offers.
    ///   - flow: the flow that the person has seen. If it has changed since, a choice to see the stream is ignored.
    /// - Returns: the request to the app, or nil.
    public func choose(_ action: InterventionAction, in flow: InterventionFlow) -> InterventionRequest? {
        let request = update { state in
            let request = state.flow.choose(action, in: flow)
            if state.flow.needsCheck { _ = state.flow.handle(.checkBegan) }
            return request
        }
        if action == .tryAgain { tryAgain() }
        return request
    }

    /// Begins the analysis if there is none; otherwise looks whether it still fails after its next attempts.
    private func tryAgain() {
        guard let analyzer = state.withLock({ $0.hasEnded ? nil : $0.analyzer }) else {
            if !state.withLock({ $0.hasEnded }) { begin() }
            return
        }
        Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            self?.note(analyzer.state)
        }
    }

    /// The time for a few attempts of an analysis that failed.
    private static let patience = Duration.seconds(1)

    /// Handles the closing of the pane, which stands for ``InterventionPresentation/closingAction``.
    public func close() { _ = update { $0.flow.handle(.closed) } }

    /// Ends the session; nothing is displayed afterwards.
    public func end() {
        let ended = state.withLock { state in
            defer {
                state.hasEnded = true
                (state.analyzer, state.tasks, state.policyTask) = (nil, [], nil)
            }
            return state
        }
        Self.stop(ended)
        continuation.finish()
    }

    private static func stop(_ state: State) {
        for task in state.tasks { task.cancel() }
        state.policyTask?.cancel()
        state.analyzer?.endAnalysis()
        for listener in state.listeners.all { listener.finish() }
    }

    /// Begins the analysis, unless the policy is disabled.
    private func begin() {
        guard flow.policy != .disabled else { return }
        _ = update { state in state.flow.handle(.checkBegan) }
        do {
            let analyzer = try source.makeAnalyzer()
            let outputs = try analyzer.gate(delay: delay).outputs
            let states = analyzer.states
            let tasks = [
                Task { [weak self] in for await output in outputs { self?.display(output.picture, output.policy) } },
                Task { [weak self] in for await state in states { self?.note(state) } },
            ]
            // The policy may have changed, and the person may have tried again, at the same time.
            let isWanted = state.withLock { state in
                guard !state.hasEnded, state.analyzer == nil else { return false }
                (state.analyzer, state.tasks) = (analyzer, tasks)
                return true
            }
            guard !isWanted else { return }
            for task in tasks { task.cancel() }
            analyzer.endAnalysis()
        } catch {
            // Nothing can analyse, so nothing is known about the stream.
            _ = update { [policy = flow.policy] in $0.flow.handle(.checkEnded(.unknown, policy: policy)) }
        }
    }

    private func obey(_ policy: SCSensitivityAnalysisPolicy) {
        guard policy != flow.policy else { return }
        _ = update { state in
            // A picture of an earlier policy stays covered, also if that policy returns.
            state.latest = state.latest.map { Latest(picture: $0.picture(under: policy), policy: policy) }
            let request = state.flow.handle(.policyChanged(policy))
            if state.flow.needsCheck { _ = state.flow.handle(.checkBegan) }
            return request
        }
        let old = state.withLock { state in
            defer { if policy == .disabled { (state.analyzer, state.tasks) = (nil, []) } }
            return state
        }
        if policy == .disabled {
            for task in old.tasks { task.cancel() }
            old.analyzer?.endAnalysis()
        } else if old.analyzer == nil, !old.hasEnded {
            begin()
        } else if let analyzer = old.analyzer {
            // The analyzer may have heard of the policy first, and have judged under it.
            note(analyzer.state)
        }
    }

    private func note(_ known: SCVideoStreamAnalyzer.State) {
        _ = update { state in
            switch known.kind {
            case .judged:
                // A judgement under another policy says nothing.
                known.policy == state.flow.policy
                    ? state.flow.handle(.checkEnded(.notSensitive, policy: state.flow.policy)) : nil
            case .covered(let analysis):
                // One suspected frame is no question to the person yet; the gate covers it.
                state.analyzer?.analysis == nil ? nil : state.flow.handle(.checkEnded(analysis))
            case .unknown(.analysisFailed): state.flow.handle(.checkEnded(.unknown, policy: state.flow.policy))
            // A moment without a judgement is covered by the gate.
            case .unknown: nil
            }
        }
    }

    private func update(_ change: (inout State) -> InterventionRequest?) -> InterventionRequest? {
        let (request, analyzer, hasChanged) = state.withLock { state in
            let before = state.flow
            let request = change(&state)
            let hasChanged = state.flow != before
            if hasChanged { for listener in state.listeners.all { listener.yield(state.flow) } }
            let isDecided = !before.presentation.isUncovered && Stage.decided.contains(state.flow.stage)
            return (request, isDecided ? state.analyzer : nil, hasChanged)
        }
        if let analyzer, let found = analyzer.analysis, MediaVerdict(found).isShown(by: flow.verdict) {
            analyzer.continueStreamAcceptingContent()
        }
        if hasChanged { displayLatest() }
        return request
    }

    /// Displays an output of the gate, as far as the person's decisions allow.
    ///
    /// - Parameter policy: the policy under which the output was decided.
    private func display(_ picture: SCVideoStreamAnalyzer.Gate.Picture, _ policy: SCSensitivityAnalysisPolicy) {
        // Pictures of two callers must not overtake each other, or a frame could follow the cover that replaces it.
        displaying.withLock { _ in
            let latest = Latest(picture: picture, policy: policy)
            let flow = state.withLock { state in
                state.latest = latest
                return state.flow
            }
            display(latest.picture(under: flow.policy), in: flow)
        }
    }

    /// Displays the latest output again, after the flow has changed.
    private func displayLatest() {
        displaying.withLock { _ in
            let (latest, flow) = state.withLock { ($0.latest, $0.flow) }
            if let latest { display(latest.picture(under: flow.policy), in: flow) }
        }
    }

    private func display(_ picture: SCVideoStreamAnalyzer.Gate.Picture, in flow: InterventionFlow) {
        let cover = flow.presentation.cover
        switch picture {
        case .frame(let frame) where cover == .none: continuation.yield(.frame(frame))
        case .frame(let frame): display(SCVideoStreamAnalyzer.Gate.CoveredFrame(frame), cover)
        case .cover(let frame, .unjudged) where cover == .none && flow.verdict == .unknown:
            // The person has decided to see a stream about which nothing is known.
            continuation.yield(.frame(frame.frame))
        case .cover(let frame, .analysisDisabled) where cover == .none: continuation.yield(.frame(frame.frame))
        case .cover(let frame, let reason):
            let isRevealed = reason == .sensitive && cover != .none && cover != .full
            display(frame, isRevealed ? cover : .full)
        }
    }

    private func display(_ frame: SCVideoStreamAnalyzer.Gate.CoveredFrame, _ cover: InterventionPresentation.Cover) {
        let samples = (try? cover.detail).flatMap { try? frame.samples($0) }.map { CoverSamples($0) }
        continuation.yield(.cover(samples, width: frame.width, height: frame.height))
    }
}

extension MediaVerdict {
    /// Whether a person who has decided about a verdict knows all of this finding.
    fileprivate func isShown(by decided: MediaVerdict?) -> Bool {
        if case .sensitive(let types) = self, case .sensitive(let known)? = decided {
            types.isSubset(of: known)
        } else {
            false
        }
    }
}

/// The policy and the analyzers of a session, or a script in tests.
package struct LiveSessionSource: Sendable {
    var policy: @Sendable () -> SCSensitivityAnalysisPolicy
    var policyChanges: @Sendable () -> AsyncStream<SCSensitivityAnalysisPolicy>
    var makeAnalyzer: @Sendable () throws -> SCVideoStreamAnalyzer

    package init(
        policy: @escaping @Sendable () -> SCSensitivityAnalysisPolicy,
        policyChanges: @escaping @Sendable () -> AsyncStream<SCSensitivityAnalysisPolicy>,
        makeAnalyzer: @escaping @Sendable () throws -> SCVideoStreamAnalyzer
    ) {
        self.policy = policy
        self.policyChanges = policyChanges
        self.makeAnalyzer = makeAnalyzer
    }
}
