// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The state of one live stream: which frames to analyse, what was found, and which frames may be shown.
///
/// The state has no clock of its own: each input states the time. Inputs are frames, the results of analyses, changes
/// of the policy and decisions of the person. Outputs are the wanted analysis, events, the status and the frames that
/// leave the gate.
package struct StreamState<Instant: InstantProtocol, Picture: StreamPicture>: Sendable
where Instant: Sendable, Instant.Duration == Duration {
    package typealias Frame = StreamFrame<Instant, Picture>
    package typealias Judgement = StreamJudgement<Instant, Picture>

    package let timing: StreamTiming
    /// The time for which the gate holds a frame; nil for a stream without a gate.
    package internal(set) var gateDelay: Duration?
    package internal(set) var terms: StreamTerms
    /// The finding for which the stream waits for the person; nil while it is analysed.
    package internal(set) var activeFinding: ActiveFinding?

    /// The latest frame, whether analysed or not.
    var newest: Frame?
    /// The frame to analyse next: the latest frame that no analysis has begun with.
    var pending: Frame?
    /// The deadline of a change that no analysis has begun with.
    var changeDue: Instant?
    /// Whether the change shows something else, such as another scene.
    var isLargeChange = false
    /// Whether something begins with a pending frame or a frame that it replaced, unlike motion that has gone far.
    var hasCut = false
    var running: [RunningAnalysis] = []
    var analysisCount = 0
    /// The judgements under the terms in force, by the numbers of their frames.
    var judgements: [Judgement] = []
    /// The arrival of the first frame after the newest judged frame; nil if the newest frame is judged.
    var unjudgedSince: Instant?
    /// The end of the time for which a stream that was late stays late.
    var lateUntil: Instant?
    var lastBegin: Instant?
    var failure: Failure?
    var retryTime: Instant?
    var acceptance: Acceptance?
    /// The finding until whose end frames stay covered, although the person has decided.
    var holdEnd: Instant?
    /// The last finding that was reported; nil before the first, and when an earlier report no longer holds.
    var reported: StreamFinding?
    var events: [StreamEvent] = []
    /// The frames in the gate, oldest first.
    var held: [Frame] = []
    /// The numbers of frames whose analysis failed; such a frame never leaves because others look the same.
    var failedFrames: Set<Int> = []

    /// The number of the first frame of the shot.
    var shotStart = 0
    var secondLooks = SecondLooks()

    /// The number of frames that the gate left out since the last release, because more came than it can hold.
    var leftOutCount = 0

    /// The largest number of frames in the gate: two seconds with 120 frames each.
    static var mostHeld: Int { 240 }

    /// The most memory of the frames in the gate, in bytes: a second of 40 frames of 3840 × 2160.
    static var mostHeldBytes: Int { 512 << 20 }

    /// A finding that stops the analysis until the person decides.
    package struct ActiveFinding: Sendable, Hashable {
        package let finding: StreamFinding
        package let since: Instant
        /// The number of the stream in which the content was found; a participant has several streams.
        package let origin: Int
    }

    /// An analysis that has begun.
    struct RunningAnalysis: Sendable {
        /// The number of the analysis; a frame may be analysed again, under other terms.
        let number: Int
        let frame: Frame
        let terms: StreamTerms
        var isSecondLook = false
    }

    /// The failure of an analysis, which counts until its frame or a later frame is judged.
    struct Failure: Sendable {
        let code: AnalysisFailure.Code
        let frameNumber: Int
    }

    /// The decision of the person to see content of some types.
    struct Acceptance: Sendable {
        var types: Set<ContentType>
        /// The time of the latest frame with this content.
        var lastFound: Instant
    }

    package init(terms: StreamTerms, gateDelay: Duration? = nil, timing: StreamTiming = StreamTiming()) {
        self.terms = terms
        self.gateDelay = gateDelay
        self.timing = timing
    }

    // MARK: Inputs

    /// Takes the next frame of the stream.
    package mutating func arrive(_ frame: Frame) {
        let previous = newest
        newest = frame
        if timing.secondLookInterval != nil, previous.map({ frame.picture.isCut(from: $0.picture) }) ?? true {
            beginShot(with: frame)
        }
        hold(frame)
        guard isAnalysing else { return }
        unjudgedSince = unjudgedSince ?? frame.arrival
        pending = frame
        noteChange(of: frame, after: previous)
    }

    /// Takes the result of an analysis that has begun; results under superseded terms are dropped.
    ///
    /// - Parameter analysisNumber: the number that ``beginAnalysis(at:)`` returned.
    package mutating func judged(_ analysisNumber: Int, _ finding: StreamFinding, at now: Instant, origin: Int = 0) {
        guard let analysis = endAnalysis(analysisNumber), analysis.terms == terms, terms.policy != .disabled else {
            return
        }
        let number = analysis.frame.number
        var finding = finding
        if analysis.isSecondLook {
            guard noteSecondLook(finding, of: analysis.frame) else { return }
        } else {
            wantSecondLook(at: analysis.frame, now)
            finding = joinedWithSecondLook(finding, of: analysis.frame)
        }
        let frame = Frame(
            number: number, arrival: analysis.frame.arrival, picture: analysis.frame.picture.withoutPixels)
        let judgement = Judgement(frame: frame, finding: finding, end: now)
        let wasOverdue = status(at: now) == .unknown(.late) && isOverdue(at: now)
        judgements.removeAll { $0.frame.number == number }
        let index = judgements.firstIndex { $0.frame.number > number } ?? judgements.endIndex
        judgements.insert(judgement, at: index)
        // While the stream waits for the person, a result still tells the gate what its frame shows.
        guard isAnalysing else { return }
        if failure.map({ $0.frameNumber <= number }) ?? true {
            failure = nil
            retryTime = nil
        }
        if index == judgements.count - 1 {
            noteNewestJudged(frame)
            if wasOverdue { lateUntil = now.advanced(by: timing.recovery) }
        }
        noteAcceptance(judgement)
        decide(at: index, now, origin)
        dropOldJudgements()
        if let pending { noteChange(of: pending, after: nil) }
    }

    /// Takes the failure of an analysis that has begun; the next attempt follows soon.
    package mutating func failed(_ analysisNumber: Int, _ code: AnalysisFailure.Code, at now: Instant) {
        guard let analysis = endAnalysis(analysisNumber), analysis.terms == terms else { return }
        failedFrames.insert(analysis.frame.number)
        if failedFrames.count > Self.mostHeld { failedFrames.remove(failedFrames.min() ?? 0) }
        guard isAnalysing else { return }
        if failure?.code != code { events.append(.failure(code)) }
        failure = Failure(
            code: code, frameNumber: max(failure?.frameNumber ?? 0, analysis.frame.number))
        reported = nil
        retryTime = now.advanced(by: timing.retry)
        requestNewest(at: now)
    }

    /// Takes the failure of the source, after which no frames come; the stream stays unknown.
    package mutating func sourceFailed(_ code: AnalysisFailure.Code) {
        if failure?.code != code { events.append(.failure(code)) }
        failure = Failure(code: code, frameNumber: .max)
    }

    /// Takes the end of an analysis whose terms were superseded before it began.
    package mutating func superseded(_ analysisNumber: Int, at now: Instant) {
        guard endAnalysis(analysisNumber) != nil, isAnalysing else { return }
        retryTime = now.advanced(by: timing.retry)
        requestNewest(at: now)
    }

    /// Changes the terms; earlier judgements no longer count.
    package mutating func change(_ newTerms: StreamTerms, at now: Instant) {
        guard newTerms != terms else { return }
        if newTerms.policy > terms.policy { acceptance = nil }
        terms = newTerms
        judgements = []
        secondLooks = SecondLooks()
        // No terms bring back a source that has failed.
        if failure?.frameNumber != .max { failure = nil }
        retryTime = nil
        // Listeners are told that the stream is harmless under the new terms as well.
        reported = nil
        requestNewest(at: now)
    }

    /// Takes a finding in another stream of the same participant.
    package mutating func adopt(_ finding: StreamFinding, at now: Instant, origin: Int) {
        guard isAnalysing else { return }
        find(finding, now, origin)
    }

    /// Resumes the analysis after a finding.
    ///
    /// - Parameter accepts: whether the person has decided to see the types that were found. Later frames with these
    ///   types are then shown, until none was found for ``StreamTiming/acceptance``.
    package mutating func continueStream(accepts: Bool = false, at now: Instant) {
        guard let active = activeFinding else { return }
        activeFinding = nil
        // The person has decided about what was found; a later second look may find it again.
        secondLooks = SecondLooks()
        holdEnd = max(now, active.since.advanced(by: timing.hold))
        if !accepts {
            acceptance = nil
        } else {
            let types = active.finding.types.union(acceptance?.types ?? [])
            acceptance = Acceptance(types: types, lastFound: now)
        }
        for index in judgements.indices { judgements[index].isAnswered = true }
        requestNewest(at: now)
    }

    /// Handles the passage of time.
    package mutating func advance(to now: Instant, origin: Int = 0) {
        guard isAnalysing, let suspicion, now >= suspicion.end.advanced(by: timing.confirmation) else { return }
        find(suspicion.finding, now, origin)
    }

    // MARK: Outputs

    /// Returns the events since the last call.
    package mutating func takeEvents() -> [StreamEvent] {
        defer { events = [] }
        return events
    }

    /// Returns the certainty about the newest frames.
    package func status(at now: Instant) -> StreamStatus {
        if let activeFinding { return .covered(activeFinding.finding) }
        if terms.policy == .disabled { return .unknown(.disabled) }
        if let failure { return .unknown(.failed(failure.code)) }
        // After the person's answer, the stream has to be judged again.
        guard let last = judgements.last, !last.isAnswered else {
            return .unknown(isOverdue(at: now) ? .late : .notYetJudged)
        }
        if let suspicion { return .covered(suspicion.finding) }
        if isLate(at: now) { return .unknown(.late) }
        return .judged
    }

    /// Returns the time since the arrival of the newest judged frame; nil if no frame is judged under these terms.
    package func age(at now: Instant) -> Duration? { judgements.last?.frame.arrival.duration(to: now) }

    /// Returns the next time after `now` at which the state changes without an input.
    package func nextChange(after now: Instant) -> Instant? {
        var times = [holdEnd, heldUntil, wanted(at: now)?.earliest]
        if isAnalysing {
            times.append(suspicion?.end.advanced(by: timing.confirmation))
            // A lane that is kept from motion is open to an overdue stream.
            if pending != nil { times.append(overdueTime) }
            times.append(unjudgedSince?.advanced(by: timing.patience))
            times.append(lateUntil)
        }
        return times.compactMap { $0 }.filter { $0 > now }.min()
    }

    /// Whether no analysis runs or is wanted for the newest frame.
    package var isSettled: Bool {
        !isAnalysing
            || running.isEmpty && secondLooks.wanted == nil
                && (pending == nil || judgements.last?.frame.number == newest?.number)
    }

    /// The number of frames, judgements, failures and running analyses in memory.
    package var keptCount: Int {
        held.count + judgements.count + running.count + events.count + failedFrames.count
    }

    /// Whether frames are analysed: a policy asks for it, and the stream does not wait for the person.
    var isAnalysing: Bool { activeFinding == nil && terms.policy != .disabled }

    /// Whether frames were not judged in time, now or shortly before.
    func isLate(at now: Instant) -> Bool { isOverdue(at: now) || lateUntil.map { now < $0 } ?? false }

    func isOverdue(at now: Instant) -> Bool {
        unjudgedSince.map { $0.duration(to: now) >= timing.patience } ?? false
    }

    /// The newest judgement if it is a suspicion that no other frame has confirmed.
    var suspicion: Judgement? {
        guard let last = judgements.last, !last.isAnswered, !isAllowed(last.finding) else { return nil }
        return last
    }

    /// Whether content of this finding may be shown.
    func isAllowed(_ finding: StreamFinding) -> Bool {
        finding.isHarmless || acceptance.map { finding.types.isSubset(of: $0.types) && !finding.types.isEmpty } ?? false
    }
}
