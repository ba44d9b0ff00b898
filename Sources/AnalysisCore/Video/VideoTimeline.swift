// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What is known of a video: the frames that were looked at, and what has to be looked at before it is decided.
///
/// The rule: a video is sensitive when a frame reaches the strong threshold, or when frames at or over the ordinary
/// threshold are shown for a second or longer, or for the whole of a shorter video. So a still shot that is sensitive as
/// a picture is sensitive as a video at any sampling, a flash is never averaged away, and a single uncertain frame
/// between harmless ones decides nothing.
package struct VideoTimeline: Sendable {
    /// The length of the video; zero as long as it is not known.
    package private(set) var duration: Duration
    /// In the order in which they are shown; none overlaps another.
    package private(set) var frames: [TimelineFrame] = []

    /// For so long, frames have to be shown that reach the ordinary threshold only.
    package static let decisiveLength = Duration.seconds(1)
    /// What lies between two frames that reach a threshold counts as reaching it, if it is no longer than this.
    package static let bridgedLength = Duration.milliseconds(750)
    /// More frames than this are made fewer, except for the most recent, around which others may still come.
    private static let mostFrames = 256
    private static let recentFrames = 64
    /// The first look to both sides of a frame that reaches the ordinary threshold.
    private static let firstStep = Duration.milliseconds(250)

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
        let index = frames.firstIndex { $0.start >= frame.start } ?? frames.endIndex
        guard index == frames.endIndex || frames[index].start > frame.start else {
            // Files may give several frames the same moment, and players show them all.
            frames[index].merge(frame)
            return false
        }
        var frame = frame
        if index < frames.endIndex { frame.shorten(to: frames[index].start) }
        if index > 0 { frames[index - 1].shorten(to: frame.start) }
        frames.insert(frame, at: index)
        if frames.count > Self.mostFrames { compact() }
        return true
    }

    /// Makes few frames of many without changing what the rule says, so that memory and time do not grow with the video.
    ///
    /// Between two frames below all thresholds nothing is ever asked for; stretches that are surely too brief are no
    /// different from those; and what is decisive stays so as one frame.
    private mutating func compact() {
        let settled = frames.count - Self.recentFrames
        for type in types {
            for run in runs(of: type) where run.upperBound < settled - 1 {
                let isTooBrief = !span(of: run, type).isDecisive && moment(toDecide: run, type) == nil
                if isTooBrief { for index in run { frames[index].dismiss() } }
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

    /// Notes that nothing changes after the frame that is shown at `moment`, until a later one.
    package mutating func extendFrame(shownAt moment: Duration, to later: Duration) {
        guard let index = frames.firstIndex(where: { $0.start <= moment && moment < $0.end }) else { return }
        frames[index].extend(to: min(later, limit(ofFrameAt: index)))
    }

    /// The latest moment at which a frame can end: when the next one begins, or the video ends.
    private func limit(ofFrameAt index: Int) -> Duration {
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
        types.flatMap { type in runs(of: type).map { span(of: $0, type) } }
    }

    /// The highest score of any frame, 0 before the first.
    package var score: Float { frames.map(\.score).max() ?? 0 }

    /// The moment whose frame has to be looked at next for the rule to be applied; nil once all is decided.
    ///
    /// The first answers are a quarter of a second and a second from a frame that reaches the ordinary threshold. They
    /// go on, halving what is not known, until each stretch is either long enough or surely too short.
    package var nextMoment: Duration? {
        for type in types {
            for run in runs(of: type) {
                if let moment = moment(toDecide: run, type) { return moment }
            }
        }
        return nil
    }

    /// The moment to look at next to know more exactly when what is sensitive begins and ends; nil once it is known.
    ///
    /// - Parameters:
    ///   - precision: how much may be left unknown at each edge.
    ///   - onlyStart: whether only the beginning of the first stretch matters.
    package func nextEdgeMoment(precision: Duration, onlyStart: Bool) -> Duration? {
        for type in types {
            for run in runs(of: type) where span(of: run, type).isDecisive {
                let (before, after) = (gap(before: run), gap(after: run))
                if length(before) > precision { return before.lowerBound + length(before) / 2 }
                if onlyStart { break }
                if length(after) > precision { return after.lowerBound + length(after) / 2 }
            }
        }
        return nil
    }

    // MARK: Runs

    private var types: [ContentType] {
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

    private func span(of run: ClosedRange<Int>, _ type: ContentType) -> Span {
        let (start, end) = (frames[run.lowerBound].start, frames[run.upperBound].end)
        let isStrong = frames[run].contains { $0.level(of: type) == .strong }
        // Of a video whose length is not known, nothing is the whole until its end.
        let isWhole =
            duration > .zero && run == 0...(frames.count - 1) && gap(before: run).isEmpty && gap(after: run).isEmpty
        return Span(
            type: type, start: start, end: end,
            isDecisive: isStrong || isWhole || end - start >= Self.decisiveLength)
    }

    /// What has not been looked at before and after a run, up to the frames on its sides.
    private func gap(before run: ClosedRange<Int>) -> Range<Duration> {
        let end = frames[run.lowerBound].start
        let start = run.lowerBound > 0 ? frames[run.lowerBound - 1].end : .zero
        return min(start, end)..<end
    }

    private func gap(after run: ClosedRange<Int>) -> Range<Duration> {
        frames[run.upperBound].end..<limit(ofFrameAt: run.upperBound)
    }

    private func moment(toDecide run: ClosedRange<Int>, _ type: ContentType) -> Duration? {
        let span = span(of: run, type)
        guard !span.isDecisive else { return nil }
        let (before, after) = (gap(before: run), gap(after: run))
        func reaches(_ index: Int) -> Bool {
            frames.indices.contains(index) && frames[index].level(of: type) >= .ordinary
        }
        // Two runs may turn out to be one, and a short video may be all of one kind.
        let mayGrow = reaches(run.lowerBound - 1) || reaches(run.upperBound + 1) || duration < Self.decisiveLength
        let longest = after.upperBound - before.lowerBound
        guard mayGrow || longest >= Self.decisiveLength else { return nil }
        let isShort = span.end - span.start < Self.firstStep
        let right = isShort ? span.end + Self.firstStep : span.start + Self.decisiveLength
        let left = isShort ? span.start - Self.firstStep : span.end - Self.decisiveLength
        // The side of which less is known first.
        let sides = [(after, right), (before, left)].sorted { length($0.0) > length($1.0) }
        for (gap, wanted) in sides where !gap.isEmpty {
            return gap.contains(wanted) ? wanted : gap.lowerBound + length(gap) / 2
        }
        return nil
    }

    private func length(_ range: Range<Duration>) -> Duration { range.upperBound - range.lowerBound }
}
