// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams
import TestSupport
import Testing

/// The scheduler of several streams on a manual clock.
@Suite struct StreamSchedulerTests {
    /// Plays streams with continuous motion, and returns the times from each frame to its judgement, in milliseconds.
    static func play(
        streams count: Int, seconds: Int, analysis milliseconds: Int = 26, lanes: Int = 2, gateDelay: Duration? = nil
    ) -> (latencies: [Int], gaps: [Int], isFair: Bool) {
        var scheduler = ManualScheduler(laneCount: lanes)
        var generator = SplitMix64(state: 7)
        let numbers = (0..<count).map { index in
            scheduler.add(participant: "\(index)", ManualStream(terms: .simple, gateDelay: gateDelay))
        }
        var nextFrames = numbers.map { _ in Int(generator.next() % 33) }
        var running: [(end: Int, analysis: ManualScheduler.Analysis)] = []
        var latencies: [Int] = [], gaps: [Int] = [], judgedAt: [Int: Int] = [:], counts: [Int: Int] = [:]
        for time in 0..<(seconds * 1000) {
            let now = ManualInstant.ms(time)
            for (index, number) in numbers.enumerated() where nextFrames[index] <= time {
                scheduler.arrive(NumberedLook(look: time), in: number, at: now)
                nextFrames[index] = time + 33
            }
            for (end, analysis) in running where end <= time {
                scheduler.judged(analysis, .scripted(.harmless), at: now)
                latencies.append(time - analysis.frame.arrival.milliseconds)
                if let before = judgedAt[analysis.stream] { gaps.append(time - before) }
                judgedAt[analysis.stream] = time
                counts[analysis.stream, default: 0] += 1
            }
            running.removeAll { $0.end <= time }
            while let analysis = scheduler.beginNext(at: now) { running.append((time + milliseconds, analysis)) }
            for number in scheduler.dueStreams(at: now) { _ = scheduler.release(from: number, at: now) }
            _ = scheduler.takeNews(at: now)
        }
        let most = counts.values.max() ?? 0, least = counts.values.min() ?? 0
        return (latencies.sorted(), gaps.sorted(), counts.count == count && most - least <= max(2, most / 10))
    }

    @Test(arguments: [1, 8, 16])
    func `Analyses of 26 ms on two lanes judge all streams in time and evenly`(_ count: Int) {
        let (latencies, gaps, isFair) = Self.play(streams: count, seconds: 30)
        // From a change to its judgement pass at most a gap and an analysis.
        let worst = gaps[gaps.count * 95 / 100] + latencies[latencies.count * 95 / 100]
        #expect(worst <= [1: 120, 8: 170, 16: 300][count]!)
        #expect(gaps.last! <= 600)
        #expect(isFair)
    }

    @Test
    func `With too much to do, something new is judged before motion in other streams, and no stream is forgotten`() {
        let (laneCount, duration, streamCount) = (2, 88, 8)
        var scheduler = ManualScheduler(laneCount: laneCount)
        let streams = (0..<streamCount).map { scheduler.add(participant: "\($0)", ManualStream(terms: .simple)) }
        var running: [(end: Int, analysis: ManualScheduler.Analysis)] = []
        var (latencies, gaps, begin): ([Int], [Int], [Int: Int]) = ([], [], [:])
        // The scene of each stream, the time at which it began, and whether it was judged.
        var scenes = [(look: Int, begin: Int?)](repeating: (0, nil), count: streamCount)
        for time in 0..<12_000 {
            let now = ManualInstant.ms(time)
            for (index, stream) in streams.enumerated() where (time + index * 4) % 33 == 0 {
                if time > 1000, time / 33 % 60 == index * 7 { scenes[index] = (scenes[index].look + 1000, time) }
                scheduler.arrive(NumberedLook(look: scenes[index].look + time / 33), in: stream, at: now)
            }
            for (end, analysis) in running where end == time {
                scheduler.judged(analysis, .scripted(.harmless), at: now)
                let index = streams.firstIndex(of: analysis.stream)!
                if let begin = scenes[index].begin, analysis.frame.picture.look >= scenes[index].look {
                    latencies.append(time - begin)
                    scenes[index].begin = nil
                }
            }
            running.removeAll { $0.end == time }
            while let analysis = scheduler.beginNext(at: now) {
                if let last = begin[analysis.stream] { gaps.append(time - last) }
                begin[analysis.stream] = time
                running.append((time + duration, analysis))
            }
        }
        #expect(latencies.count > 40 && latencies.max()! <= 2 * duration + 10, "\(latencies.max()!)")
        #expect(gaps.max()! <= 500 + 2 * duration, "\(gaps.max()!)")
    }

