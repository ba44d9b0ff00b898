// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The analysed frames of a video, and the rule by which they make the video sensitive.
///
/// A video is sensitive if a frame reaches the strong threshold. It is also sensitive if frames at or over the ordinary
/// threshold are shown for a second in all, with no interruption longer than a second. For a shorter video, such frames
/// must fill the whole video. A still shot that is sensitive as a picture is therefore sensitive as a video at any
/// sampling. A flash is never averaged away. Scores that waver around the threshold, and black frames in between, do
/// not hide content. A single uncertain frame between harmless frames decides nothing.
package struct FrameTimeline: Sendable {
    /// The length of the video; zero while it is unknown.
    package private(set) var duration: Duration
    /// The analysed frames in the order in which they are shown, without overlaps.
    package private(set) var frames: [TimelineFrame] = []

    /// The total time for which frames at the ordinary threshold have to be shown to make the video sensitive.
    package static let decisiveLength = Duration.seconds(1)
    /// The longest interruption within a stretch.
    package static let longestInterruption = Duration.seconds(1)
    /// The longest gap between two frames at a threshold that counts as part of their run.
    package static let bridgedLength = Duration.milliseconds(750)
    /// The least time that a run counts for, because displays rarely show more than sixty pictures a second.
    private static let shortestLength = Duration.milliseconds(16)
    /// The number of frames above which old frames are merged; frames may still be inserted near recent frames.
    private static let mostFrames = 256
    private static let recentFrames = 64
    /// The number of frames above which the next merge is attempted.
    private var allowedFrames = mostFrames
    /// The distance of the first requested moments from a frame that reaches the ordinary threshold.
    static let firstStep = Duration.milliseconds(250)

    /// - Parameter duration: the length of the video; zero if it is unknown before the end.
    package init(duration: Duration) {
        self.duration = duration
    }

    /// Ends the timeline, and sets the length of the video if it was unknown.
    package mutating func finish(at end: Duration) {
        if duration == .zero { duration = max(end, frames.last?.end ?? .zero) }
    }

    /// Adds an analysed frame.
    ///
    /// A frame is shown until the next frame begins. If two frames overlap in the file, the earlier frame is shortened.
    ///
    /// - Returns: whether the frame is new; a frame with the start of a known frame is merged into the known frame.
    @discardableResult
    package mutating func insert(_ frame: TimelineFrame) -> Bool {
        // Most frames come in order.
        let index = (frames.lastIndex { $0.start < frame.start } ?? -1) + 1
        guard index == frames.endIndex || frames[index].start > frame.start else {
            // Files may give several frames the same moment, and players show all of them.
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

    /// Merges settled frames without a change of the rule's result, so memory and time do not grow with the video.
    ///
    /// No moment between two frames below all thresholds is ever requested. Stretches that are surely too brief are
    /// treated like such frames. A decisive stretch stays decisive as one frame.
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
        // If few frames could be merged, a new attempt at every frame would take long.
        allowedFrames = max(Self.mostFrames, kept.count + kept.count / 2)
    }

    /// Notes that the frame that is shown at a moment is a known frame.
    ///
    /// The caller must note this if the frame at `nextMoment` is not new. Pictures often begin later than the video or
    /// end earlier than its sound, and durations in files are not exact.
    package mutating func noteNothingNew(at moment: Duration) {
        guard let index = frames.lastIndex(where: { $0.start <= moment }) else {
            if !frames.isEmpty { frames[0].extendToZero() }
            return
        }
        frames[index].extend(to: max(limit(ofFrameAt: index), moment))
    }

    /// Returns the latest moment at which a frame can end: the start of the next frame, or the end of the video.
    func limit(ofFrameAt index: Int) -> Duration {
        index + 1 < frames.count ? frames[index + 1].start : max(duration, frames[index].end)
    }

    /// A stretch with frames that reach a threshold of one content type, including brief interruptions.
    package struct Span: Sendable, Hashable {
        package let type: ContentType
        package let start: Duration
        package let end: Duration
        /// Whether the stretch makes the video sensitive.
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

    /// Returns runs of consecutive frames that reach a threshold, with gaps of at most ``bridgedLength``.
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

    /// Runs of frames that reach a threshold, which count together because their interruptions are brief.
    struct Stretch {
        /// At least one run, in order.
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
        // If the length of the video is unknown, no stretch is the whole video before its end.
        let isWhole =
            duration > .zero && stretch.runs == [0...(frames.count - 1)] && gap(before: 0).isEmpty
            && gap(after: frames.count - 1).isEmpty
        return Span(
            type: type, start: frames[stretch.lowerBound].start, end: frames[stretch.upperBound].end,
            isDecisive: isStrong || isWhole || shownLength(of: stretch) >= Self.decisiveLength)
    }

    /// Returns the time for which the frames of a stretch at the threshold are shown.
    func shownLength(of stretch: Stretch) -> Duration {
        stretch.runs.reduce(.zero) { sum, run in
            sum + max(Self.shortestLength, frames[run.upperBound].end - frames[run.lowerBound].start)
        }
    }

    /// Returns the time without an analysed frame before a frame.
    func gap(before index: Int) -> Range<Duration> {
        let end = frames[index].start
        let start = index > 0 ? frames[index - 1].end : .zero
        return min(start, end)..<end
    }

    /// Returns the time without an analysed frame after a frame.
    func gap(after index: Int) -> Range<Duration> {
        frames[index].end..<limit(ofFrameAt: index)
    }

    /// Returns all gaps beside the runs of a stretch.
    func gaps(of stretch: Stretch) -> Set<Range<Duration>> {
        Set(stretch.runs.flatMap { [gap(before: $0.lowerBound), gap(after: $0.upperBound)] })
    }
}
