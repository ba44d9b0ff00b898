// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import LiveStreams
import TestSupport

/// A moment in microseconds on a clock that the simulation moves.
struct SimulatedInstant: InstantProtocol {
    var microseconds: Int

    func advanced(by duration: Duration) -> SimulatedInstant {
        SimulatedInstant(microseconds: microseconds + Int(duration / .microseconds(1)))
    }

    func duration(to other: SimulatedInstant) -> Duration { .microseconds(other.microseconds - microseconds) }

    static func < (one: SimulatedInstant, other: SimulatedInstant) -> Bool { one.microseconds < other.microseconds }
}

/// A frame with the comparisons of the product, which knows whether it was altered.
struct MarkedPicture: StreamPicture {
    let byteCount = 1
    let signature: FrameSignature
    let sketch: FrameSketch
    let isAltered: Bool

    init(_ canvas: Canvas, isAltered: Bool) {
        let pixels = canvas.pixels
        (signature, sketch) = (FrameSignature(pixels)!, FrameSketch(pixels)!)
        self.isAltered = isAltered
    }

    func isCut(from previous: MarkedPicture) -> Bool {
        signature.difference(to: previous.signature)?.isCut ?? true
    }

    func change(from judged: MarkedPicture) -> PictureChange {
        guard signature.difference(to: judged.signature)?.isNegligible != true else { return .none }
        return isLike(judged, and: nil) ? .some : .much
    }

    func isLike(_ earlier: MarkedPicture, and later: MarkedPicture?) -> Bool {
        sketch.isLike(earlier.sketch, and: later?.sketch)
    }

    var withoutPixels: MarkedPicture { self }
}

/// The counts of a simulation.
struct GateCounts {
    var shown = 0
    /// Harmless frames that were covered because nothing like them was judged.
    var covered = 0
    var insertions = 0
    /// Altered frames that came out.
    var leaked = 0

    /// The share of harmless frames that were covered, in per cent.
    var coveredShare: Double { 100 * Double(covered) / Double(max(1, shown + covered)) }
}

/// Streams with gates on a simulated clock, with analyses of 26 ms on two lanes.
struct GateSimulation {
    let pictures: [[MarkedPicture]]
    let delay: Duration

    func run() -> GateCounts {
        var scheduler = StreamScheduler<SimulatedInstant, MarkedPicture>(laneCount: 2)
        let streams = pictures.indices.map { index in
            scheduler.add(
                participant: "\(index)", StreamState(terms: StreamTerms(policy: .simple), gateDelay: delay))
        }
        var generator = SplitMix64(state: 5)
        var nextTimes = streams.map { _ in Int(generator.next() % 33) * 1000 }, nextFrames = streams.map { _ in 0 }
        var running: [(end: Int, analysis: StreamScheduler<SimulatedInstant, MarkedPicture>.Analysis)] = []
        var counts = GateCounts()
        for time in stride(from: 0, to: pictures[0].count * 33_333 + 3_000_000, by: 1000) {
            let now = SimulatedInstant(microseconds: time)
            for (index, stream) in streams.enumerated()
            where nextTimes[index] <= time && nextFrames[index] < pictures[index].count {
                scheduler.arrive(pictures[index][nextFrames[index]], in: stream, at: now)
                nextFrames[index] += 1
                nextTimes[index] += 33_333
            }
            for (end, analysis) in running where end <= time {
                let isAltered = analysis.frame.picture.isAltered
                scheduler.judged(
                    analysis,
                    StreamFinding(
                        level: isAltered ? .strong : .harmless, types: isAltered ? [.sexuallyExplicit] : [],
                        score: isAltered ? 1 : 0, modelName: "scripted", policy: .simple), at: now)
            }
            running.removeAll { $0.end <= time }
            scheduler.advance(to: now)
            for (index, stream) in streams.enumerated() {
                // The person continues when the altered frames are over.
                guard let active = scheduler.state(of: stream)?.activeFinding,
                    time - active.since.microseconds > 100_000, !pictures[index][nextFrames[index] - 1].isAltered
                else { continue }
                scheduler.continueStream(stream, accepts: false, at: now)
            }
            for stream in scheduler.dueStreams(at: now) {
                switch scheduler.release(from: stream, at: now).release {
                case .frame(let frame)?:
                    if frame.picture.isAltered { counts.leaked += 1 } else { counts.shown += 1 }
                case .cover(let frame, .unjudged)?: if !frame.picture.isAltered { counts.covered += 1 }
                case .cover?, nil: break
                }
            }
            while let analysis = scheduler.beginNext(at: now) { running.append((time + 26_000, analysis)) }
            _ = scheduler.takeNews(at: now)
        }
        return counts
    }
}