    /// Analyses on one core that they share, so that two of them take twice as long as one.
    struct SharedCore {
        private var running: [(remaining: Int, analysis: ManualScheduler.Analysis)] = []
        /// The parts of a millisecond of work, which are divisible by the numbers of lanes.
        private static let parts = 60

        mutating func begin(_ analysis: ManualScheduler.Analysis, milliseconds: Int) {
            running.append((milliseconds * Self.parts, analysis))
        }

        /// Works for a millisecond, and returns the analyses that have ended.
        mutating func work() -> [ManualScheduler.Analysis] {
            for index in running.indices { running[index].remaining -= Self.parts / running.count }
            defer { running.removeAll { $0.remaining <= 0 } }
            return running.filter { $0.remaining <= 0 }.map(\.analysis)
        }
    }

    @Test(
        "On a shared core, 95 % of new scenes of eight decoded streams are judged in the time of three analyses"
    )
    func busyProcessors() {
        var (scheduler, core) = (ManualScheduler(laneCount: 2), SharedCore())
        var generator = SplitMix64(state: 3)
        let streams = (0..<8).map {
            scheduler.add(participant: "\($0)", isDecodedHere: true, ManualStream(terms: .simple))
        }
        var (latencies, gaps, judgedAt): ([Int], [Int], [Int: Int]) = ([], [], [:])
        var scenes = [(look: Int, begin: Int?)](repeating: (0, nil), count: streams.count)
        for time in 0..<60_000 {
            let now = ManualInstant.ms(time)
            for (index, stream) in streams.enumerated() where (time + index * 4) % 33 == 0 {
                if time > 5000, time / 33 % 60 == index * 7 { scenes[index] = (scenes[index].look + 1000, time) }
                scheduler.arrive(NumberedLook(look: scenes[index].look + time / 33), in: stream, at: now)
            }
            for analysis in core.work() {
                scheduler.judged(analysis, .scripted(.harmless), at: now)
                let index = streams.firstIndex(of: analysis.stream)!
                if let last = judgedAt[index], time > 5000 { gaps.append(time - last) }
                judgedAt[index] = time
                if let begin = scenes[index].begin, analysis.frame.arrival >= .ms(begin) {
                    latencies.append(time - begin)
                    scenes[index].begin = nil
                }
            }
            while let analysis = scheduler.beginNext(at: now) {
                core.begin(analysis, milliseconds: 30 + Int(generator.next() % 21))
            }
        }
        let sorted = latencies.sorted()
        #expect(sorted.count > 150 && sorted[sorted.count * 95 / 100] <= 3 * 40, "\(sorted.suffix(20))")
        #expect(gaps.max()! <= 600, "\(gaps.max()!)")
    }

    /// Two lanes and eight streams, of each of which the frame at 0 ms was judged.
    static func judgedStreams(decodedCount: Int) -> (scheduler: ManualScheduler, streams: [Int]) {
        var scheduler = ManualScheduler(laneCount: 2)
        let streams = (0..<8).map { index in
            scheduler.add(participant: "\(index)", isDecodedHere: index < decodedCount, ManualStream(terms: .simple))
        }
        for stream in streams {
            scheduler.arrive(NumberedLook(look: 1), in: stream, at: .ms(0))
            scheduler.judged(scheduler.beginNext(at: .ms(0))!, .scripted(.harmless), at: .ms(0))
        }
        return (scheduler, streams)
    }

    @Test("With many decoded streams, motion leaves a lane to something new", arguments: [4, 5])
    func lastLane(_ decodedCount: Int) {
        let (judged, streams) = Self.judgedStreams(decodedCount: decodedCount)
        var scheduler = judged
        for stream in streams { scheduler.arrive(NumberedLook(look: 2), in: stream, at: .ms(100)) }
        #expect(scheduler.beginNext(at: .ms(100)) != nil)
        #expect((scheduler.beginNext(at: .ms(100)) == nil) == (decodedCount == 5))
        scheduler.arrive(NumberedLook(look: 9), in: streams[7], at: .ms(101))
        #expect(scheduler.beginNext(at: .ms(101))?.stream == (decodedCount == 5 ? streams[7] : nil))
    }

