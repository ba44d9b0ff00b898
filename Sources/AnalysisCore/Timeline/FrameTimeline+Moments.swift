// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The choice of the moments whose frames are decoded next.
extension FrameTimeline {
    /// The moment whose frame is needed next to decide the rule of `FrameTimeline`; nil if the rule is decided.
    ///
    /// The first moments are a quarter of a second and a second from a frame that reaches the ordinary threshold. Later
    /// moments halve the gaps, until each stretch is long enough or surely too short. The moments a quarter of a second
    /// and a second beside a stretch that is too short are analysed too.
    package var nextMoment: Duration? {
        for type in types {
            let stretches = stretches(of: type)
            for stretch in stretches {
                if let moment = moment(toDecide: stretch, type) { return moment }
            }
            if let moment = momentBetween(stretches, type) { return moment }
        }
        return nil
    }

    /// Returns the next moment that makes the edges of sensitive stretches more exact, or nil if they are exact enough.
    ///
    /// - Parameters:
    ///   - precision: the longest gap that may stay unknown at each edge.
    ///   - onlyStart: whether only the start of the first sensitive stretch of a type matters.
    package func nextEdgeMoment(precision: Duration, onlyStart: Bool) -> Duration? {
        for type in types {
            for stretch in stretches(of: type) where span(of: stretch, type).isDecisive {
                let (before, after) = (gap(before: stretch.lowerBound), gap(after: stretch.upperBound))
                if length(before) > precision { return before.lowerBound + length(before) / 2 }
                if onlyStart { break }
                if length(after) > precision { return after.lowerBound + length(after) / 2 }
            }
        }
        return nil
    }

    func moment(toDecide stretch: Stretch, _ type: ContentType) -> Duration? {
        guard !span(of: stretch, type).isDecisive else { return nil }
        func reaches(_ index: Int) -> Bool {
            frames.indices.contains(index) && frames[index].level(of: type) >= .ordinary
        }
        // Two runs may turn out to be one run; a video shorter than a second is sensitive if the stretch fills it.
        let mayGrow =
            duration < Self.decisiveLength
            || stretch.runs.contains { reaches($0.lowerBound - 1) || reaches($0.upperBound + 1) }
        let longest = gaps(of: stretch).reduce(shownLength(of: stretch)) { $0 + length($1) }
        if mayGrow || longest >= Self.decisiveLength, let moment = momentBesideRuns(of: stretch) { return moment }
        return momentAround(stretch)
    }

    /// Returns a moment in the longest gap beside the runs of a stretch; nil if no gap is left.
    private func momentBesideRuns(of stretch: Stretch) -> Duration? {
        var widest: (gap: Range<Duration>, wanted: Duration)?
        for run in stretch.runs {
            let (start, end) = (frames[run.lowerBound].start, frames[run.upperBound].end)
            let isShort = end - start < Self.firstStep
            let sides = [
                (gap(after: run.upperBound), isShort ? end + Self.firstStep : start + Self.decisiveLength),
                (gap(before: run.lowerBound), isShort ? start - Self.firstStep : end - Self.decisiveLength),
            ]
            for (gap, wanted) in sides where length(gap) > widest.map({ length($0.gap) }) ?? .zero {
                widest = (gap, wanted)
            }
        }
        return widest.map { gap, wanted in
            gap.contains(wanted) ? wanted : gap.lowerBound + length(gap) / 2
        }
    }

    /// Returns a moment in a gap between stretches that may turn out to count together; nil if there is none.
    func momentBetween(_ stretches: [Stretch], _ type: ContentType) -> Duration? {
        // The longest possible shown length of neighbouring stretches, and the gaps between them.
        var (most, between): (Duration, [Range<Duration>]) = (.zero, [])
        for (index, stretch) in stretches.enumerated() {
            if index > 0 {
                let last = stretches[index - 1].upperBound
                let facing = Set([gap(after: last), gap(before: stretch.lowerBound)])
                let unknown = facing.reduce(.zero) { $0 + length($1) }
                if frames[stretch.lowerBound].start - frames[last].end - unknown <= Self.longestInterruption {
                    between += facing
                } else {
                    (most, between) = (.zero, [])
                }
            }
            // A decisive stretch needs no neighbours.
            if span(of: stretch, type).isDecisive {
                (most, between) = (.zero, [])
                continue
            }
            most += gaps(of: stretch).reduce(shownLength(of: stretch)) { $0 + length($1) }
            if most >= Self.decisiveLength, let widest = between.max(by: { length($0) < length($1) }), !widest.isEmpty {
                return widest.lowerBound + length(widest) / 2
            }
        }
        return nil
    }

    /// Returns a moment without a known frame near a brief stretch, because brief content may come again.
    private func momentAround(_ stretch: Stretch) -> Duration? {
        let (start, end) = (frames[stretch.lowerBound].start, frames[stretch.upperBound].end)
        let last = max(duration, frames[frames.count - 1].end)
        return [
            end + Self.firstStep, start - Self.firstStep, end + Self.decisiveLength, start - Self.decisiveLength,
        ].first { moment in
            moment >= .zero && moment < last && !frames.contains { $0.start <= moment && moment < $0.end }
        }
    }

    private func length(_ range: Range<Duration>) -> Duration { range.upperBound - range.lowerBound }
}
