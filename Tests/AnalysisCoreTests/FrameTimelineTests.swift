// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("The verdict rule for videos")
struct FrameTimelineTests {
    /// A scripted video: a function of time gives the score of each frame.
    struct ScriptedVideo {
        var duration: Duration
        var frameLength: Duration = .milliseconds(40)
        var policy = AnalysisPolicy.simple
        /// The start of the first frame, and the time from the end of the last frame to the end of the sound.
        var beginning = Duration.zero
        var silence = Duration.zero
        var score: (Duration) -> Float

        func frame(shownAt asked: Duration) throws -> TimelineFrame {
            // Like a decoder, the video returns the frame that is nearest to the requested moment.
            let moment = min(max(asked, beginning), duration - silence - .milliseconds(1))
            let index = Int(moment / frameLength)
            let start = frameLength * index
            return try TimelineFrame(
                start: start, end: min(start + frameLength, duration),
                views: [[PictureVerdictTests.score(score(start))]], policy: policy)
        }

        /// Inserts the frames at the given moments, and then the frames at the moments that the timeline requests.
        func timeline(lookingAt moments: [Duration]) throws -> (FrameTimeline, looks: Int) {
            var timeline = FrameTimeline(duration: duration)
            for moment in moments { timeline.insert(try frame(shownAt: moment)) }
            var looks = 0
            while let moment = timeline.nextMoment {
                if !timeline.insert(try frame(shownAt: moment)) { timeline.noteNothingNew(at: moment) }
                looks += 1
                try #require(looks < 1000, "The rule asks for ever.")
            }
            return (timeline, looks)
        }
    }

    static func isSensitive(_ timeline: FrameTimeline) -> Bool { timeline.spans.contains { $0.isDecisive } }

    @Test("A score over the ordinary threshold counts from a second on, wherever it is first seen")
    func length() throws {
        var mostLooks = 0
        for frames in [1, 2, 5, 6, 7, 12, 18, 19, 20, 24, 25, 26, 30, 50, 100] {
            for offset in 0..<frames where offset < 3 || offset > frames - 3 || offset % 7 == 0 {
                let start = Duration.seconds(20) + .milliseconds(40)
                let end = start + .milliseconds(40) * frames
                let video = ScriptedVideo(duration: .seconds(60)) { $0 >= start && $0 < end ? 0.8 : 0.1 }
                let (timeline, looks) = try video.timeline(
                    lookingAt: [.zero, .seconds(10), start + .milliseconds(40) * offset, .seconds(30), .seconds(59)])
                #expect(Self.isSensitive(timeline) == (frames >= 25), "\(frames) frames, seen at \(offset)")
                mostLooks = max(mostLooks, looks)
            }
        }
        // Four of the requested moments lie beside a stretch that has turned out to be too brief.
        #expect(mostLooks <= 18)
    }

    @Test(
        "A score over the ordinary threshold counts after 1,000 ms, and not after 999 ms",
        arguments: [(999, false), (1000, true)])
    func bound(milliseconds: Int, isSensitive: Bool) throws {
        let video = ScriptedVideo(duration: .seconds(60), frameLength: .milliseconds(1)) {
            $0 >= .seconds(20) && $0 < .seconds(20) + .milliseconds(milliseconds) ? 0.8 : 0
        }
        let (timeline, _) = try video.timeline(lookingAt: [.seconds(20) + .milliseconds(400)])
        #expect(Self.isSensitive(timeline) == isSensitive)
    }

    @Test(
        "A single frame counts from the strong threshold on, and only what reaches the ordinary one is looked into",
        arguments: [(0.9, true, 0), (0.8999, false, 1), (0.7, false, 1), (0.6999, false, 0)] as [(Float, Bool, Int)])
    func strong(score: Float, isSensitive: Bool, leastLooks: Int) throws {
        let video = ScriptedVideo(duration: .seconds(60)) { $0 == .seconds(20) ? score : 0 }
        let (timeline, looks) = try video.timeline(lookingAt: [.zero, .seconds(20)])
        #expect(Self.isSensitive(timeline) == isSensitive)
        #expect(leastLooks == 0 ? looks == 0 : looks >= leastLooks)
        #expect(timeline.score == score)
    }

    @Test("A still shot over the threshold is sensitive at any sampling", arguments: [0.2, 0.5, 1, 2, 10, 60])
    func still(seconds: Double) throws {
        let step = Duration.seconds(seconds)
        let video = ScriptedVideo(duration: .seconds(60)) { _ in 0.8 }
        let moments = (0..<Int(Duration.seconds(60) / step)).map { step * $0 }
        let (timeline, looks) = try video.timeline(lookingAt: moments)
        #expect(Self.isSensitive(timeline))
        #expect(looks <= 2 * moments.count)
    }

