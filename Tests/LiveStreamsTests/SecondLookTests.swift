// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams
import Testing

/// The search for pictures inside the frames of a stream, on a manual clock.
@Suite struct SecondLookTests {
    private typealias Player = StreamStateTests.Player

    @Test func `A judged frame is looked at a second time, once for its shot and again after two seconds`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        #expect(player.state.wantedSecondLook == nil)
        player.judge(.harmless)
        #expect(player.status == .judged && !player.state.isSettled)
        #expect(player.lookAgain(.harmless) == 1)
        #expect(player.state.isSettled)
        player.frame(2, after: 600)
        player.judge(.harmless)
        #expect(player.state.wantedSecondLook == nil)
        player.frame(3, after: 1400)
        player.judge(.harmless)
        #expect(player.lookAgain(.harmless) == 3)
        // Another shot is looked at without a wait.
        player.frame(9, after: 100)
        player.judge(.harmless)
        #expect(player.lookAgain(.harmless) == 4)
    }

    @Test func `A stream without second looks wants none`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        #expect(player.state.wantedSecondLook == nil && player.state.isSettled)
    }

    @Test func `The first answer counts until a second look ends, which then covers the stream`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        #expect(player.status == .judged)
        player.lookAgain(.suspected)
        #expect(player.status == .covered(.scripted(.suspected)))
        // The next first look at the shot, which cannot see the picture inside, confirms the suspicion.
        player.frame(2, after: 400)
        player.judge(.harmless)
        #expect(player.state.activeFinding?.finding.types == [.sexuallyExplicit])
        #expect(player.state.activeFinding?.finding.score == 0.75)
    }

    @Test func `A strong finding of a second look needs no confirmation`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        player.lookAgain(.strong)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `The finding of a second look counts for no other shot`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        player.lookAgain(.suspected)
        player.frame(9, after: 100)
        player.judge(.harmless)
        #expect(player.status == .judged && player.state.activeFinding == nil)
    }

    @Test func `A later second look at a shot takes back the finding of an earlier one`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        player.frame(2, after: 10)
        player.lookAgain(.suspected)
        player.judge(.harmless)
        #expect(player.state.activeFinding != nil)
        player.state.continueStream(accepts: true, at: player.now)
        player.frame(3, after: 2500)
        player.judge(.harmless)
        #expect(player.lookAgain(.harmless) == 3)
        player.frame(4, after: 500)
        player.judge(.harmless)
        #expect(player.state.takeEvents().last == .finding(.scripted(.harmless)))
    }

    @Test func `After the person's answer, a finding of an earlier second look covers nothing any more`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        player.lookAgain(.strong)
        #expect(player.state.activeFinding != nil)
        player.pass(3000)
        player.state.continueStream(accepts: false, at: player.now)
        player.frame(2)
        player.judge(.harmless)
        #expect(player.status == .judged && player.state.activeFinding == nil)
        // The next second look finds content that is still there.
        player.lookAgain(.strong)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `A frame that returns during its second look is judged again, because others were shown since`() {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        #expect(player.state.beginSecondLook(at: player.now) != nil)
        player.frame(9, after: 40)
        player.judge(.harmless)
        player.frame(1, after: 40)
        #expect(player.state.wanted(at: player.now)?.urgency == .new)
    }

    @Test func `A second look under superseded terms counts for nothing`() throws {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        let begun = player.state.beginSecondLook(at: player.now)
        let number = try #require(begun)
        player.state.change(.descriptive, at: player.now)
        player.state.judged(number, .scripted(.strong), at: player.now)
        #expect(player.state.activeFinding == nil)
    }

    @Test func `A failed second look makes the stream unknown until a frame is judged`() throws {
        var player = Player(looksTwice: true)
        player.frame(1)
        player.judge(.harmless)
        let begun = player.state.beginSecondLook(at: player.now)
        let number = try #require(begun)
        player.state.failed(number, .timedOut, at: player.now)
        #expect(player.status == .unknown(.failed(.timedOut)))
        player.pass(300)
        player.judge(.harmless)
        #expect(player.status == .judged)
    }

    @Test(arguments: [1, 2, 4])
    func `There is one second look at a time, which leaves a lane free and begins when nothing else is wanted`(
        laneCount: Int
    ) throws {
        var scheduler = ManualScheduler(laneCount: laneCount)
        let timing = StreamTiming(secondLookInterval: .seconds(2))
        let streams = (0..<3).map { scheduler.add(participant: "\($0)", ManualStream(terms: .simple, timing: timing)) }
        var now = ManualInstant.ms(0)
        for stream in streams { scheduler.arrive(NumberedLook(look: 1), in: stream, at: now) }
        var firstLooks = 0
        while let analysis = scheduler.beginNext(at: now), !analysis.isSecondLook {
            firstLooks += 1
            now = now.advanced(by: .milliseconds(20))
            scheduler.judged(analysis, .scripted(.harmless), at: now)
        }
        #expect(firstLooks == streams.count)
        // The loop has begun the first of the second looks.
        #expect(scheduler.beginNext(at: now) == nil)
        scheduler.arrive(NumberedLook(look: 9), in: streams[2], at: now)
        #expect(scheduler.beginNext(at: now)?.isSecondLook == (laneCount > 1 ? false : nil))
    }

    @Test func `The stream whose last second look is the longest ago comes first`() throws {
        var scheduler = ManualScheduler(laneCount: 2)
        let timing = StreamTiming(secondLookInterval: .seconds(2))
        let streams = (0..<3).map { scheduler.add(participant: "\($0)", ManualStream(terms: .simple, timing: timing)) }
        var looked: [Int] = []
        for time in 0..<7000 {
            let now = ManualInstant.ms(time)
            if time % 40 == 0 {
                for stream in streams { scheduler.arrive(NumberedLook(look: 1 + time / 40 % 2), in: stream, at: now) }
            }
            while let analysis = scheduler.beginNext(at: now) {
                if analysis.isSecondLook { looked.append(analysis.stream) }
                scheduler.judged(analysis, .scripted(.harmless), at: now)
            }
        }
        #expect(looked.prefix(3).sorted() == streams && looked.prefix(6).suffix(3) == looked.prefix(3))
        #expect(streams.allSatisfy { stream in looked.count { $0 == stream } >= 3 })
    }
}
