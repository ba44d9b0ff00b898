// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import LiveStreams
import Synchronization
import TestSupport

/// The times of live streams on the real clock: from the first frame of a sensitive scene to its event, between two
/// analyses of a stream, and from the due time of a frame to its release.
final class StreamTimes: Sendable {
    /// The streams of a measurement.
    struct Load: Sendable {
        var streams: Int
        var isGated: Bool
        var seconds: Int
        /// The streams that go on when the others end; nil if all end together.
        var survivors: Int?
    }

    /// Scores a frame; the last value says whether it is a second look.
    typealias Scorer = @Sendable (LiveContent, StreamTerms, Bool) async throws -> Void
    private typealias Instant = ContinuousClock.Instant

    private let load: Load
    private let scorer: Scorer
    private let service = StreamService<Never>(laneCount: 2)
    private let state: Mutex<State>
    private static let delay = Duration.milliseconds(250)

    private struct State {
        /// For each stream, the arrival of the first frame of a scene that was not found yet.
        var sceneBegin: [Instant?]
        /// The last analysis of each stream; nil while it waits for the person.
        var lastJudged: [Instant?]
        var judgedAt: [Instant?]
        var status: [StreamStatus?]
        var latencies: [Double] = []
        var gaps: [Double] = []
        var jitter: [Double] = []
        var released = 0
        var covered = 0
        var leaked = 0
        var lateCount = 0
        var runningCount: Int
        var secondLookCount = 0

        /// Whether a frame of each stream that goes on was judged after a time, and no stream is late.
        func areJudged(since time: Instant) -> Bool {
            status.indices.allSatisfy { index in
                guard let status = status[index] else { return true }
                return status != .unknown(.late) && judgedAt[index].map { $0 > time } ?? false
            }
        }
    }

    init(_ load: Load, _ scorer: @escaping Scorer) {
        (self.load, self.scorer) = (load, scorer)
        let none = [Instant?](repeating: nil, count: load.streams)
        state = Mutex(
            State(
                sceneBegin: none, lastJudged: none, judgedAt: none,
                status: [StreamStatus?](repeating: nil, count: load.streams),
                runningCount: load.streams))
    }

    /// Plays streams in continuous motion, each with a sensitive scene every one to two seconds, and prints the times.
    ///
    /// - Returns: whether the times keep the bounds for this number of streams, and no sensitive frame came out.
    func run(_ name: String, harmless: [VideoPixels], sensitive: [VideoPixels]) -> Bool {
        let (start, busy) = (Instant.now, machineBusySeconds)
        for index in 0..<load.streams {
            guard BackgroundThread.start({ self.play(index, harmless, sensitive) }) else {
                fatalError("the system has no thread left")
            }
        }
        while state.withLock({ $0.runningCount > (load.survivors ?? 0) }) { Thread.sleep(forTimeInterval: 0.02) }
        let loadEnd = Instant.now
        var recovery: Double?
        if load.survivors != nil {
            while state.withLock({ !$0.areJudged(since: loadEnd) }), loadEnd.duration(to: .now) < .seconds(4) {
                Thread.sleep(forTimeInterval: 0.005)
            }
            recovery = loadEnd.duration(to: .now) / .milliseconds(1)
            while state.withLock({ $0.runningCount > 0 }) { Thread.sleep(forTimeInterval: 0.02) }
        }
        let used = (machineBusySeconds - busy) / (start.duration(to: .now) / .seconds(1))
        return state.withLock { state in
            func times(_ values: [Double]) -> String { percentiles(values, digits: 1) }
            report(
                "\(name), \(load.streams) streams\(load.isGated ? " with gates" : ""): \(state.latencies.count) findings"
                    + " after \(times(state.latencies)) ms, gaps \(times(state.gaps)) ms (p50 / p95 / p99 / most), "
                    + "\(state.secondLookCount) second looks, "
                    + String(format: "machine busy with %.2f cores", used))
            if load.isGated {
                let share = 100 * Double(state.covered) / Double(max(1, state.released + state.covered))
                report(
                    "  frames left \(times(state.jitter)) ms after they were due, "
                        + String(format: "%.1f", share)
                        + " % of harmless frames were covered, \(state.leaked) sensitive frames came out")
            }
            if let recovery {
                report(
                    "  \(state.lateCount) reports of late streams; all others judged again \(Int(recovery)) ms after the end of the load"
                )
            }
            return keepsBounds(state, recovery)
        }
    }

