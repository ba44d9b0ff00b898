// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("The verdict about a picture")
struct PictureVerdictTests {
    static let thresholds = Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)

    static func score(_ value: Float, _ type: ContentType = .sexuallyExplicit) -> ContentScore {
        ContentScore(contentType: type, value: value, thresholds: thresholds)
    }

    @Test(
        "A picture is sensitive from the threshold of the policy on",
        arguments: [
            (0.6999, AnalysisPolicy.simple, false), (0.7, .simple, true), (1, .simple, true), (0, .simple, false),
            (0.3999, .descriptive, false), (0.4, .descriptive, true), (0.69, .descriptive, true),
        ])
    func threshold(value: Float, policy: AnalysisPolicy, isSensitive: Bool) throws {
        let verdict = try PictureVerdict(views: [[Self.score(value)]], policy: policy)
        #expect(verdict.isSensitive == isSensitive)
        #expect(verdict.detectedTypes == (isSensitive ? [.sexuallyExplicit] : []))
        #expect(verdict.score == value)
    }

    @Test func `A picture is sensitive when one of its views is, and has the highest score`() throws {
        let verdict = try PictureVerdict(views: [[Self.score(0.1)], [Self.score(0.8)]], policy: .simple)
        #expect(verdict.isSensitive)
        #expect(verdict.score == 0.8)
    }

    @Test("A verdict names every content type that was found")
    func severalTypes() throws {
        let verdict = try PictureVerdict(
            views: [[Self.score(0.9), Self.score(0.75, .goreOrViolence)]], policy: .simple)
        #expect(verdict.detectedTypes == [.sexuallyExplicit, .goreOrViolence])
    }

    @Test("A picture with the test pattern is sensitive with score 1")
    func testPattern() throws {
        let verdict = try PictureVerdict(
            views: [[Self.score(0.01)]], testPatterns: [.goreOrViolence], policy: .simple)
        #expect(verdict.detectedTypes == [.goreOrViolence])
        #expect(verdict.score == 1)
    }

    @Test(
        "A value outside of 0 to 1 is refused, so that it never reads as not sensitive",
        arguments: [Float.nan, -0.01, 1.01, .infinity, -.infinity])
    func noScore(value: Float) {
        #expect { try PictureVerdict(views: [[Self.score(value)]], policy: .simple) } throws: {
            ($0 as? AnalysisFailure)?.code == .internalFailure
        }
    }

    @Test("A picture without views, or with a view without scores, has no verdict")
    func nothingScored() {
        #expect(throws: AnalysisFailure.self) { try PictureVerdict(views: [], policy: .simple) }
        #expect(throws: AnalysisFailure.self) {
            try PictureVerdict(views: [[Self.score(0.1)], []], testPatterns: [.sexuallyExplicit], policy: .simple)
        }
    }

    @Test("No verdict is given under a disabled policy")
    func disabled() {
        #expect {
            try PictureVerdict(views: [[Self.score(1)]], testPatterns: [.sexuallyExplicit], policy: .disabled)
        } throws: {
            ($0 as? AnalysisFailure)?.code == .analysisDisabled
        }
    }

    @Test("Thresholds are valid only in their order and range")
    func validThresholds() {
        #expect(Self.thresholds.areValid)
        #expect(!Thresholds(simple: 0.4, descriptive: 0.7, strong: 0.9).areValid)
        #expect(!Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.6).areValid)
        #expect(!Thresholds(simple: 0.7, descriptive: 0, strong: 0.9).areValid)
        #expect(!Thresholds(simple: 0.7, descriptive: 0.4, strong: 1.1).areValid)
        #expect(!Thresholds(simple: .nan, descriptive: 0.4, strong: 0.9).areValid)
    }
}