    @Test func `A stream of nothing but cuts leaves a lane to the motion of many decoded streams`() throws {
        let (judged, streams) = Self.judgedStreams(decodedCount: 8)
        var scheduler = judged
        scheduler.arrive(NumberedLook(look: 9), in: streams[0], at: .ms(100))
        scheduler.arrive(NumberedLook(look: 2), in: streams[1], at: .ms(100))
        let (cut, motion) = (scheduler.beginNext(at: .ms(100)), scheduler.beginNext(at: .ms(100)))
        #expect(cut?.stream == streams[0] && motion?.stream == streams[1])
        scheduler.judged(try #require(cut), .scripted(.harmless), at: .ms(120))
        // Motion has one of the two lanes, and the other is kept from it.
        scheduler.arrive(NumberedLook(look: 2), in: streams[2], at: .ms(120))
        #expect(scheduler.beginNext(at: .ms(120)) == nil)
        scheduler.judged(try #require(motion), .scripted(.harmless), at: .ms(130))
        #expect(scheduler.beginNext(at: .ms(130))?.stream == streams[2])
    }

    @Test func `The scheduler wakes for an overdue stream that a kept lane has refused`() {
        let (judged, streams) = Self.judgedStreams(decodedCount: 8)
        var scheduler = judged
        for stream in streams[0...1] { scheduler.arrive(NumberedLook(look: 2), in: stream, at: .ms(100)) }
        #expect(scheduler.beginNext(at: .ms(100)) != nil && scheduler.beginNext(at: .ms(100)) == nil)
        // The first analysis still runs, and no source sends a frame.
        #expect(scheduler.nextChange(after: .ms(410)) == .ms(450))
        #expect(scheduler.beginNext(at: .ms(450))?.stream == streams[1])
    }

    @Test func `Of two changed streams the one with the earlier deadline is analysed first`() {
        var scheduler = ManualScheduler(laneCount: 1)
        let first = scheduler.add(participant: "a", ManualStream(terms: .simple))
        let second = scheduler.add(participant: "b", ManualStream(terms: .simple))
        scheduler.arrive(NumberedLook(look: 1), in: second, at: .ms(0))
        scheduler.arrive(NumberedLook(look: 1), in: first, at: .ms(5))
        #expect(scheduler.beginNext(at: .ms(5))?.stream == second)
        #expect(scheduler.beginNext(at: .ms(5)) == nil)
    }

    @Test func `A finding reaches the other streams of the participant and no other participant`() {
        var scheduler = ManualScheduler(laneCount: 2)
        let camera = scheduler.add(participant: "a", ManualStream(terms: .simple))
        let screen = scheduler.add(participant: "a", ManualStream(terms: .simple))
        let other = scheduler.add(participant: "b", ManualStream(terms: .simple))
        scheduler.arrive(NumberedLook(look: 1), in: camera, at: .ms(0))
        let analysis = scheduler.beginNext(at: .ms(0))!
        scheduler.judged(analysis, .scripted(.strong), at: .ms(26))
        #expect(scheduler.state(of: screen)?.activeFinding?.finding == .scripted(.strong))
        #expect(scheduler.state(of: other)?.activeFinding == nil)
        let news = scheduler.takeNews(at: .ms(26))
        #expect(news.filter { $0.events == [.finding(.scripted(.strong))] }.map(\.stream) == [camera, screen])
        scheduler.continueStream(screen, accepts: false, at: .ms(3000))
        #expect(scheduler.state(of: camera)?.activeFinding == nil)
        #expect(scheduler.state(of: screen)?.activeFinding == nil)
    }

    @Test func `A stream that begins after a finding of its participant is analysed, and has its own finding`() throws {
        var scheduler = ManualScheduler(laneCount: 1)
        let camera = scheduler.add(participant: "a", ManualStream(terms: .simple))
        scheduler.arrive(NumberedLook(look: 1), in: camera, at: .ms(0))
        let first = scheduler.beginNext(at: .ms(0))
        scheduler.judged(try #require(first), .scripted(.strong), at: .ms(26))
        let screen = scheduler.add(participant: "a", ManualStream(terms: .simple))
        scheduler.arrive(NumberedLook(look: 1), in: screen, at: .ms(30))
        scheduler.advance(to: .ms(40))
        #expect(scheduler.state(of: screen)?.activeFinding == nil)
        let second = scheduler.beginNext(at: .ms(40))
        scheduler.judged(try #require(second), .scripted(.strong), at: .ms(66))
        scheduler.continueStream(camera, accepts: false, at: .ms(3000))
        #expect(scheduler.state(of: camera)?.activeFinding == nil)
        #expect(scheduler.state(of: screen)?.activeFinding?.origin == screen)
    }

    @Test func `The analysis of a removed stream frees its lane when it ends`() {
        var scheduler = ManualScheduler(laneCount: 1)
        let first = scheduler.add(participant: "a", ManualStream(terms: .simple))
        let second = scheduler.add(participant: "b", ManualStream(terms: .simple))
        scheduler.arrive(NumberedLook(look: 1), in: first, at: .ms(0))
        let analysis = scheduler.beginNext(at: .ms(0))!
        scheduler.remove(first)
        scheduler.arrive(NumberedLook(look: 1), in: second, at: .ms(1))
        #expect(scheduler.beginNext(at: .ms(1)) == nil)
        scheduler.judged(analysis, .scripted(.harmless), at: .ms(26))
        #expect(scheduler.beginNext(at: .ms(26))?.stream == second)
    }

    @Test func `At twice the load streams become unknown and are judged again within a second after it`() {
        var scheduler = ManualScheduler(laneCount: 1)
        let numbers = (0..<40).map { scheduler.add(participant: "\($0)", ManualStream(terms: .simple)) }
        var running: (end: Int, analysis: ManualScheduler.Analysis)?
        var unknown: Set<Int> = []
        for time in 0..<8000 {
            let now = ManualInstant.ms(time)
            // Analyses take 80 ms for five seconds, and 10 ms afterwards.
            let cost = time < 5000 ? 80 : 10
            if time % 33 == 0 {
                for number in numbers { scheduler.arrive(NumberedLook(look: time), in: number, at: now) }
            }
            if let (end, analysis) = running, end <= time {
                scheduler.judged(analysis, .scripted(.harmless), at: now)
                running = nil
            }
            if running == nil, let next = scheduler.beginNext(at: now) { running = (time + cost, next) }
            for news in scheduler.takeNews(at: now) where news.status == .unknown(.late) { unknown.insert(news.stream) }
            if time == 6000 {
                let late = numbers.filter { scheduler.state(of: $0)?.status(at: now) != .judged }
                #expect(late.isEmpty)
            }
        }
        #expect(unknown.count == numbers.count)
    }

    @Test("The failure of a source concerns its stream alone") func sourceFailure() {
        var scheduler = ManualScheduler(laneCount: 1)
        let numbers = ["a", "b"].map { scheduler.add(participant: $0, ManualStream(terms: .simple)) }
        _ = scheduler.takeNews(at: .ms(0))
        scheduler.sourceFailed(numbers[1], .malformedMedia)
        let news = scheduler.takeNews(at: .ms(1))
        #expect(news.map(\.stream) == [numbers[1]] && news.first?.status == .unknown(.failed(.malformedMedia)))
    }

    @Test func `A status is told once and again only after it has changed`() {
        var scheduler = ManualScheduler(laneCount: 1)
        let stream = scheduler.add(participant: "a", ManualStream(terms: .simple))
        #expect(scheduler.takeNews(at: .ms(0)).map(\.status) == [.unknown(.notYetJudged)])
        scheduler.arrive(NumberedLook(look: 1), in: stream, at: .ms(1))
        #expect(scheduler.takeNews(at: .ms(1)).isEmpty)
        scheduler.judged(scheduler.beginNext(at: .ms(1))!, .scripted(.harmless), at: .ms(27))
        #expect(scheduler.takeNews(at: .ms(27)).map(\.status) == [.judged])
    }
}
