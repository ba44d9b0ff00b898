// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import Synchronization
internal import ViewerAgreement

/// Reads a stream once and returns the frames that are worth a look.
///
/// Segments that begin with a restart point are decoded in parallel, and segments that depend on others in turn.
final class TrackPass {
    private let reader: SegmentReader
    private let lanes: [Lane]
    private let renderer: FrameRenderer
    private let stream: VideoStream
    private let hasOpacity: Bool
    private let request: OpenRequest
    private let duration: Int64?
    private let frames: FrameBudget
    /// The number of streams of pictures at the start, each of which is a track.
    private let streamCount: Int
    /// Whether this is the last track, which alone reports a doubt about the whole file.
    private let isLastTrack: Bool

    private var plan: SamplingPlan
    private var selection: FrameSelection
    private var unseen = UnseenStretches()
    private var prepared: (segment: Segment, plan: SegmentPlan)?
    private var jobs: [(job: SegmentJob, lane: Int)] = []
    private var answers: [TrackAnswer] = []
    /// The frame that was scored last, its signature and its picture.
    private var scored: (frame: DecodedFrame, signature: FrameSignature?, picture: RenderedPicture)?
    private var repetition: TimeSpan?
    private var position: Int64 = 0
    private var latestShown: Int64 = 0
    private var hasReadAll = false
    private var isTooLong = false
    /// Whether packets that memory could not hold were not found again in the file.
    private var hasLostPackets = false
    private var endReason: TrackEnd.Reason?

    /// A thread with a decoder and a source of packets.
    private struct Lane {
        let thread = WorkerThread()
        let decoder: SegmentDecoder
        let source: SegmentSource
    }

    /// - Parameters:
    ///   - opacity: the packets of the track of opacity; nil for frames without one.
    ///   - open: opens the container again and returns the stream in it.
    init(
        _ container: MediaContainer, _ stream: VideoStream, opacity: OpacityPackets? = nil, duration: Int64?,
        isLastTrack: Bool,
        _ request: OpenRequest,
        frames: FrameBudget, opening open: @escaping () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    ) throws(DecodingFailure) {
        self.stream = stream
        self.request = request
        self.duration = duration
        self.frames = frames
        self.isLastTrack = isLastTrack
        streamCount = container.streams.count
        hasOpacity = opacity != nil
        reader = SegmentReader(container, stream, opacity: opacity, holdsEverything: request.preset.decodesEverything)
        var lanes: [Lane] = []
        for _ in 0..<(request.preset.decodesEverything ? 1 : Self.laneCount) {
            let decoder = try FrameDecoder(stream, opacity: opacity?.stream, in: container, request.picture)
            lanes.append(
                Lane(decoder: SegmentDecoder(decoder), source: SegmentSource(hasOpacity: opacity != nil, opening: open))
            )
        }
        self.lanes = lanes
        renderer = try FrameRenderer(stream, request.picture)
        plan = SamplingPlan(preset: request.preset)
        selection = FrameSelection(preset: request.preset)
    }

    deinit {
        for (job, _) in jobs { job.output.close() }
    }

    /// Whether a frame can be found by seeking to its timestamp.
    var canSeek: Bool { !reader.isShifted && !reader.hasNewParameters && !hasOpacity }

    func next() throws(DecodingFailure) -> TrackAnswer {
        let slice = WorkSlice()
        while true {
            if !answers.isEmpty { return answers.removeFirst() }
            if let endReason { return .end(trackEnd(endReason)) }
            try startJobs(until: slice)
            guard let (job, _) = jobs.first else {
                if hasReadAll, prepared == nil {
                    finish(.end)
                    continue
                }
                return progress()
            }
            let output = job.output.take(within: slice.rest)
            position = max(position, job.position.withLock { $0 })
            guard let output else { return progress() }
            try handle(output, of: job)
            // The comparison of frames takes time as well.
            if slice.isOver, answers.isEmpty, endReason == nil { return progress() }
        }
    }

    // MARK: Jobs