    @Test("A video shorter than a second is judged as a picture is", arguments: [1, 2, 3, 12, 24])
    func short(frames: Int) throws {
        let duration = Duration.milliseconds(40) * frames
        let all = ScriptedVideo(duration: duration) { _ in 0.7 }
        let (whole, _) = try all.timeline(lookingAt: [.zero])
        #expect(Self.isSensitive(whole))
        guard frames > 1 else { return }
        let butOne = ScriptedVideo(duration: duration) { $0 == duration - .milliseconds(40) ? 0.1 : 0.7 }
        let (part, _) = try butOne.timeline(lookingAt: [.zero, duration - .milliseconds(1)])
        #expect(!Self.isSensitive(part))
    }

    @Test("Pictures that begin late or end early are judged by what is shown", arguments: [0, 80, 120], [0, 80, 320])
    func edges(beginning: Int, silence: Int) throws {
        func video(_ length: Duration, _ isSensitive: @escaping (Duration) -> Bool) -> ScriptedVideo {
            ScriptedVideo(
                duration: length, beginning: .milliseconds(beginning), silence: .milliseconds(silence)
            ) { isSensitive($0) ? 0.8 : 0.1 }
        }
        let (short, _) = try video(.milliseconds(800)) { _ in true }.timeline(lookingAt: [.milliseconds(200)])
        #expect(Self.isSensitive(short))
        let (start, _) = try video(.seconds(60)) { $0 < .seconds(1) }.timeline(lookingAt: [.milliseconds(400)])
        #expect(Self.isSensitive(start))
        let last = Duration.seconds(60) - .milliseconds(silence) - .milliseconds(920)
        let (end, _) = try video(.seconds(60)) { $0 >= last }.timeline(lookingAt: [.seconds(60)])
        // The last picture stays on display until the end of the sound.
        #expect(Self.isSensitive(end) == (silence >= 80))
    }

    @Test("A frame hides no other, although their durations overlap")
    func overlap() throws {
        func frame(_ start: Double, _ end: Double, _ score: Float) throws -> TimelineFrame {
            try TimelineFrame(
                start: .seconds(start), end: .seconds(end), views: [[PictureVerdictTests.score(score)]],
                policy: .simple)
        }
        for strong in [(20, 20.04), (20.04, 20.08)] {
            for isFirst in [true, false] {
                var timeline = FrameTimeline(duration: .seconds(60))
                if isFirst { timeline.insert(try frame(strong.0, strong.1, 0.95)) }
                timeline.insert(try frame(0, strong.0 == 20 ? 60 : 20.041, 0.1))
                if !isFirst { timeline.insert(try frame(strong.0, strong.1, 0.95)) }
                #expect(Self.isSensitive(timeline))
                #expect(timeline.frames.count == 2 && timeline.frames[0].end <= timeline.frames[1].start)
            }
        }
        var timeline = FrameTimeline(duration: .seconds(60))
        #expect(timeline.insert(try frame(1, 2, 0.1)))
        #expect(!timeline.insert(try frame(1, 1.5, 0.1)))
    }

    @Test("A frame counts for as long as it is shown")
    func longFrame() throws {
        var timeline = FrameTimeline(duration: .seconds(10))
        func frame(_ start: Double, _ end: Double, _ score: Float) throws -> TimelineFrame {
            try TimelineFrame(
                start: .seconds(start), end: .seconds(end), views: [[PictureVerdictTests.score(score)]],
                policy: .simple)
        }
        // The second frame has the times of a GIF frame that is shown for three seconds.
        timeline.insert(try frame(0, 2, 0.1))
        timeline.insert(try frame(2, 5, 0.8))
        #expect(timeline.nextMoment == nil && Self.isSensitive(timeline))
        #expect(timeline.spans.map(\.start) == [.seconds(2)])
    }

    @Test("A stretch is found whole, and stretches of other kinds do not lengthen it")
    func kinds() throws {
        var timeline = FrameTimeline(duration: .seconds(1.2))
        for index in 0..<4 {
            let type: ContentType = index < 2 ? .sexuallyExplicit : .goreOrViolence
            timeline.insert(
                try TimelineFrame(
                    start: .milliseconds(300) * index, end: .milliseconds(300) * (index + 1),
                    views: [[PictureVerdictTests.score(0.8, type)]], policy: .simple))
        }
        #expect(timeline.nextMoment == nil)
        #expect(timeline.spans.map(\.isDecisive) == [false, false])
        #expect(timeline.spans.map(\.end) == [.milliseconds(1200), .milliseconds(600)])
    }

    @Test("A few flashes near each other are one stretch, and too little to count")
    func flashes() throws {
        let video = ScriptedVideo(duration: .seconds(60)) {
            [20_000, 20_800, 21_600].contains(Int($0 / .milliseconds(1))) ? 0.8 : 0.1
        }
        let (timeline, _) = try video.timeline(lookingAt: [.seconds(20), .milliseconds(20_800), .milliseconds(21_600)])
        #expect(!Self.isSensitive(timeline) && timeline.spans.count == 1)
    }

