// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What is known of a video: the frames that were looked at, and what has to be looked at before it is decided.
///
/// The rule: a video is sensitive when a frame reaches the strong threshold, or when frames at or over the ordinary
/// threshold are shown for a second in all with no interruption longer than a second, or for the whole of a shorter video.
/// So a still shot that is sensitive as a picture is sensitive as a video at any sampling, a flash is never averaged away,
/// scores that waver around the threshold and black frames in between protect nothing from being found, and a single
/// uncertain frame between harmless ones decides nothing.
package struct FrameTimeline: Sendable {
    /// The length of the video; zero as long as it is not known.
    package private(set) var duration: Duration
    /// In the order in which they are shown; none overlaps another.
    package private(set) var frames: [TimelineFrame] = []

    /// For so long in all, frames have to be shown that reach the ordinary threshold only.
    package static let decisiveLength = Duration.seconds(1)
    /// What is interrupted for longer begins anew.
    package static let longestInterruption = Duration.seconds(1)
    /// What lies between two frames that reach a threshold counts as reaching it, if it is no longer than this.
    package static let bridgedLength = Duration.milliseconds(750)
    /// What is shown for less is not seen as less: displays show few pictures more than sixty a second.
    private static let shortestLength = Duration.milliseconds(16)
    /// More frames than this are made fewer, except for the most recent, around which others may still come.
    private static let mostFrames = 256
    private static let recentFrames = 64
    /// How many frames there may be before they are made fewer the next time.
    private var allowedFrames = mostFrames
    /// The first look to both sides of a frame that reaches the ordinary threshold.
    static let firstStep = Duration.milliseconds(250)

    /// - Parameter duration: the length of the video; zero where it is not known before the end.
    package init(duration: Duration) {
        self.duration = duration
    }

    /// Notes that the video has been gone through, and how long it was found to be.
    package mutating func finish(at end: Duration) {
        if duration == .zero { duration = max(end, frames.last?.end ?? .zero) }
    }

    /// Adds a frame that was looked at.
    ///
    /// A frame is shown until the next begins, whatever its file says: where two overlap, the earlier is shortened.
    ///
    /// - Returns: whether it was new; one that begins with a known one is not.
    @discardableResult
    package mutating func insert(_ frame: TimelineFrame) -> Bool {
        // Most come in order.
        let index = (frames.lastIndex { $0.start < frame.start } ?? -1) + 1
        guard index == frames.endIndex || frames[index].start > frame.start else {
            // Files may give several frames the same moment, and players show them all.
            frames[index].merge(frame)
            return false
        }
        var frame = frame
        if index < frames.endIndex { frame.shorten(to: frames[index].start) }
        if index > 0 { frames[index - 1].shorten(to: frame.start) }
        frames.insert(frame, at: index)
        if frames.count > allowedFrames { compact() }
        return true
    }

    /// Makes few frames of many without changing what the rule says, so that memory and time do not grow with the video.
    ///
    /// Between two frames below all thresholds nothing is ever asked for; stretches that are surely too brief are no
    /// different from those; and what is decisive stays so as one frame.
    private mutating func compact() {
        let settled = frames.count - Self.recentFrames
        let settledEnd = frames[settled].start - Self.longestInterruption
        for type in types {
            let stretches = stretches(of: type)
            let isOpen = momentBetween(stretches, type) != nil
            for stretch in stretches where stretch.lowerBound < settled {
                if span(of: stretch, type).isDecisive {
                    let bounds = stretch.lowerBound...min(stretch.upperBound, settled - 1)
                    let level = frames[bounds].map { $0.level(of: type) }.max() ?? .ordinary
                    for index in bounds { frames[index].raise(type, to: level) }
                } else if !isOpen, frames[stretch.upperBound].end < settledEnd, moment(toDecide: stretch, type) == nil {
                    for index in stretch.bounds { frames[index].dismiss(type) }
                }
            }
        }
        var kept: [TimelineFrame] = []
        for (index, frame) in frames.enumerated() {
            if index < settled, let last = kept.last, last.hasSameLevels(as: frame),
                frame.types.isEmpty || frame.start - last.end <= Self.bridgedLength
            {
                kept[kept.count - 1].absorb(frame)
            } else {
                kept.append(frame)
            }
        }
        frames = kept
        // Where little could be left out, trying at every frame would take long.
        allowedFrames = max(Self.mostFrames, kept.count + kept.count / 2)
    }

    /// Notes that the frame that is shown at a moment is one that is known already.
    ///
    /// What was asked for with `nextMoment` and brought nothing new has to be answered so: pictures often begin later
    /// than the video or end earlier than its sound, and durations in files are not exact.
    package mutating func noteNothingNew(at moment: Duration) {
        guard let index = frames.lastIndex(where: { $0.start <= moment }) else {
            if !frames.isEmpty { frames[0].extendToZero() }
            return
        }
        frames[index].extend(to: max(limit(ofFrameAt: index), moment))
    }

    /// The latest moment at which a frame can end: when the next one begins, or the video ends.
    func limit(ofFrameAt index: Int) -> Duration {
        index + 1 < frames.count ? frames[index + 1].start : max(duration, frames[index].end)
    }

    /// A stretch in which all frames that were looked at reach a threshold of one content type.
    package struct Span: Sendable, Hashable {
        package let type: ContentType
        package let start: Duration
        package let end: Duration
        /// Whether the video is sensitive for it.
        package let isDecisive: Bool
    }

    /// All stretches that reach a threshold, by type and time.
    package var spans: [Span] {
        types.flatMap { type in stretches(of: type).map { span(of: $0, type) } }
    }

    /// The highest score of any frame, 0 before the first.
    package var score: Float { frames.map(\.score).max() ?? 0 }

    // MARK: Runs and stretches

    var types: [ContentType] {
        Set(frames.flatMap(\.types)).sorted()
    }

    /// The indices of consecutive frames that reach a threshold and lie close enough to each other.
    private func runs(of type: ContentType) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for index in frames.indices where frames[index].level(of: type) >= .ordinary {
            if let last = runs.last, last.upperBound == index - 1,
                frames[index].start - frames[index - 1].end <= Self.bridgedLength
            {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs
    }

    /// Runs of frames that reach a threshold, with interruptions that are brief enough to count them together.
    struct Stretch {
        /// At least one, in order.
        var runs: [ClosedRange<Int>]
        var lowerBound: Int { runs[0].lowerBound }
        var upperBound: Int { runs[runs.count - 1].upperBound }
        var bounds: ClosedRange<Int> { lowerBound...upperBound }
    }

    func stretches(of type: ContentType) -> [Stretch] {
        var stretches: [Stretch] = []
        for run in runs(of: type) {
            if let last = stretches.last,
                frames[run.lowerBound].start - frames[last.upperBound].end <= Self.longestInterruption
            {
                stretches[stretches.count - 1].runs.append(run)
            } else {
                stretches.append(Stretch(runs: [run]))
            }
        }
        return stretches
    }

    func span(of stretch: Stretch, _ type: ContentType) -> Span {
        let isStrong = frames[stretch.bounds].contains { $0.level(of: type) == .strong }
        // Of a video whose length is not known, nothing is the whole until its end.
        let isWhole =
            duration > .zero && stretch.runs == [0...(frames.count - 1)] && gap(before: 0).isEmpty
            && gap(after: frames.count - 1).isEmpty
        return Span(
            type: type, start: frames[stretch.lowerBound].start, end: frames[stretch.upperBound].end,
            isDecisive: isStrong || isWhole || shownLength(of: stretch) >= Self.decisiveLength)
    }

    /// For how long frames are shown that reach the threshold.
    func shownLength(of stretch: Stretch) -> Duration {
        stretch.runs.reduce(.zero) { sum, run in
            sum + max(Self.shortestLength, frames[run.upperBound].end - frames[run.lowerBound].start)
        }
    }

    /// What has not been looked at before a frame, up to the one before it.
    func gap(before index: Int) -> Range<Duration> {
        let end = frames[index].start
        let start = index > 0 ? frames[index - 1].end : .zero
        return min(start, end)..<end
    }

    /// What has not been looked at after a frame, up to the one behind it.
    func gap(after index: Int) -> Range<Duration> {
        frames[index].end..<limit(ofFrameAt: index)
    }

    /// All that has not been looked at beside the runs of a stretch.
    func gaps(of stretch: Stretch) -> Set<Range<Duration>> {
        Set(stretch.runs.flatMap { [gap(before: $0.lowerBound), gap(after: $0.upperBound)] })
    }
}
