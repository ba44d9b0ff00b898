// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An analysed frame: the time for which it is shown, its score and its levels.
package struct TimelineFrame: Sendable, Hashable {
    /// The relation of a frame's scores to the thresholds of one content type.
    package enum Level: Int, Sendable, Comparable {
        case below
        /// The content counts if it is shown long enough.
        case ordinary
        /// The content counts, however briefly it is shown.
        case strong

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The first moment at which the frame is shown, from the start of the video.
    package private(set) var start: Duration
    /// The moment at which another frame replaces it; later than `start`.
    package private(set) var end: Duration
    /// The highest score of any view and content type, 1 if the test pattern was found.
    package private(set) var score: Float
    private var levels: [ContentType: Level]

    /// Judges a frame by the scores of its views.
    ///
    /// - Parameters:
    ///   - views: the scores of each view, at least one view with at least one score.
    ///   - testPatterns: the content types whose test pattern was found.
    /// - Throws: the errors of `PictureVerdict`, and `internalFailure` if the frame is shown for no time.
    package init(
        start: Duration, end: Duration, views: [[ContentScore]], testPatterns: Set<ContentType> = [],
        policy: AnalysisPolicy
    ) throws(AnalysisFailure) {
        guard end > start else { throw AnalysisFailure(.internalFailure, "A frame is shown for no time.") }
        let picture = try PictureVerdict(views: views, testPatterns: testPatterns, policy: policy)
        var levels: [ContentType: Level] = [:]
        for type in picture.detectedTypes { levels[type] = .ordinary }
        for type in testPatterns { levels[type] = .strong }
        for score in views.joined() where score.value >= score.thresholds.strong { levels[score.contentType] = .strong }
        self.start = start
        self.end = end
        score = picture.score
        self.levels = levels
    }

    package func level(of type: ContentType) -> Level { levels[type] ?? .below }

    /// The content types for which the frame reaches a threshold.
    package var types: some Collection<ContentType> { levels.keys }

    /// Extends the frame to a later moment, because nothing new is shown until then.
    package mutating func extend(to later: Duration) {
        end = max(end, later)
    }

    /// Whether the frame has the same levels as another frame.
    func hasSameLevels(as other: TimelineFrame) -> Bool { levels == other.levels }

    /// Adds the score and the levels of another frame that begins at the same moment.
    mutating func merge(_ other: TimelineFrame) {
        score = max(score, other.score)
        for (type, level) in other.levels { levels[type] = max(self.level(of: type), level) }
    }

    /// Merges a later frame with the same levels into this frame.
    mutating func absorb(_ later: TimelineFrame) {
        end = max(end, later.end)
        score = max(score, later.score)
    }

    /// Removes a content type, because its stretch turned out to be too brief to count.
    mutating func dismiss(_ type: ContentType) {
        levels[type] = nil
    }

    /// Raises the level of a content type, because the frame is part of a stretch that counts.
    mutating func raise(_ type: ContentType, to level: Level) {
        levels[type] = max(self.level(of: type), level)
    }

    /// Extends the frame back to the start of the video, because nothing is shown before it.
    mutating func extendToZero() {
        start = .zero
    }

    /// Shortens the frame, because another frame is shown from a moment on.
    mutating func shorten(to earlier: Duration) {
        end = min(end, earlier)
    }
}
