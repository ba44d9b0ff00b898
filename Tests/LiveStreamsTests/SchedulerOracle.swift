// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams

/// A scheduler of three streams, and the facts about them by which each of its outputs is checked.
///
/// An oracle of each stream says what its state may do. This oracle says which streams an input reaches.
struct SchedulerOracle: ExploredNode {
    typealias Input = SchedulerExplorationTests.Input

    private var scheduler = ManualScheduler(laneCount: laneCount)
    private var streams: [Int: Stream] = [:]
    private var running: [ManualScheduler.Analysis] = []
    private var now = 0
    private var hasAdded = false

    private static let laneCount = 2
    private static let participants = ["a", "a", "b"]

    /// A stream that was not removed.
    private struct Stream {
        let participant: String
        var oracle = StreamOracle()
        /// The stream in which the content was found for which this stream waits.
        var origin: Int?
        var lastReleased = 0
        var shown: StreamStatus?
        /// Whether the stream began to wait for the person since the last news.
        var isNewlyPaused = false
    }

    init() {
        for participant in Self.participants { add(participant) }
    }

    private mutating func add(_ participant: String) {
        let number = scheduler.add(participant: participant, ManualStream(terms: .simple))
        scheduler.openGate(of: number, delay: .milliseconds(StreamOracle.delay))
        streams[number] = Stream(participant: participant, oracle: StreamOracle(now: now))
        // The first status of a stream is news.
        for news in scheduler.takeNews(at: time) { streams[news.stream]!.shown = news.status }
    }

    private var time: ManualInstant { .ms(now) }
    private var numbers: [Int] { streams.keys.sorted() }

    /// Applies an input, and returns the first fault that it shows.
    mutating func apply(_ input: Input) -> String? {
        if let fault = act(input) { return fault }
        if let fault = releaseFault() ?? newsFault() { return fault }
        guard scheduler.streamCount == streams.count else { return "\(scheduler.streamCount) streams are left" }
        for number in numbers {
            guard let state = scheduler.state(of: number) else { return "stream \(number) was lost" }
            if let fault = streams[number]!.oracle.fault(of: state) { return "stream \(number): \(fault)" }
            if state.activeFinding?.origin != streams[number]!.origin { return "stream \(number) has another origin" }
        }
        return nil
    }

    private mutating func act(_ input: Input) -> String? {
        switch input {
        case .frame(let index, let look):
            _ = streams[index + 1]?.oracle.frame(look)
            scheduler.arrive(NumberedLook(look: look), in: index + 1, at: time)
        case .begin: return begin()
        case .endOldest: end(0)
        case .endNewest: end(running.count - 1)
        case .fail, .supersede: fail(isSuperseded: input == .supersede)
        case .shortTime: return pass(60)
        case .longTime: return pass(1001)
        case .tighten(let index):
            streams[index + 1]?.oracle.change(.descriptive)
            scheduler.change(.descriptive, of: index + 1, at: time)
        case .resume(let index, let accepts):
            if let stream = streams[index + 1], let origin = stream.origin {
                resume(accepts: accepts) { $0.participant == stream.participant && $0.origin == origin }
            }
            scheduler.continueStream(index + 1, accepts: accepts, at: time)
        case .resumeParticipant:
            resume(accepts: false) { $0.participant == "a" && $0.origin != nil }
            scheduler.continueStreams(ofParticipant: "a", at: time)
        case .add:
            guard !hasAdded else { return nil }
            hasAdded = true
            add("a")
        case .remove(let index):
            streams[index + 1] = nil
            scheduler.remove(index + 1)
        }
        return nil
    }

    // MARK: Analyses

    /// The streams whose analysis may begin, the most urgent first.
    private var ready: [(number: Int, frame: Int)] {
        numbers.compactMap { number in
            scheduler.state(of: number)?.wanted(at: time).map { (number, $0) }
        }.filter { $0.1.earliest <= time }.sorted {
            ($1.1.urgency, $0.1.due, $0.0) < ($0.1.urgency, $1.1.due, $1.0)
        }.map {
            ($0.0, $0.1.frame.number)
        }
    }

    private mutating func begin() -> String? {
        let expected = running.count < Self.laneCount ? ready.first : nil
        guard let analysis = scheduler.beginNext(at: time) else {
            return expected == nil ? nil : "no analysis begins although a lane is free"
        }
        guard let expected, expected == (analysis.stream, analysis.frame.number) else {
            return "another analysis begins"
        }
        guard analysis.terms == streams[analysis.stream]!.oracle.terms else { return "an analysis has other terms" }
        running.append(analysis)
        streams[analysis.stream]!.oracle.begin(analysis.frame.number, as: analysis.number)
        return nil
    }