    /// The largest latencies of 95 % and 99 % of the findings, in milliseconds, for a scorer that takes 26 ms.
    private static let bounds: [Int: (Double, Double)] = [1: (120, 200), 8: (170, .infinity), 16: (300, .infinity)]

    private func keepsBounds(_ state: State, _ recovery: Double?) -> Bool {
        if let recovery {
            // Too much for the analyses: streams are reported as late, and their frames are covered.
            let isNoticed = load.streams < 96 || state.lateCount > 0 && state.covered > 0
            return recovery <= 1000 && state.leaked == 0 && isNoticed
        }
        let sorted = state.latencies.sorted()
        guard let bound = Self.bounds[load.streams], !sorted.isEmpty, state.leaked == 0 else { return false }
        return sorted[sorted.count * 95 / 100] <= bound.0 && sorted[sorted.count * 99 / 100] <= bound.1
            && state.gaps.max() ?? .infinity <= 600
    }

    private func play(_ index: Int, _ harmless: [VideoPixels], _ sensitive: [VideoPixels]) {
        let outlet = StreamService<Never>.Outlet(judge: judge(index), lookAgain: lookAgain) {
            self.receive($0, index)
        }
        let stream = service.add(
            participant: "\(index)",
            StreamService<Never>.State(
                terms: StreamTerms(policy: .simple), gateDelay: load.isGated ? Self.delay : nil,
                timing: StreamTiming(secondLookInterval: StreamTiming.ordinarySecondLookInterval)),
            outlet
        )
        guard let stream else { fatalError("the system has no thread left") }
        var generator = SplitMix64(state: UInt64(index) &+ 1)
        let begin = Instant.now + .microseconds(Int(generator.next() % 33_333))
        var nextScene = 30 + Int(generator.next() % 30)
        let survives = load.survivors.map { index < $0 } ?? false
        for number in 0..<((load.seconds + (survives ? 5 : 0)) * 30) {
            let wait = Instant.now.duration(to: begin + .microseconds(number * 33_333))
            if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
            if service.activeFinding(of: stream) != nil {
                service.continueStream(stream, accepts: false)
                nextScene = number + 30 + Int(generator.next() % 30)
            }
            let isSensitive = number >= nextScene
            if number == nextScene { state.withLock { $0.sceneBegin[index] = .now } }
            let source = isSensitive ? sensitive : harmless
            service.arrive(LivePicture(source[(number + index * 7) % source.count], isGated: load.isGated), in: stream)
        }
        service.remove(stream)
        state.withLock { state in
            state.runningCount -= 1
            state.status[index] = nil
        }
    }

    /// A second look, which finds what the first look at a marked frame finds.
    private var lookAgain: StreamService<Never>.Judge {
        { content, terms in
            try await self.scorer(content, terms, true)
            self.state.withLock { $0.secondLookCount += 1 }
            return Self.finding(in: content, terms)
        }
    }

    private func judge(_ index: Int) -> StreamService<Never>.Judge {
        { content, terms in
            try await self.scorer(content, terms, false)
            self.state.withLock { state in
                if let last = state.lastJudged[index] { state.gaps.append(last.duration(to: .now) / .milliseconds(1)) }
                state.lastJudged[index] = .now
                state.judgedAt[index] = .now
            }
            return Self.finding(in: content, terms)
        }
    }

    private static func finding(in content: LiveContent, _ terms: StreamTerms) -> StreamFinding {
        let isSensitive = isSensitive(content)
        return StreamFinding(
            level: isSensitive ? .strong : .harmless, types: isSensitive ? [.sexuallyExplicit] : [],
            score: isSensitive ? 1 : 0, modelName: "scripted", policy: terms.policy)
    }

