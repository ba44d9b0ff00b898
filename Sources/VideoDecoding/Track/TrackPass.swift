// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderProtocol
internal import DecoderService

/// Goes through a stream once and gives the frames that are worth a look.
final class TrackPass {
    private let reader: SegmentReader
    private let decoder: FrameDecoder
    private let renderer: FrameRenderer
    private let stream: VideoStream
    private let request: MediaRequest
    private let duration: Int64?
    private let frames: FrameBudget

    private var plan: SamplingPlan
    private var selection: FrameSelection
    private var pending = PendingFrames()
    private var unseen = UnseenStretches()
    private var answers: [TrackAnswer] = []
    private var repetition: TimeSpan?
    private var previous: FrameSignature?
    private var position: Int64 = 0
    private var latestShown: Int64 = 0
    private var work = Work.reading

    /// The segment that is being decoded.
    private struct Decoding {
        let segment: Segment
        let plan: SegmentPlan
        var wanted: Set<Int>
        /// The next packet to decode, and the one to stop before.
        var cursor = 0
        var end: Int
        var hasShownAnotherScene = false
        var isSecondTry = false
        var decodedCount = 0

        var isWhole: Bool { end == segment.packets.count }
    }

    private enum Work {
        case reading
        case decoding(Decoding)
        case done
    }

    init(
        _ container: MediaContainer, _ stream: VideoStream, duration: Int64?, _ request: MediaRequest,
        frames: FrameBudget
    ) throws(DecodingFailure) {
        self.stream = stream
        self.request = request
        self.duration = duration
        self.frames = frames
        reader = SegmentReader(container, stream)
        decoder = try FrameDecoder(stream, in: container, request.picture)
        renderer = FrameRenderer(stream, request.picture)
        plan = SamplingPlan(preset: request.preset)
        selection = FrameSelection(preset: request.preset)
    }

    /// Whether a moment can be found by its timestamp.
    var canSeek: Bool { !reader.isShifted }

    func next() throws(DecodingFailure) -> TrackAnswer {
        let slice = WorkSlice()
        while true {
            if !answers.isEmpty { return answers.removeFirst() }
            switch work {
            case .done: return .end(trackEnd())
            case .reading:
                guard let segment = try reader.nextSegment(while: { !slice.isOver }) else { return progress() }
                try begin(segment)
            case .decoding(var decoding):
                // Taken out and put back: the frames that are shown meanwhile change it as well.
                if decoding.cursor < decoding.end {
                    try decodeNext(&decoding)
                    if case .decoding = work { work = .decoding(decoding) }
                } else {
                    try finish(&decoding)
                }
                if answers.isEmpty, slice.isOver { return progress() }
            }
        }
    }

    // MARK: Segments

    private func begin(_ segment: Segment) throws(DecodingFailure) {
        guard let first = segment.packets.first else { return try endTrack(.end) }
        guard UInt64(clamping: first.moment) <= request.maximumDuration else { return try endTrack(.tooLong) }
        position = first.moment
        let pixelCount = max(1, stream.width * stream.height)
        var planned = plan.plan(
            segment.records, next: segment.nextMoment.map { .microseconds($0) }, isLast: segment.isLast,
            pixelCount: pixelCount)
        if segment.packets.contains(where: \.encoded.isDamaged) {
            // What is missing has to be found out, and what there is to be looked at.
            planned.decodesEverything = true
            planned.wanted = Array(segment.packets.indices)
        }
        let wanted = Set(planned.wanted)
        pending.add(segment, wanted: wanted)
        work = .decoding(
            Decoding(segment: segment, plan: planned, wanted: wanted, end: Self.end(of: planned, in: segment)))
    }

    /// How many packets of a segment are decoded.
    private static func end(of plan: SegmentPlan, in segment: Segment) -> Int {
        guard !plan.decodesEverything else { return segment.packets.count }
        guard let last = plan.wanted.last else { return 0 }
        // A key frame comes out by itself; of others, some packets have no picture but in what follows.
        return last == 0 ? 1 : min(segment.packets.count, last + 1 + following)
    }

    private func decodeNext(_ decoding: inout Decoding) throws(DecodingFailure) {
        let packet = decoding.segment.packets[decoding.cursor]
        let isWanted = decoding.wanted.contains(decoding.cursor)
        decoding.cursor += 1
        decoding.decodedCount += 1
        guard frames.take() else { return try endTrack(.tooManyFrames) }
        decoder.skipsFramesWithoutDependents =
            !isWanted && !decoding.plan.decodesEverything && !decoding.isSecondTry && decoding.plan.evidence.isEmpty
        if try !decoder.send(packet.encoded), isWanted { unseen.miss(at: packet.moment) }
        while let frame = try decoder.receive() { try show(frame, &decoding) }
    }