    private mutating func end(_ index: Int) {
        guard running.indices.contains(index) else { return }
        let analysis = running.remove(at: index)
        var finding = StreamFinding.scripted(.strong)
        if let place = streams[analysis.stream]?.oracle.running.firstIndex(where: { $0.analysis == analysis.number }) {
            let (_, level, policy) = streams[analysis.stream]!.oracle.end(at: place)
            finding = .scripted(level, policy: policy)
            spread(from: analysis.stream)
        }
        scheduler.judged(analysis, finding, at: time)
    }

    private mutating func fail(isSuperseded: Bool) {
        guard !running.isEmpty else { return }
        let analysis = running.removeFirst()
        if let place = streams[analysis.stream]?.oracle.running.firstIndex(where: { $0.analysis == analysis.number }) {
            if isSuperseded {
                streams[analysis.stream]!.oracle.supersede(at: place)
            } else {
                _ = streams[analysis.stream]!.oracle.fail(at: place)
            }
        }
        if isSuperseded {
            scheduler.superseded(analysis, at: time)
        } else {
            scheduler.failed(analysis, .timedOut, at: time)
        }
    }

    // MARK: Findings

    /// Stops the other streams of a participant if a stream has just found content.
    private mutating func spread(from number: Int) {
        guard let stream = streams[number], stream.origin == nil, stream.oracle.pausedSince != nil else { return }
        for other in numbers where streams[other]!.participant == stream.participant {
            guard streams[other]!.origin == nil, other == number || streams[other]!.oracle.isAnalysing else { continue }
            streams[other]!.oracle.pause()
            streams[other]!.origin = number
            streams[other]!.isNewlyPaused = true
        }
    }

    private mutating func resume(accepts: Bool, _ isMeant: (Stream) -> Bool) {
        for number in numbers where isMeant(streams[number]!) {
            streams[number]!.oracle.resume(accepts: accepts)
            streams[number]!.origin = nil
        }
    }

    // MARK: Time

    private mutating func pass(_ milliseconds: Int) -> String? {
        let next = scheduler.nextChange(after: time), before = ready.map(\.number)
        now += milliseconds
        for number in numbers {
            streams[number]!.oracle.pass(milliseconds)
            spread(from: number)
        }
        scheduler.advance(to: time)
        if let next, next <= time { return nil }
        // The thread sleeps until the next change, so nothing may happen before it.
        var copy = scheduler
        let isQuiet = scheduler.dueStreams(at: time).isEmpty && copy.takeNews(at: time).isEmpty
        return isQuiet && before == ready.map(\.number) ? nil : "a change was not announced"
    }

    // MARK: Outputs

    private mutating func releaseFault() -> String? {
        for number in numbers {
            let stream = streams[number]!
            let held = stream.oracle.frames.filter { $0.number > stream.lastReleased }
            let due = held.filter { $0.time + StreamOracle.delay <= now }
            guard scheduler.dueStreams(at: time).contains(number) == !due.isEmpty else { return "the gate is not due" }
            let (release, droppedCount) = scheduler.release(from: number, at: time)
            guard droppedCount == max(0, due.count - 1) else { return "\(droppedCount) frames were dropped" }
            let released: (frame: Int, isShown: Bool)? =
                switch release {
                case .frame(let frame): (frame.number, true)
                case .cover(let frame, _): (frame.number, false)
                case nil: nil
                }
            guard released?.frame == due.last?.number else { return "another frame left the gate" }
            guard let released else { continue }
            streams[number]!.lastReleased = released.frame
            if let fault = streams[number]!.oracle.fault(of: released.frame, isShown: released.isShown) { return fault }
        }
        return nil
    }

    private mutating func newsFault() -> String? {
        let news = scheduler.takeNews(at: time)
        guard Set(news.map(\.stream)).isSubset(of: streams.keys) else { return "a removed stream has news" }
        for number in numbers {
            let found = news.filter { $0.stream == number }.flatMap(\.events).filter {
                if case .finding(let finding) = $0 { !finding.isHarmless } else { false }
            }
            guard found.count == (streams[number]!.isNewlyPaused ? 1 : 0) else { return "\(found.count) findings" }
            let status = scheduler.state(of: number)?.status(at: time)
            let told = news.first { $0.stream == number }?.status
            guard told == (status == streams[number]!.shown ? nil : status) else { return "the status was not told" }
            streams[number]!.shown = status
            streams[number]!.isNewlyPaused = false
        }
        return nil
    }
}