    /// Inserts every frame of a video, with scores that depend on the frame's number.
    static func isSensitive(
        seconds: Int = 10, framesPerSecond rate: Int = 60, _ score: (Int) -> Float
    ) throws -> (isSensitive: Bool, frames: Int) {
        var timeline = FrameTimeline(duration: .seconds(seconds))
        for index in 0..<(seconds * rate) {
            timeline.insert(
                try TimelineFrame(
                    start: .seconds(index) / rate, end: .seconds(index + 1) / rate,
                    views: [[PictureVerdictTests.score(score(index))]], policy: .simple))
        }
        #expect(timeline.nextMoment == nil)
        return (isSensitive(timeline), timeline.frames.count)
    }

    @Test("Scores that waver around the threshold are sensitive, also with black frames in between")
    func wavering() throws {
        #expect(try Self.isSensitive { $0.isMultiple(of: 2) ? 0.72 : 0.68 }.isSensitive)
        #expect(try Self.isSensitive { $0.isMultiple(of: 60) ? 0 : 0.8 }.isSensitive)
        // The score is high for a quarter of a second, then low for a second, and so on.
        #expect(try Self.isSensitive { $0 % 75 < 15 ? 0.8 : 0.1 }.isSensitive)
    }

    @Test("Stretches count together for a second in all, if no interruption is longer than a second")
    func together() throws {
        func isSensitive(_ shown: Int, _ interruption: Int, times: Int = 2) throws -> Bool {
            try Self.isSensitive(framesPerSecond: 100) {
                let (round, place) = $0.quotientAndRemainder(dividingBy: shown + interruption)
                return round < times && place < shown ? 0.8 : 0.1
            }.isSensitive
        }
        #expect(try isSensitive(50, 100))
        #expect(try !isSensitive(49, 100))
        #expect(try !isSensitive(50, 101))
        #expect(try !isSensitive(99, 101, times: 5))
        #expect(try isSensitive(1, 99, times: 10) == false)
    }

    @Test("Flashes that are too short to be told from each other count as a sixtieth of a second each")
    func stroboscope() throws {
        func timeline(_ count: Int) throws -> FrameTimeline {
            var timeline = FrameTimeline(duration: .seconds(1000))
            for index in 0..<1000 {
                let start = Duration.seconds(index)
                for (from, to, score): (Int, Int, Float) in [(0, 1, index < count ? 0.8 : 0.1), (1, 1000, 0.1)] {
                    timeline.insert(
                        try TimelineFrame(
                            start: start + .milliseconds(from), end: start + .milliseconds(to),
                            views: [[PictureVerdictTests.score(score)]], policy: .simple))
                }
                #expect(timeline.frames.count <= 257)
            }
            return timeline
        }
        #expect(try !Self.isSensitive(timeline(62)))
        #expect(try Self.isSensitive(timeline(63)))
        #expect(try Self.isSensitive(timeline(1000)))
    }

    @Test("Scores that waver take no more memory the longer they do so")
    func waveringMemory() throws {
        #expect(try Self.isSensitive(seconds: 600) { $0.isMultiple(of: 2) ? 0.95 : 0.1 }.frames <= 257)
        #expect(try Self.isSensitive(seconds: 600) { $0.isMultiple(of: 2) ? 0.72 : 0.95 }.frames <= 257)
    }

    @Test("Two halves of a second with an interruption of less than a second are found wherever they are first seen")
    func halves() throws {
        for interruption in [480, 960, 1000, 1040] {
            let second = 20_520 + interruption
            let video = ScriptedVideo(duration: .seconds(60)) { moment in
                let milliseconds = Int(moment / .milliseconds(1))
                return (20_000..<20_520).contains(milliseconds) || (second..<second + 520).contains(milliseconds)
                    ? 0.8 : 0.1
            }
            for first in stride(from: 20_000, to: 20_520, by: 120) {
                for other in stride(from: second, to: second + 520, by: 120) {
                    let (timeline, looks) = try video.timeline(
                        lookingAt: [.zero, .milliseconds(first), .milliseconds(other), .seconds(59)])
                    #expect(
                        Self.isSensitive(timeline) == (interruption <= 1000), "\(interruption): \(first) and \(other)")
                    #expect(looks <= 40)
                }
            }
        }
    }

    @Test("A brief stretch is looked at a quarter of a second and a second to its sides, since it may come again")
    func comesAgain() throws {
        // The score is high for half a second every 1.1 s; the inserted frame is in the middle of such a stretch.
        let video = ScriptedVideo(duration: .seconds(60)) { moment in
            let milliseconds = Int(moment / .milliseconds(1))
            return (20_000..<26_000).contains(milliseconds) && milliseconds % 1100 < 500 ? 0.8 : 0.1
        }
        let seen = Duration.milliseconds(1100 * 19 + 240)
        let (timeline, looks) = try video.timeline(
            lookingAt: [.zero, seen - .milliseconds(300), seen, seen + .milliseconds(300), .seconds(59)])
        #expect(Self.isSensitive(timeline))
        #expect(looks <= 20)
    }
}
