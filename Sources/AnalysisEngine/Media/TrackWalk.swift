// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import HelperProtocol

extension OpenMedia: TrackFrames {}

/// Walks through a track; the decoder finds the next frame while the model scores earlier frames.
struct TrackWalk {
    let media: any TrackFrames
    var analysis: TrackAnalysis
    let scorer: FrameScorer
    let concurrency: Int
    let stopsEarly: Bool
    /// Whether the decoder reports everything that is shown; no moment is then looked up before the end.
    let isComplete: Bool
    /// Whether the edges of sensitive stretches are located.
    let locatesEdges: Bool
    /// The longest time for which a decoder may report no progress.
    let longestStall: Duration
    /// Whether parts of any frame could not be decoded correctly.
    private(set) var hasDamage = false

    /// The number and the times of a frame that is being scored.
    private struct Place: Sendable {
        let number: Int
        let start: Duration
        let end: Duration
    }

    /// The number of frames that are being scored, and the repetitions of them that the decoder reported meanwhile.
    private struct Flight {
        var count = 0
        var latestNumber = 0
        var repetitions: [Int: [Place]] = [:]
        var latest: (number: Int, scored: FrameScorer.Scored)?
    }

    private typealias Group = ThrowingTaskGroup<(Place, FrameScorer.Scored), any Error>

    /// Walks to the end of the track, or until the track is found sensitive.
    ///
    /// - Returns: the end that the decoder reports, or nil if the track was found sensitive before.
    mutating func run(progress: (Double, Duration) -> Void) async throws -> OpenMedia.End? {
        var walk = self
        defer { self = walk }
        return try await withThrowingTaskGroup(of: (Place, FrameScorer.Scored).self) { group in
            defer { group.cancelAll() }
            var flight = Flight()
            var watch = StallWatch(limit: walk.longestStall, work: { [media = walk.media] in media.work })
            while true {
                if !walk.isComplete, walk.analysis.nextMoment != nil {
                    try await walk.land(&flight, of: &group, leaving: 0)
                    try await walk.lookAround()
                }
                if walk.isDecided {
                    try await walk.findEdges()
                    return nil
                }
                let event: OpenMedia.Event
                do {
                    event = try await walk.media.next()
                } catch let failure as AnalysisFailure {
                    // Earlier frames may be sensitive, and the failure must not hide that.
                    try await walk.land(&flight, of: &group, leaving: 0)
                    throw failure
                }
                switch event {
                case .frame(let picture, let start, let end):
                    walk.hasDamage = walk.hasDamage || picture.isDamaged
                    progress(walk.share(of: start), start)
                    try await walk.land(&flight, of: &group, leaving: walk.concurrency - 1)
                    flight.latestNumber += 1
                    flight.count += 1
                    let place = Place(number: flight.latestNumber, start: start, end: end)
                    let scorer = walk.scorer
                    group.addTask { (place, try await scorer.score(picture)) }
                case .repetition(let start, let end):
                    guard flight.latestNumber > 0 else { throw HelperLie() }
                    progress(walk.share(of: start), start)
                    let place = Place(number: flight.latestNumber, start: start, end: end)
                    if let latest = flight.latest, latest.number == place.number {
                        try walk.analysis.add(latest.scored, start: start, end: end, isRepetition: true)
                    } else {
                        flight.repetitions[place.number, default: []].append(place)
                        if flight.repetitions[place.number]?.count == Self.mostRepetitions {
                            try await walk.land(&flight, of: &group, leaving: 0)
                        }
                    }
                case .progress(let share, let position):
                    try watch.note(share, position)
                    progress(share, position)
                    if flight.count > 0 { try await walk.land(&flight, of: &group, leaving: flight.count - 1) }
                case .end(let end):
                    try await walk.land(&flight, of: &group, leaving: 0)
                    walk.analysis.finish(at: end.duration)
                    try await walk.lookAround()
                    try await walk.findEdges()
                    return end
                }
            }
        }
    }

    private var isDecided: Bool { stopsEarly && !analysis.detectedTypes.isEmpty }

    private func share(of moment: Duration) -> Double {
        let duration = analysis.timeline.duration
        return duration > .zero ? min(1, moment / duration) : 0
    }

    /// Waits until at most `most` frames are being scored.
    private mutating func land(_ flight: inout Flight, of group: inout Group, leaving most: Int) async throws {
        while flight.count > max(0, most), let (place, scored) = try await group.next() {
            flight.count -= 1
            try analysis.add(scored, start: place.start, end: place.end)
            if place.number == flight.latestNumber { flight.latest = (place.number, scored) }
            for other in flight.repetitions.removeValue(forKey: place.number) ?? [] {
                try analysis.add(scored, start: other.start, end: other.end, isRepetition: true)
            }
        }
    }

    /// Analyses frames beside frames that reach the ordinary threshold, until the rule is decided.
    private mutating func lookAround() async throws {
        while !isDecided, let moment = analysis.nextMoment { try await look(at: moment) }
    }

    /// Locates the edges of sensitive stretches, and stops at a failure without throwing it.
    private mutating func findEdges() async throws {
        guard locatesEdges else { return }
        var looks = 0
        while looks < Self.mostEdgeLooks, let moment = analysis.nextEdgeMoment {
            looks += 1
            do {
                try await look(at: moment)
            } catch is AnalysisFailure {
                return
            }
        }
    }

    private mutating func look(at moment: Duration) async throws {
        var clock = WorkClock(limit: longestStall * Self.lookFactor, processorTime: { [media] in media.work })
        while true {
            try Task.checkCancellation()
            // The time is bounded, because each look may read a container without an index from its start.
            guard clock.remainingMilliseconds() > 0 else { throw StallWatch.failure }
            switch try await media.frame(shownAt: moment) {
            case .frame(let picture, let start, let end):
                hasDamage = hasDamage || picture.isDamaged
                let isNew = try analysis.add(try await scorer.score(picture), start: start, end: end)
                // Neither `nextMoment` nor `nextEdgeMoment` may return the same moment again.
                if !isNew || start > moment || end <= moment { analysis.noteNothingNew(at: moment) }
                return
            case .progress: continue
            case .repetition: throw HelperLie()
            case .end(let end):
                guard end.reason == .end else {
                    throw AnalysisFailure(
                        .limitExceeded,
                        "The video has more frames to decode than the limit allows. Raise the limit on frames.")
                }
                analysis.noteNothingNew(at: moment)
                return
            }
        }
    }

    /// The largest number of repetitions that wait for the score of their frame.
    private static let mostRepetitions = 16
    private static let mostEdgeLooks = 200
    private static let lookFactor = 60
}
