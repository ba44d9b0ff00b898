// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// All streams of a process, and the decision which of their frames is analysed next.
///
/// Of the most urgent analyses, that with the earliest deadline comes first. Each stream has at most one
/// waiting frame, so a fast stream does not delay the others.
package struct StreamScheduler<Instant: InstantProtocol, Picture: StreamPicture>: Sendable
where Instant: Sendable, Instant.Duration == Duration {
    package typealias State = StreamState<Instant, Picture>

    /// The number of analyses that may run at once.
    package let laneCount: Int
    private var streams: [Int: Entry] = [:]
    private var lastNumber = 0
    /// The number of analyses that run, which include those of removed streams.
    private var runningCount = 0
    /// The number of these that are not urgent.
    private var runningMotionCount = 0
    private var isLookingAgain = false

    private struct Entry: Sendable {
        let participant: String
        let isDecodedHere: Bool
        var state: State
        var frameCount = 0
        var shownStatus: StreamStatus?
    }

    /// A frame whose analysis has begun.
    package struct Analysis: Sendable {
        package let stream: Int
        /// The number of the analysis in its stream.
        package let number: Int
        package let frame: State.Frame
        package let terms: StreamTerms
        /// Whether the frame shows the same as before, or motion.
        let isOfMotion: Bool
        /// Whether the frame has been judged, and is searched for pictures inside it.
        package let isSecondLook: Bool
    }

    /// The changes of a stream since the last call of ``takeNews(at:)``.
    package struct News: Sendable {
        package let stream: Int
        package let events: [StreamEvent]
        /// The new status; nil if it has not changed.
        package let status: StreamStatus?
    }

    package init(laneCount: Int) {
        self.laneCount = max(1, laneCount)
    }

    package var streamCount: Int { streams.count }

    /// Adds a stream of a participant.
    ///
    /// - Parameter isDecodedHere: whether the package decodes or captures the stream, on the processors of the lanes.
    /// - Returns: the number of the stream.
    package mutating func add(participant: String, isDecodedHere: Bool = false, _ state: State) -> Int {
        lastNumber += 1
        streams[lastNumber] = Entry(participant: participant, isDecodedHere: isDecodedHere, state: state)
        return lastNumber
    }

    /// Removes a stream; results of its analyses are dropped.
    package mutating func remove(_ stream: Int) { streams[stream] = nil }

    /// Returns the state of a stream; nil if it was removed.
    package func state(of stream: Int) -> State? { streams[stream]?.state }

    /// Takes the next frame of a stream.
    package mutating func arrive(_ picture: Picture, in stream: Int, at now: Instant) {
        guard streams[stream] != nil else { return }
        streams[stream]!.frameCount += 1
        let frame = State.Frame(number: streams[stream]!.frameCount, arrival: now, picture: picture)
        streams[stream]!.state.arrive(frame)
    }

    /// Returns the analysis that has to begin now; nil if no lane is free for it, or no frame needs one.
    package mutating func beginNext(at now: Instant) -> Analysis? {
        guard runningCount < laneCount else { return nil }
        let wanted = streams.compactMap { number, entry in
            entry.state.wanted(at: now).flatMap { $0.earliest <= now ? (number, $0) : nil }
        }
        // With too much to do, motion passes its deadlines everywhere, and something new must not wait for all of it.
        guard let urgency = wanted.map(\.1.urgency).max(), urgency >= .new || !keepsLane else {
            return beginSecondLook(at: now)
        }
        let candidates = wanted.filter { $0.1.urgency == urgency }
        // The number decides between equal deadlines, so that the order does not depend on a dictionary.
        guard let (number, next) = candidates.min(by: { ($0.1.due, $0.0) < ($1.1.due, $1.0) }) else { return nil }
        guard let analysis = streams[number]!.state.beginAnalysis(at: now) else { return nil }
        runningCount += 1
        let isOfMotion = urgency < .new
        if isOfMotion { runningMotionCount += 1 }
        return Analysis(
            stream: number, number: analysis, frame: next.frame, terms: streams[number]!.state.terms,
            isOfMotion: isOfMotion, isSecondLook: false)
    }

    /// Returns the second look that begins now; nil if none is wanted, or if a first look could wait for it.
    ///
    /// A second look takes several times as long as a first look, so there is one at a time, and none in the last lane.
    private mutating func beginSecondLook(at now: Instant) -> Analysis? {
        guard !isLookingAgain, runningCount < max(1, laneCount - 1) else { return nil }
        let wanted = streams.filter { $0.value.state.wantedSecondLook != nil }
        // The stream whose last look is the longest ago comes first, and a stream without one before all.
        let next = wanted.min { one, other in
            switch (one.value.state.lastSecondLook, other.value.state.lastSecondLook) {
            case (let first?, let second?): (first, one.key) < (second, other.key)
            case (nil, nil): one.key < other.key
            case (let first, _): first == nil
            }
        }
        guard let (number, entry) = next, let frame = entry.state.wantedSecondLook,
            let analysis = streams[number]!.state.beginSecondLook(at: now)
        else { return nil }
        runningCount += 1
        isLookingAgain = true
        return Analysis(
            stream: number, number: analysis, frame: frame, terms: entry.state.terms, isOfMotion: false,
            isSecondLook: true)
    }

    /// Whether motion occupies all lanes but one, and has to leave that lane to streams that show something new, or that
    /// have waited for long.
    ///
    /// The decoders of many streams occupy the processors of the lanes. Analyses of motion in all lanes would then only
    /// prolong each other and the decoding.
    private var keepsLane: Bool {
        laneCount > 1 && runningMotionCount >= laneCount - 1
            && streams.values.count(where: \.isDecodedHere) > Self.mostStreamsOfLane * laneCount
    }

    /// The most decoded streams for each lane whose motion may occupy all lanes.
    private static var mostStreamsOfLane: Int { 2 }

    private mutating func freeLane(of analysis: Analysis) {
        runningCount -= 1
        if analysis.isOfMotion { runningMotionCount -= 1 }
        if analysis.isSecondLook { isLookingAgain = false }
    }

    /// Makes a stream hold its later frames in a gate for a time.
    package mutating func openGate(of stream: Int, delay: Duration) { streams[stream]?.state.gateDelay = delay }

    /// Takes the result of an analysis.
    package mutating func judged(_ analysis: Analysis, _ finding: StreamFinding, at now: Instant) {
        freeLane(of: analysis)
        update(analysis.stream, at: now) { $0.judged(analysis.number, finding, at: now, origin: analysis.stream) }
    }

    /// Takes the failure of an analysis.
    package mutating func failed(_ analysis: Analysis, _ code: AnalysisFailure.Code, at now: Instant) {
        freeLane(of: analysis)
        streams[analysis.stream]?.state.failed(analysis.number, code, at: now)
    }

    /// Takes the failure of the source of a stream.
    package mutating func sourceFailed(_ stream: Int, _ code: AnalysisFailure.Code) {
        streams[stream]?.state.sourceFailed(code)
    }

    /// Takes the end of an analysis whose terms were superseded before it began.
    package mutating func superseded(_ analysis: Analysis, at now: Instant) {
        freeLane(of: analysis)
        streams[analysis.stream]?.state.superseded(analysis.number, at: now)
    }

    /// Changes the terms of a stream.
    package mutating func change(_ terms: StreamTerms, of stream: Int, at now: Instant) {
        streams[stream]?.state.change(terms, at: now)
    }

    /// Resumes a stream, and the other streams of its participant that stopped for the same finding.
    package mutating func continueStream(_ stream: Int, accepts: Bool, at now: Instant) {
        guard let entry = streams[stream], let finding = entry.state.activeFinding else { return }
        for (number, other) in streams where other.participant == entry.participant {
            guard other.state.activeFinding?.origin == finding.origin else { continue }
            streams[number]!.state.continueStream(accepts: accepts, at: now)
        }
    }

    /// Resumes all streams of a participant that wait for the person.
    package mutating func continueStreams(ofParticipant participant: String, at now: Instant) {
        for (number, entry) in streams where entry.participant == participant {
            streams[number]!.state.continueStream(at: now)
        }
    }

    /// Handles the passage of time for all streams.
    package mutating func advance(to now: Instant) {
        // Two streams may confirm their suspicions at once, and the order decides which of them is the origin.
        for number in streams.keys.sorted() { update(number, at: now) { $0.advance(to: now, origin: number) } }
    }

    /// Takes the frame that is due from the gate of a stream.
    package mutating func release(
        from stream: Int, at now: Instant
    ) -> (release: StreamRelease<Instant, Picture>?, droppedCount: Int) {
        streams[stream]?.state.release(at: now) ?? (nil, 0)
    }

    /// The streams whose gates have a due frame.
    package func dueStreams(at now: Instant) -> [Int] {
        streams.filter { $0.value.state.heldUntil.map { $0 <= now } ?? false }.keys.sorted()
    }

    /// Returns the events and new states of all streams since the last call.
    package mutating func takeNews(at now: Instant) -> [News] {
        streams.keys.sorted().compactMap { number in
            let events = streams[number]!.state.takeEvents()
            let status = streams[number]!.state.status(at: now)
            let isNew = streams[number]!.shownStatus != status
            guard isNew || !events.isEmpty else { return nil }
            streams[number]!.shownStatus = status
            return News(stream: number, events: events, status: isNew ? status : nil)
        }
    }

    /// Returns the next time after `now` at which something happens without an input.
    package func nextChange(after now: Instant) -> Instant? {
        streams.values.compactMap { $0.state.nextChange(after: now) }.min()
    }

    /// Changes a stream, and tells a new finding to the other streams of its participant.
    private mutating func update(_ stream: Int, at now: Instant, _ body: (inout State) -> Void) {
        guard let entry = streams[stream] else { return }
        body(&streams[stream]!.state)
        guard entry.state.activeFinding == nil, let active = streams[stream]!.state.activeFinding else { return }
        for (number, other) in streams where number != stream && other.participant == entry.participant {
            streams[number]!.state.adopt(active.finding, at: now, origin: active.origin)
        }
    }
}
