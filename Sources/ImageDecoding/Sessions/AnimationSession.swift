// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// An animation in GIF, WebP, JPEG XL or PNG.
///
/// Every picture is decoded in order and, unless it repeats the last, reported as a frame.
///
/// Viewers differ in the parts of a picture that remain before the next one is drawn. Each resulting animation is
/// reported as a track of its own.
final class AnimationSession: MediaSession {
    let media: MediaReply
    private let pictures: AnimationPictures
    private let file: InputFile
    private let request: OpenRequest
    /// The start times of the pictures, followed by the end time of the last one, in microseconds.
    private let moments: [UInt64]
    private var position = 0
    private var searchBudget = SearchBudget()
    private var selection = FrameSelection(preset: .thorough)
    /// The picture that was reported last.
    private var told: RenderedPicture?
    /// A decoded frame that the next call returns, because the repetitions before it are reported first.
    private var waiting: TrackAnswer?

    init(_ file: InputFile, _ request: OpenRequest, _ pictures: AnimationPictures) {
        (self.file, self.request, self.pictures) = (file, request, pictures)
        moments = Self.moments(pictures.durations, isEndless: pictures.loopCount == 0)
        media = MediaReply(format: pictures.format, trackCount: UInt16(pictures.drawingCount))
    }

    private var count: Int { moments.count - 1 }

    /// Returns the start and end times.
    private static func moments(_ durations: [UInt64], isEndless: Bool) -> [UInt64] {
        var moments: [UInt64] = [0]
        for (index, duration) in durations.enumerated() {
            var length = min(duration, longestPicture)
            // An animation with a limited number of loops stays at its last picture.
            if index == durations.count - 1, !isEndless { length = max(length, 10_000_000) }
            moments.append(moments[index] + length)
        }
        return moments
    }

    /// The longest duration of a picture that counts, in microseconds.
    private static let longestPicture: UInt64 = 3_600_000_000

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        try pictures.start(index)
        position = 0
        waiting = nil
        selection = FrameSelection(preset: .thorough)
        told = nil
        // A single picture stays visible, so its time does not count.
        return TrackReply(isTimed: count > 1, isComplete: true, duration: moments[count])
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer {
        if let waiting {
            self.waiting = nil
            return waiting
        }
        let slice = WorkSlice()
        var repeated: TimeSpan?
        while position < count, !slice.isOver {
            if let reason = exceededLimit() { return .end(end(reason)) }
            let whole = try pictures.picture(position)
            let rendered = try rendered(whole)
            let shown = TimeSpan(start: moments[position], end: moments[position + 1])
            position += 1
            guard try !isRepetition(rendered, at: .microseconds(Int64(clamping: shown.start))) else {
                repeated = TimeSpan(start: repeated?.start ?? shown.start, end: shown.end)
                continue
            }
            told = rendered
            let answer = TrackAnswer.frame(try withTestPatterns(rendered, whole), shown)
            // Repetitions are reported before a different picture.
            guard let repeated else { return answer }
            waiting = answer
            return .repetition(repeated)
        }
        if let repeated { return .repetition(repeated) }
        return position < count ? progress() : .end(end(.end))
    }

    /// Whether a picture looks like the last reported picture; equal averages alone do not show that.
    private func isRepetition(_ picture: RenderedPicture, at moment: Duration) throws(DecodingFailure) -> Bool {
        let signature = FrameSignature(views: picture.views, width: picture.width, height: picture.height)
        guard selection.choose(signature, at: moment) == .repetition else { return false }
        if let told, try picture.looksLike(told) { return true }
        selection.scoreInstead(signature, at: moment)
        return false
    }

    private func exceededLimit() -> TrackEnd.Reason? {
        if position >= request.limits.maximumFrameCount { return .tooManyFrames }
        return moments[position] > request.limits.maximumDuration.microseconds ? .tooLong : nil
    }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer {
        // Every picture has been reported with its time, so there is no other frame.
        .end(end(.end))
    }

    private func progress() -> TrackAnswer {
        let share = UInt16(Double(position) / Double(count) * 65_535)
        return .progress(TrackProgress(share: share, position: moments[position]))
    }

    private func end(_ reason: TrackEnd.Reason) -> TrackEnd {
        TrackEnd(
            duration: moments[position], decodedFrameCount: UInt64(position), longestUnseen: 0, reason: reason)
    }

    // MARK: Pictures

    private func rendered(_ whole: VipsPicture) throws(DecodingFailure) -> RenderedPicture {
        try rendered(whole, request.picture.target)
    }

    private func rendered(_ whole: VipsPicture, _ target: ReductionTarget) throws(DecodingFailure) -> RenderedPicture {
        let loader = PictureLoader(file: file, format: media.format, limits: request.limits, target: target)
        let rendered = try loader.averaged(whole, pictures.meaning, isDamaged: pictures.isDamaged)
        // Firefox converts colours before it mixes them, and Chromium after that.
        guard pictures.hasMixedColours, pictures.meaning.namesColours else { return rendered }
        let plain = try loader.averaged(whole, ColourMeaning(isPremultiplied: pictures.meaning.isPremultiplied))
        guard plain.views.count == rendered.views.count else { throw DecodingFailure(.mixedColours, media.format) }
        return rendered
    }

    private func withTestPatterns(
        _ rendered: RenderedPicture, _ whole: VipsPicture
    ) throws(DecodingFailure) -> RenderedPicture {
        guard request.picture.findsTestPatterns else { return rendered }
        var rendered = rendered
        try rendered.findTestPatterns(&searchBudget) { () throws(DecodingFailure) in
            try self.rendered(whole, .forTestPatterns)
        }
        return rendered
    }
}
