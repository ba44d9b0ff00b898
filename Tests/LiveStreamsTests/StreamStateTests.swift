// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams
import Testing

/// The behaviour of one stream on a manual clock.
@Suite struct StreamStateTests {
    /// A stream with its own clock, and frames that are numbered by their order.
    struct Player {
        var state: ManualStream
        var now = ManualInstant.ms(0)
        var count = 0

        init(_ terms: StreamTerms = .simple, gateDelay: Duration? = nil, looksTwice: Bool = false) {
            state = ManualStream(
                terms: terms, gateDelay: gateDelay,
                timing: StreamTiming(secondLookInterval: looksTwice ? .seconds(2) : nil))
        }

        mutating func frame(_ look: Int, after milliseconds: Int = 0) {
            now = now.advanced(by: .milliseconds(milliseconds))
            count += 1
            state.arrive(ManualStream.Frame(number: count, arrival: now, picture: NumberedLook(look: look)))
        }

        /// Begins the wanted analysis, if it may begin, and returns its number.
        mutating func begin() -> Int? {
            guard let wanted = state.wanted(at: now), wanted.earliest <= now else { return nil }
            return state.beginAnalysis(at: now)
        }

        mutating func judge(
            _ level: StreamFinding.Level, _ types: Set<ContentType>? = nil, after milliseconds: Int = 26
        ) {
            let number = begin()
            now = now.advanced(by: .milliseconds(milliseconds))
            if let number { state.judged(number, .scripted(level, types), at: now) }
        }

        /// Ends a second look at the wanted frame, and returns the number of the frame; nil if no look is wanted.
        @discardableResult
        mutating func lookAgain(_ level: StreamFinding.Level, after milliseconds: Int = 100) -> Int? {
            let frame = state.wantedSecondLook?.number
            guard let number = state.beginSecondLook(at: now) else { return nil }
            now = now.advanced(by: .milliseconds(milliseconds))
            state.judged(number, .scripted(level), at: now)
            return frame
        }

        mutating func pass(_ milliseconds: Int) {
            now = now.advanced(by: .milliseconds(milliseconds))
            state.advance(to: now)
        }

        var status: StreamStatus { state.status(at: now) }
    }

    @Test func `A stream is unknown before its first judgement and judged after it`() {
        var player = Player()
        player.frame(1)
        #expect(player.status == .unknown(.notYetJudged))
        player.judge(.harmless)
        #expect(player.status == .judged)
        #expect(player.state.takeEvents() == [.finding(.scripted(.harmless))])
    }

    @Test func `A harmless stream is reported once, and not with each judged frame`() {
        var player = Player()
        for look in [1, 5, 9] {
            player.frame(look, after: 100)
            player.judge(.harmless)
        }
        #expect(player.state.takeEvents() == [.finding(.scripted(.harmless))])
    }