    private func receive(_ output: StreamService<Never>.Output, _ index: Int) {
        let now = Instant.now
        state.withLock { state in
            switch output {
            case .event(.finding(let finding), _) where !finding.isHarmless:
                guard let since = state.sceneBegin[index] else { return }
                state.latencies.append(since.duration(to: now) / .milliseconds(1))
                state.sceneBegin[index] = nil
                // A stream that waits for the person is not analysed.
                state.lastJudged[index] = nil
            case .event: break
            case .status(let known):
                if known.status == .unknown(.late) { state.lateCount += 1 }
                if state.runningCount > 0 { state.status[index] = known.status }
            case .release(.frame(let frame), _, _):
                state.jitter.append((frame.arrival + Self.delay).duration(to: now) / .milliseconds(1))
                state.released += 1
                if frame.picture.content.map(Self.isSensitive) ?? true { state.leaked += 1 }
            case .release(.cover(let frame, let reason), _, _):
                state.jitter.append((frame.arrival + Self.delay).duration(to: now) / .milliseconds(1))
                if reason == .unjudged, !(frame.picture.content.map(Self.isSensitive) ?? true) { state.covered += 1 }
            }
        }
    }

    /// Whether a frame is marked as sensitive by its first sample.
    private static func isSensitive(_ content: LiveContent) -> Bool {
        guard case .pixels(let pixels) = content else { return true }
        return pixels.planes[0].storage.withBytes { $0[0] == 255 }
    }

    /// Measures the loads that docs/streams-figures.md states, with a scorer that takes 26 ms and with the real model.
    ///
    /// - Returns: whether the times of the former keep their bounds. Those of the model depend on the machine.
    static func runAll(_ photographs: [Photograph], seconds: Int) async -> Bool {
        var areKept = true
        func frames(_ mark: UInt8, person: Int) -> [VideoPixels] {
            let clip = Clip(motion: .call, background: photographs[0], person: photographs[person], seed: 3)
            return (0..<60).map { number in
                var canvas = clip.frame(number)
                if mark == 255 { canvas.samples = canvas.samples.map { 255 - $0 / 2 } }
                canvas.samples[0] = mark
                return canvas.pixels
            }
        }
        let (harmless, sensitive) = (frames(0, person: 1), frames(255, person: 2))
        let engine = SharedEngines.engine(for: EngineConfiguration())
        await engine.prepareForStreams()
        let scorers: [(String, Scorer)] = [
            // A second look takes as long as five first looks.
            ("26 ms", { _, _, isSecond in try await Task.sleep(for: .milliseconds(isSecond ? 130 : 26)) }),
            (
                "model",
                { content, terms, isSecond in
                    _ = try await engine.analyzeFrame(
                        content, AnalysisRequest(policy: terms.policy), isSecondLook: isSecond)
                }
            ),
        ]
        for (name, scorer) in scorers {
            for isGated in [false, true] {
                for streams in [1, 8, 16] {
                    let load = Load(streams: streams, isGated: isGated, seconds: seconds)
                    let isKept = StreamTimes(load, scorer).run(name, harmless: harmless, sensitive: sensitive)
                    areKept = areKept && (isKept || name == "model")
                }
            }
            for streams in [32, 96] {
                let load = Load(streams: streams, isGated: true, seconds: min(seconds, 10), survivors: 8)
                let isKept = StreamTimes(load, scorer).run(name, harmless: harmless, sensitive: sensitive)
                areKept = areKept && (isKept || name == "model")
            }
        }
        return areKept
    }
}

/// The time for which the cores of the machine were busy, in seconds.
var machineBusySeconds: Double {
    // Idle and waiting times are the fourth and the fifth number.
    let ticks = machineTicks
    return (ticks.reduce(0, +) - ticks[3] - ticks[4]) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// The time for which other machines on the same hardware had the cores, in seconds.
var machineStolenSeconds: Double { machineTicks[7] / Double(sysconf(Int32(_SC_CLK_TCK))) }

/// The times of the machine since its start; all are 0 if the system does not tell them.
private var machineTicks: [Double] {
    let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n").first ?? ""
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    return ticks.count == 8 ? ticks : [Double](repeating: 0, count: 8)
}
