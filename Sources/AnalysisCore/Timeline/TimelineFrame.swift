// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame that was looked at: when it is shown, and what was found in it.
package struct TimelineFrame: Sendable, Hashable {
    /// How a frame stands to the thresholds of one content type.
    package enum Level: Int, Sendable, Comparable {
        case below
        /// It counts if it stays.
        case ordinary
        /// It counts however brief it is.
        case strong

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The first moment at which the frame is shown, from the start of the video.
    package private(set) var start: Duration
    /// The moment at which another frame takes its place; later than `start`.
    package private(set) var end: Duration
    /// The highest score of any view and content type, 1 where the test pattern was found.
    package private(set) var score: Float
    private var levels: [ContentType: Level]

    /// Judges a frame by the scores of its views.
    ///
    /// - Parameters:
    ///   - views: the scores of each view, at least one view with at least one score.
    ///   - testPatterns: the content types whose test pattern was found.
    /// - Throws: what `PictureVerdict` throws, and `internalFailure` where the frame is shown for no time.
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

    /// Notes that what follows looks the same until a later moment.
    package mutating func extend(to later: Duration) {
        end = max(end, later)
    }

    /// Whether the frame stands to all thresholds as another does.
    func hasSameLevels(as other: TimelineFrame) -> Bool { levels == other.levels }

    /// Takes in what was found in another frame that begins at the same moment.
    mutating func merge(_ other: TimelineFrame) {
        score = max(score, other.score)
        for (type, level) in other.levels { levels[type] = max(self.level(of: type), level) }
    }

    /// Takes a later frame in, as if both had been one.
    mutating func absorb(_ later: TimelineFrame) {
        end = max(end, later.end)
        score = max(score, later.score)
    }

    /// Notes that what the frame reaches has turned out to be too brief to count.
    mutating func dismiss(_ type: ContentType) {
        levels[type] = nil
    }

    /// Notes that the frame is part of what counts for a content type.
    mutating func raise(_ type: ContentType, to level: Level) {
        levels[type] = max(self.level(of: type), level)
    }

    /// Notes that nothing is shown before.
    mutating func extendToZero() {
        start = .zero
    }

    /// Notes that another frame is shown from a moment on.
    mutating func shorten(to earlier: Duration) {
        end = min(end, earlier)
    }
}
