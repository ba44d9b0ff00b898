// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import AnalysisEngine

@Suite("The search for pictures inside the frames of a video")
struct ShotSearchesTests {
    /// The grids of a frame of one colour.
    private static func signature(_ level: UInt8) -> FrameSignature? {
        FrameSignature(views: [[UInt8](repeating: level, count: 64 * 64 * 3)], width: 64, height: 64)
    }

    private static func scored(_ score: Float, inner: Float? = nil) -> FrameScorer.Scored {
        let thresholds = Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)
        let views = [score, inner].compactMap { $0 }.map { value in
            [ContentScore(contentType: .sexuallyExplicit, value: value, thresholds: thresholds)]
        }
        return FrameScorer.Scored(ModelScores(views: views, innerCount: inner == nil ? 0 : 1), testPatterns: [])
    }

    private static func scores(_ frame: ShotSearches.Complete) -> [Float] { frame.scored.views.joined().map(\.value) }

    @Test func `the first frame of a shot is searched, and one every two seconds`() {
        var searches = ShotSearches()
        let isSearched = [0, 500, 1900, 2000, 2500, 4100].map { time in
            searches.next(Self.signature(50), at: .milliseconds(time)).isSearched
        }
        #expect(isSearched == [true, false, false, true, false, true])
        #expect(searches.next(Self.signature(200), at: .milliseconds(4400)).isSearched)
    }

    @Test func `cuts in quick succession are searched four times a second`() {
        var searches = ShotSearches()
        let isSearched = (0..<11).map { index in
            searches.next(Self.signature(index % 2 == 0 ? 50 : 200), at: .milliseconds(index * 100)).isSearched
        }
        #expect(isSearched == [0, 3, 6, 9].reduce(into: Array(repeating: false, count: 11)) { $0[$1] = true })
    }

    @Test func `a frame that cannot be compared is searched, and so is one of an earlier time`() {
        var searches = ShotSearches()
        #expect(searches.next(nil, at: .seconds(5)).isSearched)
        #expect(searches.next(nil, at: .seconds(6)).isSearched)
        #expect(searches.next(Self.signature(50), at: .seconds(1)).isSearched)
    }

    @Test(arguments: [true, false])
    func `the pictures inside a frame count for the rest of its shot in any order of the scores`(isInOrder: Bool) {
        var searches = ShotSearches()
        let frames = [(50, 0), (50, 400), (200, 500), (200, 900)].map { level, time in
            searches.next(Self.signature(level), at: .milliseconds(time))
        }
        let scored = [
            Self.scored(0.1, inner: 0.8), Self.scored(0.2), Self.scored(0.3, inner: 0.4), Self.scored(0.5),
        ]
        var complete: [Int: [Float]] = [:]
        for index in isInOrder ? [0, 1, 2, 3] : [1, 3, 2, 0] {
            for frame in searches.take(scored[index], of: frames[index]) { complete[frame.number] = Self.scores(frame) }
        }
        #expect(complete == [1: [0.1, 0.8], 2: [0.2, 0.8], 3: [0.3, 0.4], 4: [0.5, 0.4]])
    }

    @Test func `a shot that was not searched has no scores of another shot`() {
        var searches = ShotSearches()
        let first = searches.next(Self.signature(50), at: .zero)
        let second = searches.next(Self.signature(200), at: .milliseconds(100))
        #expect(!second.isSearched)
        #expect(searches.take(Self.scored(0.2), of: second).map(Self.scores) == [[0.2]])
        #expect(searches.take(Self.scored(0.1, inner: 0.9), of: first).map(Self.scores) == [[0.1, 0.9]])
    }
}
