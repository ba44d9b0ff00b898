// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import AnalysisEngine
@testable import HelperHost

@Suite("What is collected of a track")
struct TrackAnalysisTests {
    /// An analysis of a track of ten seconds, or of a track of pages.
    private static func analysis(
        isTimed: Bool = true, policy: AnalysisPolicy = .simple, keepsTimeline: Bool = false
    ) -> TrackAnalysis {
        let track = OpenMedia.Track(isTimed: isTimed, isComplete: false, duration: isTimed ? .seconds(10) : nil)
        return TrackAnalysis(track, policy: policy, keepsTimeline: keepsTimeline)
    }

    /// A frame with scores for one view; the thresholds are 0.7, 0.4 and 0.9.
    private static func scored(_ values: Float..., testPatterns: Set<ContentType> = []) -> FrameScorer.Scored {
        let thresholds = Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)
        let views = values.map { [ContentScore(contentType: .sexuallyExplicit, value: $0, thresholds: thresholds)] }
        return FrameScorer.Scored(ModelScores(views: views), testPatterns: testPatterns)
    }

    private static func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

    @Test(
        "A page is judged as a picture, by the threshold of the policy",
        arguments: [
            (0.699, .simple, false), (0.7, .simple, true), (0.399, .descriptive, false), (0.4, .descriptive, true),
        ] as [(Float, AnalysisPolicy, Bool)])
    func pages(value: Float, policy: AnalysisPolicy, isSensitive: Bool) throws {
        var analysis = Self.analysis(isTimed: false, policy: policy)
        try analysis.add(Self.scored(0.1), start: .zero, end: .seconds(1))
        try analysis.add(Self.scored(0.1, value), start: .seconds(1), end: .seconds(2))
        #expect(!analysis.detectedTypes.isEmpty == isSensitive)
        #expect(analysis.framesAnalyzed == 2 && analysis.score == value)
        #expect(analysis.nextMoment == nil && analysis.nextEdgeMoment == nil && analysis.decisiveSpans.isEmpty)
    }

    @Test("A single frame counts from the strong threshold on, and before that asks for its neighbours")
    func singleFrame() throws {
        for (value, isSensitive, asks) in [(0.69, false, false), (0.7, false, true), (0.9, true, false)] {
            var analysis = Self.analysis()
            try analysis.add(Self.scored(Float(value)), start: .seconds(5), end: Self.milliseconds(5040))
            #expect(!analysis.detectedTypes.isEmpty == isSensitive, "\(value)")
            #expect((analysis.nextMoment != nil) == asks, "\(value)")
        }
    }

    @Test("Frames over the ordinary threshold count if they are shown for a second in all")
    func oneSecond() throws {
        for (end, isSensitive) in [(5999, false), (6000, true)] {
            var analysis = Self.analysis()
            try analysis.add(Self.scored(0.8), start: .seconds(5), end: Self.milliseconds(5500))
            try analysis.add(Self.scored(0.75), start: Self.milliseconds(5500), end: Self.milliseconds(end))
            #expect(!analysis.detectedTypes.isEmpty == isSensitive, "\(end)")
        }
    }

    @Test("A test pattern counts as a score of one")
    func testPattern() throws {
        for isTimed in [true, false] {
            var analysis = Self.analysis(isTimed: isTimed)
            let scored = Self.scored(0.1, testPatterns: [.goreOrViolence])
            try analysis.add(scored, start: .zero, end: Self.milliseconds(40))
            #expect(analysis.detectedTypes == [.goreOrViolence] && analysis.score == 1)
        }
    }

    @Test("A repetition adds to the time that a frame is shown, and not to the frames that were analysed")
    func repetition() throws {
        var analysis = Self.analysis()
        try analysis.add(Self.scored(0.8), start: .seconds(5), end: Self.milliseconds(5040))
        try analysis.add(Self.scored(0.8), start: Self.milliseconds(5040), end: .seconds(6), isRepetition: true)
        #expect(analysis.framesAnalyzed == 1 && analysis.detectedTypes == [.sexuallyExplicit])
    }

    @Test("A frame that begins with a known one is not new, and the higher score of both counts")
    func sameMoment() throws {
        var analysis = Self.analysis()
        #expect(try analysis.add(Self.scored(0.1), start: .seconds(5), end: .seconds(6)))
        #expect(try !analysis.add(Self.scored(0.95), start: .seconds(5), end: .seconds(6)))
        #expect(analysis.detectedTypes == [.sexuallyExplicit])
    }

    @Test("Scores that are missing or not between zero and one are failures, for frames and for pages")
    func invalidScores() {
        for isTimed in [true, false] {
            for scored in [Self.scored(), Self.scored(.nan), Self.scored(1.01), Self.scored(0.5, -0.01)] {
                var analysis = Self.analysis(isTimed: isTimed)
                #expect { try analysis.add(scored, start: .zero, end: .seconds(1)) } throws: {
                    ($0 as? AnalysisFailure)?.code == .internalFailure
                }
                #expect(analysis.detectedTypes.isEmpty)
            }
        }
    }

    @Test("The start of a sensitive stretch is looked for, and its end only if the timeline is kept")
    func edges() throws {
        for keepsTimeline in [false, true] {
            var analysis = Self.analysis(keepsTimeline: keepsTimeline)
            try analysis.add(Self.scored(0.95), start: .seconds(5), end: .seconds(7))
            // The moment is in the middle of the unknown gap before the frame.
            #expect(analysis.nextEdgeMoment == Self.milliseconds(2500))
            try analysis.add(Self.scored(0.1), start: Self.milliseconds(4000), end: Self.milliseconds(4700))
            // The rest of the gap at the start is 0.3 seconds, which is precise enough.
            #expect(analysis.nextEdgeMoment == (keepsTimeline ? Self.milliseconds(8500) : nil))
        }
    }

    @Test("A track of unknown length that shows one sensitive frame throughout is sensitive once it has ended")
    func unknownLength() throws {
        let track = OpenMedia.Track(isTimed: true, isComplete: true, duration: nil)
        var analysis = TrackAnalysis(track, policy: .simple, keepsTimeline: false)
        try analysis.add(Self.scored(0.8), start: .zero, end: Self.milliseconds(400))
        #expect(analysis.detectedTypes.isEmpty)
        analysis.finish(at: Self.milliseconds(400))
        #expect(analysis.detectedTypes == [.sexuallyExplicit])
    }

    @Test("Points are kept in the order of time if the timeline is, and not otherwise")
    func points() throws {
        for (keepsTimeline, count) in [(true, 3), (false, 0)] {
            var analysis = Self.analysis(keepsTimeline: keepsTimeline)
            for second in [4, 1, 3] {
                try analysis.add(Self.scored(0.1), start: .seconds(second), end: .seconds(second + 1))
            }
            #expect(analysis.points.map(\.start) == Array([.seconds(1), .seconds(3), .seconds(4)].prefix(count)))
        }
    }

    @Test("Thousands of points become fewer, cover the same time, and keep the highest score")
    func manyPoints() throws {
        let highest = [0, 1, 4999, 11_111, 19_999]
        for place in highest {
            var analysis = Self.analysis(isTimed: false, keepsTimeline: true)
            for index in 0..<20_000 {
                let scored = Self.scored(index == place ? 0.65 : 0.2)
                try analysis.add(scored, start: Self.milliseconds(index), end: Self.milliseconds(index + 1))
            }
            let points = analysis.points
            #expect((4000..<8000).contains(points.count) && analysis.framesAnalyzed == 20_000)
            #expect(points.first?.start == .zero && points.last?.end == Self.milliseconds(20_000))
            #expect(zip(points, points.dropFirst()).allSatisfy { $0.end == $1.start })
            let found = try #require(points.first { $0.score == 0.65 })
            #expect(found.start <= Self.milliseconds(place) && found.end > Self.milliseconds(place))
        }
    }
}