    @Test func `A strong finding pauses the analysis until the person continues`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong)
        #expect(player.state.activeFinding?.finding == .scripted(.strong))
        #expect(player.status == .covered(.scripted(.strong)))
        player.frame(2, after: 500)
        #expect(player.state.wanted(at: player.now) == nil)
        player.state.continueStream(at: player.now)
        #expect(player.state.activeFinding == nil)
        #expect(player.state.wanted(at: player.now)?.frame.number == 2)
    }

    @Test func `A suspicion is confirmed by the next analysed frame`() {
        var player = Player()
        player.frame(1)
        player.judge(.suspected)
        #expect(player.state.activeFinding == nil)
        #expect(player.status == .covered(.scripted(.suspected)))
        player.frame(1, after: 7)
        #expect(player.state.wanted(at: player.now)?.frame.number == 2)
        player.state.judged(player.begin() ?? 0, .scripted(.suspected), at: player.now)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `A suspicion is dismissed by the next harmless frame`() {
        var player = Player()
        player.frame(1)
        player.judge(.suspected)
        player.frame(2, after: 7)
        player.judge(.harmless)
        #expect(player.status == .judged)
        #expect(player.state.takeEvents() == [.finding(.scripted(.harmless))])
    }

    @Test func `A suspicion about a stream that stands still is a finding after a second`() {
        var player = Player()
        player.frame(1)
        player.judge(.suspected)
        player.pass(999)
        #expect(player.state.activeFinding == nil)
        player.pass(1)
        #expect(player.state.activeFinding?.finding.level == .suspected)
    }

    @Test func `Results in another order than their frames confirm each other only as neighbours`() {
        var player = Player()
        for look in 1...3 {
            player.frame(look * 10, after: 1)
            #expect(player.begin() == look)
        }
        player.state.judged(3, .scripted(.suspected), at: player.now)
        player.state.judged(2, .scripted(.harmless), at: player.now)
        player.state.judged(1, .scripted(.suspected), at: player.now)
        #expect(player.state.activeFinding == nil)
    }

    @Test func `A change is due 150 ms after its arrival although newer frames replace it`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(2, after: 100)
        let due = player.now.advanced(by: .milliseconds(150))
        for _ in 1...3 { player.frame(2, after: 33) }
        let wanted = player.state.wanted(at: player.now)
        #expect(wanted?.frame.number == 5 && wanted?.due == due)
        #expect(wanted?.urgency == .routine)
        // A frame that shows something else is due earlier.
        player.frame(30)
        #expect(player.state.wanted(at: player.now)?.due == player.now.advanced(by: .milliseconds(10)))
        #expect(player.state.wanted(at: player.now)?.urgency == .new)
    }

    @Test func `A stream that does not change is analysed 0.4 to 0.5 s after the last analysis`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(1, after: 33)
        let wanted = player.state.wanted(at: player.now)
        #expect(wanted?.earliest == .ms(400) && wanted?.due == .ms(500))
    }

    @Test("A frame that was judged is not analysed again") func judgedFrame() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.pass(10_000)
        #expect(player.begin() == nil)
    }

    @Test func `A frame like one that is being analysed is not urgent, and the nearer of two frames counts`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(9, after: 100)
        #expect(player.begin() != nil)
        player.frame(9, after: 1)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(127 + 399))
        player.frame(2, after: 1)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(126 + 60))
    }

    @Test func `A change that has gone again is not urgent, and neither is a small change after it`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(5, after: 1)
        player.frame(1, after: 1)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(400))
        player.frame(2, after: 1)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(60))
    }

    @Test func `A cut that has gone again does not come before other streams`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(5, after: 1)
        #expect(player.state.wanted(at: player.now)?.urgency == .new)
        player.frame(1, after: 1)
        #expect(player.state.wanted(at: player.now)?.urgency == .routine)
    }

    @Test func `A frame that has to be judged under new terms comes before other streams`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.state.change(.descriptive, at: player.now)
        #expect(player.state.wanted(at: player.now)?.urgency == .new)
    }

    @Test func `A stream comes before motion after 400 ms, and before new scenes after 450 ms`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(1, after: 1)
        // The analysis began at 0 ms.
        for (time, urgency) in [(399, ManualStream.Urgency.routine), (400, .waiting), (449, .waiting), (450, .overdue)]
        {
            #expect(player.state.wanted(at: .ms(time))?.urgency == urgency, "\(time) ms")
        }
        player.frame(9, after: 1)
        #expect(player.state.wanted(at: .ms(449))?.urgency == .new)
        #expect(player.state.wanted(at: .ms(450))?.urgency == .overdue)
    }

    @Test func `A harmless result of an older frame is not reported after a newer suspicion`() {
        var player = Player()
        player.frame(1)
        let first = player.begin()
        player.frame(5, after: 10)
        let second = player.begin()
        player.state.judged(second!, .scripted(.suspected), at: .ms(30))
        player.state.judged(first!, .scripted(.harmless), at: .ms(36))
        #expect(player.state.takeEvents().isEmpty)
    }

    @Test func `A slow change counts from the last judged frame`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(2, after: 33)
        #expect(player.state.wanted(at: player.now)?.due == player.now.advanced(by: .milliseconds(150)))
    }

    @Test func `A small change without a gate waits 60 ms after the last beginning`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless, after: 10)
        player.frame(2)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(60))
        player.frame(9)
        #expect(player.state.wanted(at: player.now)?.earliest == player.now)
    }

    @Test func `A stream whose frames were not judged for a second is unknown`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(5, after: 100)
        player.pass(999)
        #expect(player.status == .judged)
        player.pass(1)
        #expect(player.status == .unknown(.late))
    }

    @Test func `A late stream is judged again when its frames were judged in time for 500 ms`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(5, after: 100)
        player.pass(1000)
        player.judge(.harmless)
        #expect(player.status == .unknown(.late))
        player.frame(9, after: 300)
        player.judge(.harmless, after: 199)
        #expect(player.status == .unknown(.late))
        #expect(player.state.nextChange(after: player.now) == player.now.advanced(by: .milliseconds(1)))
        player.pass(1)
        #expect(player.status == .judged)
    }

    @Test("A stream that is late again and again does not alternate between late and judged")
    func slowAnalyses() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        var changes: [StreamStatus] = []
        // Two analyses run at a time, and each takes 900 ms.
        var running: [(number: Int, end: ManualInstant)] = []
        for step in 1...400 {
            player.frame(step, after: 25)
            if let first = running.first, first.end <= player.now {
                player.state.judged(first.number, .scripted(.harmless), at: player.now)
                running.removeFirst()
            }
            if running.count < 2, running.last.map({ $0.end <= player.now.advanced(by: .milliseconds(450)) }) ?? true,
                let number = player.begin()
            {
                running.append((number, player.now.advanced(by: .milliseconds(900))))
            }
            if changes.last != player.status { changes.append(player.status) }
        }
        #expect(changes == [.judged, .unknown(.late)])
    }

    @Test func `A stream that was not judged within a second of its first frame is late`() {
        var player = Player()
        player.frame(1)
        player.pass(999)
        #expect(player.status == .unknown(.notYetJudged))
        player.pass(1)
        #expect(player.status == .unknown(.late))
        player.judge(.harmless)
        #expect(player.status == .unknown(.late))
        player.pass(500)
        #expect(player.status == .judged)
    }

    @Test func `A stream that is continued is unknown until a frame is judged, also after harmless frames`() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.state.adopt(.scripted(.strong), at: player.now, origin: 7)
        player.frame(9, after: 60_000)
        player.state.continueStream(at: player.now)
        #expect(player.status == .unknown(.notYetJudged))
        player.judge(.harmless)
        #expect(player.status == .judged)
    }

    @Test("A stream whose source has failed is unknown, whatever is judged of its frames") func sourceFailure() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.frame(20, after: 100)
        let running = player.begin()
        _ = player.state.takeEvents()
        player.state.sourceFailed(.malformedMedia)
        player.state.sourceFailed(.malformedMedia)
        #expect(player.state.takeEvents() == [.failure(.malformedMedia)])
        player.state.judged(running ?? 0, .scripted(.harmless), at: player.now)
        #expect(player.status == .unknown(.failed(.malformedMedia)) && player.state.takeEvents().isEmpty)
        player.state.sourceFailed(.timedOut)
        #expect(player.state.takeEvents() == [.failure(.timedOut)])
        // A frame that comes nevertheless changes nothing.
        player.frame(9)
        player.judge(.harmless)
        #expect(player.status == .unknown(.failed(.timedOut)) && player.state.takeEvents().isEmpty)
        player.state.change(StreamTerms(policy: .descriptive), at: player.now)
        player.judge(.harmless)
        #expect(player.status == .unknown(.failed(.timedOut)) && player.state.takeEvents().isEmpty)
    }

    @Test func `A suspicion without further frames is confirmed after a second, which is the next change`() {
        var player = Player(.descriptive)
        player.frame(2)
        player.judge(.suspected)
        let end = player.now.advanced(by: .seconds(1))
        #expect(player.state.nextChange(after: player.now) == end)
        #expect(player.state.nextChange(after: end) == nil)
    }

    @Test("The success of an earlier frame does not hide the failure of a later frame") func earlierSuccess() {
        var player = Player()
        player.frame(1)
        let first = player.begin()
        player.frame(20, after: 5)
        let second = player.begin()
        player.state.failed(second ?? 0, .modelUnavailable, at: player.now)
        player.state.judged(first ?? 0, .scripted(.harmless), at: player.now)
        #expect(player.status == .unknown(.failed(.modelUnavailable)))
        #expect(player.state.takeEvents() == [.failure(.modelUnavailable)])
        player.pass(250)
        player.judge(.harmless)
        #expect(player.status == .judged)
    }

    @Test func `A failed analysis makes the stream unknown and is repeated after 250 ms`() {
        var player = Player()
        player.frame(1)
        #expect(player.begin() == 1)
        player.state.failed(1, .modelUnavailable, at: player.now)
        #expect(player.status == .unknown(.failed(.modelUnavailable)))
        #expect(player.state.takeEvents() == [.failure(.modelUnavailable)])
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(250))
        player.pass(250)
        player.judge(.harmless)
        #expect(player.status == .judged)
    }

    @Test func `A success ends the pause after a failure, and so does a change of the terms`() {
        var player = Player()
        player.frame(1)
        let (first, _) = (player.begin(), player.frame(20, after: 5))
        let second = player.begin()
        player.state.failed(first ?? 0, .timedOut, at: player.now)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(255))
        player.state.judged(second ?? 0, .scripted(.harmless), at: player.now)
        player.frame(40, after: 1)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(6))
        player.state.failed(player.begin() ?? 0, .timedOut, at: player.now)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(256))
        player.state.change(.descriptive, at: player.now)
        #expect(player.state.wanted(at: player.now)?.earliest == .ms(6))
    }

    @Test
    func `A frame whose analysis failed during a finding stays covered, although the person accepts the content`() {
        var player = Player(gateDelay: .seconds(1))
        player.frame(1)
        player.judge(.harmless)
        player.frame(1, after: 33)
        let failing = player.state.beginAnalysis(at: player.now)
        player.frame(50, after: 1)
        player.judge(.strong)
        #expect(player.state.activeFinding != nil)
        player.state.failed(failing ?? 0, .timedOut, at: player.now)
        player.state.continueStream(accepts: true, at: player.now)
        _ = player.state.release(at: .ms(1000))
        guard case .cover(let frame, .unjudged) = player.state.release(at: .ms(1059)).release else {
            Issue.record("a frame whose analysis failed left the gate")
            return
        }
        #expect(frame.number == 2)
    }

    @Test("A superseded analysis is repeated with the newest frame after 250 ms") func supersededAnalysis() {
        var player = Player()
        player.frame(1)
        let number = player.begin()
        player.frame(1, after: 10)
        player.state.superseded(number ?? 0, at: player.now)
        let wanted = player.state.wanted(at: player.now)
        #expect(wanted?.frame.number == 2 && wanted?.earliest == .ms(260))
        // A number that is not running, or a stream that waits for the person, changes nothing.
        player.pass(250)
        player.judge(.strong)
        player.state.superseded(number ?? 0, at: player.now)
        #expect(player.state.wanted(at: player.now) == nil && player.state.isSettled)
    }

    @Test("A stream without a gate keeps a few judgements only") func fewJudgements() {
        var player = Player()
        for look in 1...200 {
            player.frame(look * 10, after: 40)
            player.judge(.harmless, after: 1)
        }
        #expect(player.state.keptCount - player.state.takeEvents().count < 8)
    }

    @Test func `A repeated failure is reported once`() {
        var player = Player()
        player.frame(1)
        for _ in 1...3 {
            let number = player.begin()
            player.state.failed(number ?? 0, .timedOut, at: player.now)
            player.pass(250)
        }
        #expect(player.state.takeEvents() == [.failure(.timedOut)])
    }

    @Test func `A change of the policy voids earlier judgements`() {
        var player = Player(gateDelay: .zero)
        player.frame(1)
        player.judge(.harmless)
        player.state.change(.descriptive, at: player.now)
        #expect(player.status == .unknown(.notYetJudged))
        #expect(player.state.wanted(at: player.now)?.frame.number == 1)
        guard case .cover(_, .unjudged) = player.state.release(at: player.now).release else {
            Issue.record("a frame that was judged under another policy left the gate")
            return
        }
    }

    @Test("A harmless stream is reported again under another policy and after a failure") func harmlessAgain() {
        var player = Player()
        player.frame(1)
        player.judge(.harmless)
        player.state.change(.descriptive, at: player.now)
        player.judge(.harmless)
        player.frame(9, after: 100)
        player.state.failed(player.begin() ?? 0, .timedOut, at: player.now)
        player.pass(250)
        player.judge(.harmless)
        let harmless = StreamEvent.finding(.scripted(.harmless))
        #expect(player.state.takeEvents() == [harmless, harmless, .failure(.timedOut), harmless])
    }

    @Test func `A result that began under another policy is dropped`() {
        var player = Player()
        player.frame(1)
        #expect(player.begin() == 1)
        player.state.change(.descriptive, at: player.now)
        player.state.judged(1, .scripted(.harmless), at: player.now)
        #expect(player.status == .unknown(.notYetJudged))
    }

    @Test func `Content that the person accepted is no new finding until two seconds passed without it`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong)
        player.state.continueStream(accepts: true, at: player.now)
        for step in 0..<10 {
            player.frame(step * 5, after: 300)
            player.judge(.strong)
            #expect(player.state.activeFinding == nil)
        }
        // 9 × 326 ms are more than two seconds since the last sensitive frame.
        for step in 0..<9 {
            player.frame(step * 5, after: 300)
            player.judge(.harmless)
        }
        player.frame(100, after: 300)
        player.judge(.strong)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `Content of another type is a finding although the person accepted one type`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong, [.sexuallyExplicit])
        player.state.continueStream(accepts: true, at: player.now)
        player.frame(9, after: 300)
        player.judge(.strong, [.goreOrViolence])
        #expect(player.state.activeFinding?.finding.types == [.goreOrViolence])
    }

    @Test func `Content that was away for exactly two seconds is a new finding`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong, after: 0)
        player.state.continueStream(accepts: true, at: player.now)
        player.frame(5, after: 2000)
        player.judge(.strong, after: 0)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `Content of another type does not prolong the acceptance`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong, [.sexuallyExplicit], after: 0)
        player.state.continueStream(accepts: true, at: player.now)
        player.frame(5, after: 1500)
        player.judge(.suspected, [.goreOrViolence], after: 0)
        player.frame(9, after: 100)
        player.judge(.harmless, after: 0)
        player.frame(13, after: 500)
        player.judge(.strong, [.sexuallyExplicit], after: 0)
        #expect(player.state.activeFinding?.finding.types == [.sexuallyExplicit])
    }

    @Test func `A change of other terms than the policy keeps the acceptance`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong)
        player.state.continueStream(accepts: true, at: player.now)
        player.state.change(StreamTerms(policy: .simple, revision: 1), at: player.now)
        player.judge(.strong)
        #expect(player.state.activeFinding == nil)
    }

    @Test func `A stricter policy ends the acceptance of content`() {
        var player = Player()
        player.frame(1)
        player.judge(.strong)
        player.state.continueStream(accepts: true, at: player.now)
        player.state.change(.descriptive, at: player.now)
        player.frame(9, after: 300)
        player.judge(.strong)
        #expect(player.state.activeFinding != nil)
    }

    @Test func `Under a disabled policy nothing is analysed and the status says so`() {
        var player = Player(.disabled, gateDelay: .zero)
        player.frame(1)
        #expect(player.state.wanted(at: player.now) == nil)
        #expect(player.status == .unknown(.disabled))
        guard case .cover(_, .disabled) = player.state.release(at: player.now).release else {
            Issue.record("a frame left the gate under a disabled policy")
            return
        }
    }

    @Test func `After a finding frames stay covered for two seconds unless the person accepts them`() {
        for accepts in [false, true] {
            var player = Player(gateDelay: .zero)
            player.frame(1)
            player.judge(.strong)
            player.state.continueStream(accepts: accepts, at: player.now)
            player.frame(9, after: 100)
            player.judge(.harmless)
            player.frame(9)
            let release = player.state.release(at: player.now).release
            if case .frame = release { #expect(accepts) } else { #expect(!accepts) }
            player.pass(2000)
            player.frame(9)
            player.judge(.harmless)
            guard case .frame = player.state.release(at: player.now).release else {
                Issue.record("a judged frame is covered after the hold")
                return
            }
        }
    }

    @Test func `Frames that come faster than the gate can hold leave evenly, and the others count as dropped`() throws {
        var player = Player(gateDelay: .seconds(2))
        var releases: [Int] = [], dropped = 0
        for time in 0..<6000 {
            player.frame(1, after: 1)
            if time % 100 == 0 { player.judge(.harmless, after: 0) }
            guard case (let release?, let count) = player.state.release(at: player.now) else { continue }
            releases.append(time)
            dropped += count
            guard case .frame = release else { Issue.record("frame at \(time) is covered"); break }
            #expect(player.state.keptCount <= 300)
        }
        let gaps = zip(releases.dropFirst(), releases).map { $0 - $1 }
        #expect(releases.count > 200 && gaps.max()! <= 17)
        #expect(dropped > 3000)
    }

    @Test
    func `A gate from which nobody takes frames keeps the newest of them, and the others count as dropped`() throws {
        for delay in [Duration.zero, .milliseconds(250), .seconds(2)] {
            var player = Player(gateDelay: delay)
            for count in 1...1000 {
                player.frame(1, after: 33)
                #expect(player.state.keptCount == min(count, 240))
            }
            player.pass(2000)
            let (release, droppedCount) = player.state.release(at: player.now)
            #expect(release != nil && droppedCount == 999)
        }
    }

    @Test func `The gate holds at most 512 MiB of frames, and always the newest`() {
        var player = Player(gateDelay: .seconds(2))
        for (count, byteCount) in [(10, 64 << 20), (1, 600 << 20)] {
            for _ in 0..<count {
                player.now = player.now.advanced(by: .milliseconds(100))
                player.count += 1
                let picture = NumberedLook(look: 1, byteCount: byteCount)
                player.state.arrive(ManualStream.Frame(number: player.count, arrival: player.now, picture: picture))
            }
            #expect(player.state.keptCount == (count == 1 ? 1 : 8))
        }
        player.pass(2000)
        let (release, droppedCount) = player.state.release(at: player.now)
        #expect(release != nil && droppedCount == 10)
    }

    @Test func `The gate thins out frames from half of its room on`() {
        var player = Player(gateDelay: .seconds(2))
        for _ in 0..<130 { player.frame(1, after: 1) }
        #expect(player.state.keptCount == 120)
    }

    @Test("As many failed frames are remembered as the gate holds") func failedFrames() {
        var player = Player()
        for count in 1...300 {
            player.frame(count * 5, after: 300)
            player.state.failed(player.begin()!, .timedOut, at: player.now)
            _ = player.state.takeEvents()
            #expect(player.state.keptCount == min(count, 240))
        }
    }

    @Test("The end of an analysis that is not running, or during a finding, postpones nothing") func strayEnd() {
        var player = Player()
        player.frame(1)
        player.state.superseded(99, at: player.now)
        #expect(player.state.wanted(at: player.now)?.earliest == player.now)
        let analysis = player.begin()!
        player.state.adopt(.scripted(.strong), at: player.now, origin: 9)
        #expect(player.state.nextChange(after: player.now) == nil)
        player.state.superseded(analysis, at: player.now)
        player.state.continueStream(at: player.now)
        #expect(player.state.wanted(at: player.now)?.earliest == player.now)
    }

    @Test("A stream that waits for the person has no time at which it changes by itself") func waitingStream() {
        var player = Player()
        player.frame(1)
        player.judge(.strong)
        #expect(player.state.activeFinding != nil && player.state.nextChange(after: player.now) == nil)
    }

    @Test(arguments: [1, 10])
    func `A short burst of frames stays whole, and so do frames as fast as the gate can hold`(_ milliseconds: Int) {
        var player = Player(gateDelay: .milliseconds(1200))
        var dropped = 0
        for _ in 0..<(milliseconds == 1 ? 100 : 500) {
            player.frame(1, after: milliseconds)
            dropped += player.state.release(at: player.now).droppedCount
        }
        #expect(dropped == 0)
    }

    @Test func `Late frames of the gate are dropped and the newest due frame leaves`() {
        var player = Player(gateDelay: .milliseconds(250))
        for _ in 1...5 { player.frame(1, after: 33) }
        player.judge(.harmless)
        player.pass(400)
        let (release, droppedCount) = player.state.release(at: player.now)
        guard case .frame(let frame) = release else {
            Issue.record("no frame left the gate")
            return
        }
        #expect(frame.number == 5 && droppedCount == 4)
    }

    @Test func `A stream of a day keeps a bounded number of frames and judgements`() {
        var player = Player(gateDelay: .milliseconds(500))
        // Two frames a second, and an analysis of each frame that may begin.
        for step in 0..<(24 * 3600 * 2) {
            player.frame(step / 7, after: 500)
            if let number = player.begin() { player.state.judged(number, .scripted(.harmless), at: player.now) }
            _ = player.state.release(at: player.now)
            _ = player.state.takeEvents()
            if step % 10_000 == 0 { #expect(player.state.keptCount <= 45) }
        }
    }
}