    private func startJobs(until slice: WorkSlice) throws(DecodingFailure) {
        while jobs.count < lanes.count {
            if prepared == nil { try prepare(until: slice) }
            guard let (segment, planned) = prepared else { return }
            // A segment that depends on another segment, or on which the next segment depends, is decoded alone.
            let isAlone = !segment.beginsAnew || isContinued(segment)
            guard jobs.isEmpty || !isAlone && !jobs.contains(where: { $0.job.isContinued }) else { return }
            let lane = isAlone ? 0 : lanes.indices.first { lane in !jobs.contains { $0.lane == lane } } ?? 0
            let job = SegmentJob(
                segment, planned, isContinued: isContinued(segment), source: lanes[lane].source,
                decoder: lanes[lane].decoder, looksAtScenes: request.preset == .balanced,
                comparesFrames: request.preset != .thorough, frames: frames)
            jobs.append((job, lane))
            prepared = nil
            lanes[lane].thread.run { job.run() }
        }
    }

    private func isContinued(_ segment: Segment) -> Bool {
        !segment.isLast && (request.preset.decodesEverything || !segment.endsBeforeRestart)
    }

    /// Reads and plans the next segment.
    private func prepare(until slice: WorkSlice) throws(DecodingFailure) {
        guard !hasReadAll, let segment = try reader.nextSegment(while: { !slice.isOver }) else { return }
        hasReadAll = segment.isLast
        guard let first = segment.packets.first else { return }
        guard isWithinLimit(first.moment) else { return stopAtLimit() }
        var planned = plan.plan(
            segment.records, next: segment.nextMoment.map { .microseconds($0) }, isLast: segment.isLast,
            pixelCount: max(1, stream.width * stream.height))
        if segment.isHeadless {
            // Players differ in what they show before the first restart point. A longer stretch without it is unseen.
            planned.decodesEverything = true
            let start = segment.packets.indices.prefix { segment.packets[$0].moment < first.moment + Self.headLength }
            planned.wanted = Set(planned.wanted).union(start).sorted()
        }
        if segment.packets.contains(where: \.isDamaged) {
            // The damaged part is unknown, so all frames are decoded and looked at.
            planned.decodesEverything = true
            planned.wanted = Array(segment.packets.indices)
        }
        prepared = (segment, planned)
    }

    /// The length of the start of a stream whose frames are all looked at without a restart point, in microseconds.
    private static let headLength: Int64 = 1_000_000

    private func isWithinLimit(_ moment: Int64) -> Bool {
        .microseconds(moment) <= request.limits.maximumDuration
    }

    /// Stops reading because the video is too long; running jobs decode their segments to the end.
    private func stopAtLimit() {
        hasReadAll = true
        isTooLong = true
        prepared = nil
    }

    private func handle(_ output: SegmentJob.Output, of job: SegmentJob) throws(DecodingFailure) {
        switch output {
        case .frame(let known, let frame, let signature):
            latestShown = max(latestShown, known.end)
            guard isWithinLimit(known.moment) else { return stopAtLimit() }
            try choose(frame, known, signature)
        case .seen(let moment): unseen.see(at: moment)
        case .missed(let moment): unseen.miss(at: moment)
        case .lost(let moment, let end):
            unseen.miss(at: moment)
            unseen.see(at: end)
        case .failed(let failure): throw failure
        case .finished(let summary):
            jobs.removeFirst()
            if !job.plan.evidence.isEmpty {
                plan.noteEvidence(
                    decoded: summary.decodedCount - 1, hasShownAnotherScene: summary.hasShownAnotherScene)
            }
            latestShown = max(latestShown, job.segment.end)
            hasLostPackets = hasLostPackets || summary.hasLostPackets
            if summary.hasExhaustedLimit { finish(.tooManyFrames) }
        }
    }

    /// Scores a frame, passes over it, or reports it as a repetition of the frame that was scored last.
    private func choose(
        _ frame: DecodedFrame, _ known: PendingFrames.Frame, _ signature: FrameSignature?
    ) throws(DecodingFailure) {
        let moment = Duration.microseconds(known.moment)
        let signaturesDecide = request.preset != .thorough
        if signaturesDecide {
            switch selection.choose(signature, at: moment) {
            case .score: return try score(frame, known, reduced: nil)
            case .pass: return
            // Frames with the same averages may look different.
            case .repetition: break
            }
        }
        let (isRepetition, picture) = try compare(frame, areSignaturesAlike: signaturesDecide)
        switch signaturesDecide && isRepetition ? .repetition : selection.choose(isRepetition: isRepetition, at: moment)
        {
        case .score, .pass:
            if signaturesDecide { selection.scoreInstead(signature, at: moment) }
            try score(frame, known, reduced: picture)
        case .repetition: note(repetition: shown(known))
        }
    }

