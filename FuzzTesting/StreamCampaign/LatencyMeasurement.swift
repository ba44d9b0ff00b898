// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import Synchronization
import TestSupport

/// The times from a sensitive frame to its event, on the real clock, with a scorer that takes 26 ms.
final class LatencyMeasurement: Sendable {
    private let service = StreamService(laneCount: 2)
    private let isGated: Bool
    private let state: Mutex<State>

    private struct State {
        /// For each stream, the time of the first sensitive frame that was not found yet.
        var since: [ContinuousClock.Instant?]
        var latencies: [Double] = []
        var lastJudged: [ContinuousClock.Instant?]
        var gaps: [Double] = []
    }

    init(streams: Int, isGated: Bool) {
        self.isGated = isGated
        state = Mutex(
            State(
                since: [ContinuousClock.Instant?](repeating: nil, count: streams),
                lastJudged: [ContinuousClock.Instant?](repeating: nil, count: streams)))
    }

    /// Plays streams in continuous motion, each with a sensitive scene every 1 to 2 s.
    func run(_ clip: Clip, streams: Int, seconds: Int) -> (latencies: [Double], gaps: [Double]) {
        // The first sample tells the scorer what a frame is.
        func frames(_ mark: UInt8, _ numbers: Range<Int>) -> [VideoPixels] {
            numbers.map { number in
                var canvas = clip.frame(number)
                canvas.samples[0] = mark
                if mark == 255 { canvas.samples = canvas.samples.map { 255 - $0 / 2 } }
                return canvas.pixels
            }
        }
        let (harmless, sensitive) = (frames(0, 0..<60), frames(255, 100..<130))
        DispatchQueue.concurrentPerform(iterations: streams) { index in
            self.play(index, harmless, sensitive, seconds: seconds)
        }
        return state.withLock { ($0.latencies.sorted(), $0.gaps.sorted()) }
    }

    private func play(_ index: Int, _ harmless: [VideoPixels], _ sensitive: [VideoPixels], seconds: Int) {
        let terms = StreamTerms(policy: .simple)
        let outlet = StreamService.Outlet { content, terms in
            try await Task.sleep(for: .milliseconds(26))
            guard case .pixels(let pixels) = content else { throw CancellationError() }
            let isSensitive = pixels.planes[0].storage.withBytes { $0[0] > 100 }
            self.noteJudgement(index)
            return StreamFinding(
                level: isSensitive ? .strong : .harmless, types: isSensitive ? [.sexuallyExplicit] : [],
                score: isSensitive ? 1 : 0, modelName: "scripted", policy: terms.policy)
        } receive: { output in
            if case .event(.finding(let finding), _) = output, !finding.isHarmless { self.noteEvent(index) }
        }
        let stream = service.add(
            participant: "\(index)",
            StreamService.State(terms: terms, gateDelay: isGated ? .milliseconds(250) : nil), outlet)
        guard let stream else { return }
        var generator = SplitMix64(state: UInt64(index) &+ 1)
        let begin = ContinuousClock.now + .milliseconds(Int(generator.next() % 33))
        var nextScene = 30 + Int(generator.next() % 30)
        for number in 0..<(seconds * 30) {
            Thread.sleep(
                until: Date(
                    timeIntervalSinceNow: ContinuousClock.now.duration(to: begin + .milliseconds(number * 33))
                        / .seconds(1)))
            let isSensitive = number >= nextScene
            let source = isSensitive ? sensitive : harmless
            let picture = LivePicture(source[number % source.count], isGated: isGated)
            if isSensitive {
                let isFound = state.withLock { state in
                    if number == nextScene { state.since[index] = .now }
                    return state.since[index] == nil
                }
                if isFound, number > nextScene {
                    service.continueStream(stream, accepts: false)
                    nextScene = number + 30 + Int(generator.next() % 30)
                    continue
                }
            }
            service.arrive(picture, in: stream)
        }
        service.remove(stream)
    }

    private func noteEvent(_ index: Int) {
        state.withLock { state in
            guard let since = state.since[index] else { return }
            state.latencies.append(since.duration(to: .now) / .milliseconds(1))
            state.since[index] = nil
            state.lastJudged[index] = nil
        }
    }

    private func noteJudgement(_ index: Int) {
        state.withLock { state in
            if let last = state.lastJudged[index] { state.gaps.append(last.duration(to: .now) / .milliseconds(1)) }
            state.lastJudged[index] = .now
        }
    }

    /// Measures the numbers of streams that docs/streams.md states, and returns whether their bounds hold.
    static func runAll(_ photographs: [Photograph], seconds: Int) -> Bool {
        var areKept = true
        let clip = Clip(motion: .call, background: photographs[0], person: photographs[1], seed: 3)
        for isGated in [false, true] {
            for (streams, bound95, bound99) in [(1, 120.0, 200.0), (8, 170, .infinity), (16, 300, .infinity)] {
                let measurement = LatencyMeasurement(streams: streams, isGated: isGated)
                let (latencies, gaps) = measurement.run(clip, streams: streams, seconds: seconds)
                func percentile(_ values: [Double], _ share: Double) -> Double {
                    values.isEmpty ? .infinity : values[min(values.count - 1, Int(Double(values.count) * share))]
                }
                let (p95, p99, gap) = (percentile(latencies, 0.95), percentile(latencies, 0.99), gaps.last ?? .infinity)
                print(
                    "\(streams) streams\(isGated ? " with gates" : ""): \(latencies.count) findings after"
                        + " \(Int(percentile(latencies, 0.5))) ms (p50), \(Int(p95)) ms (p95), \(Int(p99)) ms (p99);"
                        + " longest gap \(Int(gap)) ms")
                areKept = areKept && p95 <= bound95 && p99 <= bound99 && gap <= 600
            }
        }
        return areKept
    }
}
