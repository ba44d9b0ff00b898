// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

extension FrameTimelineTests {
    @Test("The test pattern decides by itself")
    func pattern() throws {
        let frame = try TimelineFrame(
            start: .zero, end: .milliseconds(40), views: [[PictureVerdictTests.score(0)]],
            testPatterns: [.goreOrViolence], policy: .simple)
        var timeline = FrameTimeline(duration: .seconds(60))
        timeline.insert(frame)
        #expect(timeline.spans.map(\.type) == [.goreOrViolence])
        #expect(Self.isSensitive(timeline) && timeline.score == 1)
    }

    @Test("Children are protected from lower scores")
    func policy() throws {
        for (policy, isSensitive) in [(AnalysisPolicy.simple, false), (.descriptive, true)] {
            let video = ScriptedVideo(duration: .seconds(5), policy: policy) { _ in 0.4 }
            let (timeline, _) = try video.timeline(lookingAt: [.zero])
            #expect(Self.isSensitive(timeline) == isSensitive)
        }
    }

    @Test("A frame that is shown for no time, or whose score is no number, is an error")
    func invalid() {
        #expect(throws: AnalysisFailure.self) {
            try TimelineFrame(
                start: .seconds(1), end: .seconds(1), views: [[PictureVerdictTests.score(0)]], policy: .simple)
        }
        #expect(throws: AnalysisFailure.self) {
            try TimelineFrame(
                start: .zero, end: .seconds(1), views: [[PictureVerdictTests.score(.nan)]], policy: .simple)
        }
    }

    @Test("A long video takes no more memory or time, and gets the same verdict")
    func longVideo() throws {
        // Five hours at ten frames a second: one frame a minute is at the threshold and, if `hasLong`, 1.5 s are.
        for hasLong in [false, true] {
            var timeline = FrameTimeline(duration: .seconds(18_000))
            for index in 0..<180_000 {
                let start = Duration.milliseconds(100) * index
                let isBrief = index % 600 == 300
                let isLong = hasLong && (90_000..<90_015).contains(index)
                timeline.insert(
                    try TimelineFrame(
                        start: start, end: start + .milliseconds(100),
                        views: [[PictureVerdictTests.score(isBrief || isLong ? 0.8 : 0.1)]], policy: .simple))
                #expect(timeline.frames.count <= 257)
            }
            #expect(Self.isSensitive(timeline) == hasLong)
            #expect(timeline.nextMoment == nil)
            let decisive = timeline.spans.filter(\.isDecisive)
            #expect(decisive.map(\.start) == (hasLong ? [.seconds(9000)] : []))
            #expect(decisive.map(\.end) == (hasLong ? [.milliseconds(9_001_500)] : []))
        }
    }

    @Test("The edges of a sensitive stretch are requested until they are known")
    func edges() throws {
        let video = ScriptedVideo(duration: .seconds(60)) { $0 >= .seconds(20) && $0 < .seconds(30) ? 0.95 : 0.1 }
        var (timeline, _) = try video.timeline(lookingAt: [.zero, .seconds(27), .seconds(59)])
        var looks = 0
        while let moment = timeline.nextEdgeMoment(precision: .milliseconds(300), onlyStart: false) {
            if !timeline.insert(try video.frame(shownAt: moment)) { timeline.noteNothingNew(at: moment) }
            looks += 1
            try #require(looks < 100)
        }
        let span = try #require(timeline.spans.first)
        #expect(span.start >= .seconds(20) && span.start <= .milliseconds(20_300))
        #expect(span.end >= .milliseconds(29_700) && span.end <= .seconds(30))
        // Moments between two sensitive frames are requested too, with gaps of 0.75 s at most.
        #expect(looks <= 40)
        var (first, _) = try video.timeline(lookingAt: [.zero, .seconds(27), .seconds(59)])
        var startLooks = 0
        while let moment = first.nextEdgeMoment(precision: .milliseconds(300), onlyStart: true) {
            if !first.insert(try video.frame(shownAt: moment)) { first.noteNothingNew(at: moment) }
            startLooks += 1
            try #require(startLooks < 100)
        }
        #expect(try #require(first.spans.first).start <= .milliseconds(20_300) && startLooks <= 10)
    }

    @Test("A video of unknown length is not sensitive throughout before it has ended")
    func unknownLength() throws {
        func timeline(_ scores: [Float]) throws -> FrameTimeline {
            var timeline = FrameTimeline(duration: .zero)
            for (index, score) in scores.enumerated() {
                let start = Duration.milliseconds(40) * index
                timeline.insert(
                    try TimelineFrame(
                        start: start, end: start + .milliseconds(40), views: [[PictureVerdictTests.score(score)]],
                        policy: .simple))
            }
            return timeline
        }
        #expect(!Self.isSensitive(try timeline([0.8])))
        var brief = try timeline([0.8, 0.8, 0.1])
        brief.finish(at: .milliseconds(120))
        #expect(!Self.isSensitive(brief))
        var whole = try timeline([0.8, 0.8, 0.8])
        whole.finish(at: .milliseconds(120))
        #expect(Self.isSensitive(whole))
    }

    @Test("Each of several frames that begin at the same moment counts")
    func sameMoment() throws {
        var timeline = FrameTimeline(duration: .seconds(2))
        for score: Float in [0.1, 0.95, 0.2] {
            timeline.insert(
                try TimelineFrame(
                    start: .zero, end: .milliseconds(40), views: [[PictureVerdictTests.score(score)]], policy: .simple))
        }
        #expect(Self.isSensitive(timeline) && timeline.score == 0.95)
    }
}