    private func finish(_ decoding: inout Decoding) throws(DecodingFailure) {
        // Where the next segment goes on from this one, the decoder is left as it is.
        guard !decoding.isWhole || decoding.segment.isLast else {
            account(decoding)
            work = .reading
            return
        }
        if decoding.end > 0 {
            decoder.beginDraining()
            while let frame = try decoder.receive() { try show(frame, &decoding) }
            decoder.reset()
        }
        for lost in pending.takeRest() { unseen.miss(at: lost.moment) }
        previous = nil
        if unseen.isOpen, !decoding.isSecondTry, decoding.segment.packets.count > 1 {
            // What was wanted could not be decoded: everything near it is tried instead.
            decoding.isSecondTry = true
            decoding.cursor = 0
            decoding.end = decoding.segment.packets.count
            decoding.wanted = Set(decoding.segment.packets.indices)
            pending.add(decoding.segment, wanted: [])
            work = .decoding(decoding)
            return
        }
        account(decoding)
        if decoding.segment.isLast { return try endTrack(.end) }
        work = .reading
    }

    private func account(_ decoding: Decoding) {
        guard !decoding.plan.evidence.isEmpty else { return }
        plan.noteEvidence(decoded: decoding.decodedCount - 1, hasShownAnotherScene: decoding.hasShownAnotherScene)
    }

    private func endTrack(_ reason: TrackEnd.Reason) throws(DecodingFailure) {
        flushRepetition()
        unseen.see(at: max(latestShown, position))
        endReason = reason
        work = .done
    }

    private var endReason = TrackEnd.Reason.end

    // MARK: Frames

    private func show(_ frame: DecodedFrame, _ decoding: inout Decoding) throws(DecodingFailure) {
        guard let label = frame.label, let (known, lost) = pending.take(label) else { return }
        let wasUnseen = unseen.isOpen
        for frame in lost { unseen.miss(at: frame.moment) }
        latestShown = max(latestShown, known.end)
        var isWanted = known.isWanted || !lost.isEmpty || wasUnseen
        if frame.isBroken {
            // It is judged as well, since players show it; but it does not count as seen.
            if isWanted { unseen.miss(at: known.moment) }
        } else {
            unseen.see(at: known.moment)
        }
        let needsSignature = isWanted || !decoding.plan.evidence.isEmpty || decoding.plan.decodesEverything
        let signature = needsSignature ? frame.signature : nil
        if let signature, let previous, signature.difference(to: previous)?.isAnotherScene == true {
            decoding.hasShownAnotherScene = true
            // Decoded for something else, and worth a look for itself.
            if request.preset != .fast { isWanted = true }
        }
        previous = signature ?? previous
        guard isWanted else { return }
        switch selection.choose(signature, at: .microseconds(known.moment)) {
        case .score:
            flushRepetition()
            answers.append(.frame(try renderer.picture(of: frame), shown(known)))
        case .repetition: note(repetition: shown(known))
        case .pass: break
        }
    }

    private func shown(_ frame: PendingFrames.Frame) -> TimeSpan {
        TimeSpan(start: UInt64(clamping: frame.moment), end: UInt64(clamping: max(frame.end, frame.moment + 1)))
    }

    /// Repetitions that follow each other are told as one.
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

    // MARK: Answers

    private func progress() -> TrackAnswer {
        let known = duration.map { Double(position) / Double(max(1, $0)) } ?? reader.readShare
        let share = UInt16(min(1, max(0, known)) * 65_535)
        return .progress(TrackProgress(share: share, position: UInt64(clamping: position)))
    }

    private func trackEnd() -> TrackEnd {
        var reason = endReason
        if reason == .end, let duration, duration - max(reader.latestEnd, latestShown) > Self.missingEnd {
            reason = .truncated
        }
        return TrackEnd(
            duration: UInt64(clamping: latestShown), decodedFrameCount: frames.taken,
            longestUnseen: UInt64(clamping: unseen.longest), reason: reason)
    }

    /// In packets.
    private static let following = 2
    /// In microseconds.
    private static let longestRepetition: UInt64 = 1_000_000
    /// What may be missing between the declared end and the last packet, in microseconds.
    private static let missingEnd: Int64 = 500_000
}