    /// Returns whether a frame looks like the frame that was scored last, and its picture if one was made.
    private func compare(
        _ frame: DecodedFrame, areSignaturesAlike: Bool
    ) throws(DecodingFailure) -> (isRepetition: Bool, picture: RenderedPicture?) {
        guard let known = scored else { return (false, nil) }
        switch frame.likeness(to: known.frame) {
        case .identical: return (true, nil)
        case .same where areSignaturesAlike: return (true, nil)
        case .same:
            let signature = known.signature ?? known.frame.signature
            scored?.signature = signature
            if let signature, frame.signature?.difference(to: signature)?.isNegligible == true { return (true, nil) }
        case .unknown: break
        }
        let picture = try renderer.reducedPicture(of: frame)
        return (try picture.looksLike(known.picture), picture)
    }

    private func score(
        _ frame: DecodedFrame, _ known: PendingFrames.Frame, reduced: RenderedPicture?
    ) throws(DecodingFailure) {
        flushRepetition()
        let picture = try renderer.picture(of: frame, reduced: reduced)
        scored = (frame, nil, picture)
        answers.append(.frame(picture, shown(known)))
    }

    private func finish(_ reason: TrackEnd.Reason) {
        guard endReason == nil else { return }
        flushRepetition()
        unseen.see(at: max(latestShown, position))
        for (job, _) in jobs { job.output.close() }
        jobs = []
        endReason = isTooLong ? .tooLong : reason
    }

    // MARK: Answers

    private func shown(_ frame: PendingFrames.Frame) -> TimeSpan {
        TimeSpan(start: UInt64(clamping: frame.moment), end: UInt64(clamping: max(frame.end, frame.moment + 1)))
    }

    /// Notes a repetition, and merges it with the repetition directly before it.
    private func note(repetition span: TimeSpan) {
        if let known = repetition, known.end == span.start, span.end - known.start < Self.longestRepetition {
            repetition?.end = span.end
        } else {
            flushRepetition()
            repetition = span
        }
    }

    private func flushRepetition() {
        if let repetition { answers.append(.repetition(repetition)) }
        repetition = nil
    }

    private func progress() -> TrackAnswer {
        let known = duration.map { Double(position) / Double(max(1, $0)) } ?? reader.readShare
        let share = UInt16(min(1, max(0, known)) * 65_535)
        return .progress(TrackProgress(share: share, position: UInt64(clamping: position)))
    }

    private func trackEnd(_ given: TrackEnd.Reason) -> TrackEnd {
        var reason = given
        let isIncomplete = reader.hasFailed || reader.losses.endsDamaged || reader.lacksFrames || hasLostPackets
        if reason == .end, isIncomplete { reason = .truncated }
        if reason == .end, renderer.hasDisagreement { reason = .otherLook }
        if reason == .end, let found = reader.disagreementAboutStream { reason = TrackEnd.Reason(found.kind) }
        if reason == .end, isLastTrack, let found = reader.disagreement { reason = TrackEnd.Reason(found.kind) }
        if reason == .end, reader.streamCount > streamCount { reason = .lateStream }
        // If timestamps begin anew, the first and the last timestamp do not give the duration.
        if reason == .end, !reader.isShifted, let duration,
            duration - max(reader.latestEnd, latestShown) > Self.missingEnd
        {
            reason = .truncated
        }
        return TrackEnd(
            duration: UInt64(clamping: latestShown), decodedFrameCount: frames.taken,
            longestUnseen: UInt64(clamping: max(unseen.longest, reader.losses.longest)), reason: reason)
    }

    /// The number of threads that decode; more would need more memory, and the model needs cores as well.
    private static let laneCount = 2
    /// The time from which a repetition is not merged further, in microseconds.
    private static let longestRepetition: UInt64 = 1_000_000
    /// The time that may be missing between the last packet and the declared end, in microseconds.
    private static let missingEnd: Int64 = 500_000
}
