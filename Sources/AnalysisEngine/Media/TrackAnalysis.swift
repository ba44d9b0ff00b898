// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Collects the scores of one track, and applies the rule to them.
struct TrackAnalysis {
    private(set) var timeline: FrameTimeline
    private var keptPoints: [ScorePoint] = []
    /// The scores in the order of time.
    var points: [ScorePoint] { keptPoints.sorted { $0.start < $1.start } }
    private(set) var framesAnalyzed = 0
    private(set) var score: Float = 0
    /// The labels of the frame with the highest score.
    private(set) var labels: [LabelScore] = []
    private(set) var thresholds: Thresholds?
    /// The types that were found in pictures without time.
    private var pictureTypes: Set<ContentType> = []
    private let isTimed: Bool
    private let policy: AnalysisPolicy
    private let keepsTimeline: Bool

    init(_ track: OpenMedia.Track, policy: AnalysisPolicy, keepsTimeline: Bool) {
        timeline = FrameTimeline(duration: track.duration ?? .zero)
        isTimed = track.isTimed
        self.policy = policy
        self.keepsTimeline = keepsTimeline
    }

    var decisiveSpans: [FrameTimeline.Span] { isTimed ? timeline.spans.filter(\.isDecisive) : [] }

    var detectedTypes: Set<ContentType> {
        isTimed ? Set(decisiveSpans.map(\.type)) : pictureTypes
    }

    /// The moment of the next frame that the rule needs; nil if the rule is decided or the pictures have no times.
    var nextMoment: Duration? { isTimed ? timeline.nextMoment : nil }

    /// The next moment that makes the edges of sensitive stretches more exact; without a timeline, the starts only.
    var nextEdgeMoment: Duration? {
        isTimed ? timeline.nextEdgeMoment(precision: Self.precision, onlyStart: !keepsTimeline) : nil
    }

    /// Adds a scored frame.
    ///
    /// - Returns: whether the frame is new.
    @discardableResult
    mutating func add(_ scored: FrameScorer.Scored, start: Duration, end: Duration, isRepetition: Bool = false)
        throws(AnalysisFailure) -> Bool
    {
        thresholds = thresholds ?? scored.views.first?.first?.thresholds
        if !isRepetition { framesAnalyzed += 1 }
        guard isTimed else {
            let verdict = try PictureVerdict(views: scored.views, testPatterns: scored.testPatterns, policy: policy)
            note(ScorePoint(start: start, end: end, score: verdict.score, thumbnail: scored.thumbnail), scored.labels)
            pictureTypes.formUnion(verdict.detectedTypes)
            return true
        }
        let frame = try TimelineFrame(
            start: start, end: end, views: scored.views, testPatterns: scored.testPatterns, policy: policy)
        note(ScorePoint(start: start, end: end, score: frame.score, thumbnail: scored.thumbnail), scored.labels)
        return timeline.insert(frame)
    }

    /// Notes the end of the track.
    mutating func finish(at end: Duration) {
        timeline.finish(at: end)
    }

    mutating func noteNothingNew(at moment: Duration) {
        timeline.noteNothingNew(at: moment)
    }

    /// Keeps the highest score, its labels and, if a timeline was requested, the points.
    ///
    /// If there are too many points, the point with the higher score of each two neighbours is kept.
    private mutating func note(_ point: ScorePoint, _ labels: [LabelScore]) {
        self.labels = self.labels.joined(with: labels, isHigher: point.score > score)
        score = max(score, point.score)
        guard keepsTimeline else { return }
        keptPoints.append(point)
        guard keptPoints.count >= Self.mostPoints * 2 else { return }
        let sorted = points
        keptPoints = stride(from: 0, to: sorted.count - 1, by: 2).map { index in
            let (one, other) = (sorted[index], sorted[index + 1])
            var kept = one.score >= other.score ? one : other
            (kept.start, kept.end) = (one.start, max(one.end, other.end))
            return kept
        }
    }

    private static let mostPoints = 4000
    private static let precision = Duration.milliseconds(300)
}
