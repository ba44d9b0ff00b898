// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Hashing
internal import HelperHost
internal import HelperProtocol

/// Judges every frame of a file that the app displays, except frames that look the same as the last judged one.
///
/// A frame is judged at least every half second, unless its pixels are those of the last judged one. In test mode every
/// frame with other pixels is judged, because a code can become readable by a change that nobody sees.
///
/// The decoder finds the next frame while the model scores earlier frames.
struct WholeFrameWalk: Sendable {
    /// Scores the pixels of a frame, or of a picture without time.
    let score: @Sendable (SealedPicture, _ isFrame: Bool) async throws -> FrameScorer.Scored
    let modelName: String
    let request: AnalysisRequest
    /// The number of frames that are scored at once.
    let concurrency: Int
    /// The size of frames that are kept in memory, in bytes.
    let keptByteCount: Int
    /// Takes each frame with its number, before the verdict is known; numbers begin at 0 again after a crash.
    var take: JudgedFrames.Take?

    private struct Span: Sendable {
        let start: Duration
        let end: Duration
    }

    private typealias Group = ThrowingTaskGroup<(Int, FrameScorer.Scored), any Error>

    /// The judged frames so far.
    private struct Progress {
        var analysis: TrackAnalysis
        let isTimed: Bool
        var digests: [SHA256Digest] = []
        var kept: [WholeFrame]? = []
        var keptByteCount = 0
        var isDamaged = false
        var size: (width: Int, height: Int)?
        var latest: Judged?
        var judgedCount = 0
        var runningCount = 0
        /// The scores of the latest judged frame, once they are known.
        var latestScored: (number: Int, scored: FrameScorer.Scored)?
        /// The spans of frames that are being scored, and of frames that look the same.
        var waiting: [Int: [Span]] = [:]
    }

    /// The frame that was sent to the model last.
    private struct Judged {
        let number: Int
        let digest: SHA256Digest
        let sketch: FrameSketch?
        let start: Duration
    }

    /// Decodes and judges all frames.
    ///
    /// - Throws: `AnalysisFailure` if there is no frame, or more frames than the limits allow.
    func run(_ media: OpenWholeFrames, _ place: JudgedFrames.Place) async throws -> JudgedFrames {
        try await withThrowingTaskGroup(of: (Int, FrameScorer.Scored).self) { group in
            defer { group.cancelAll() }
            var progress = Progress(
                analysis: TrackAnalysis(media.track, policy: request.policy, keepsTimeline: false),
                isTimed: media.track.isTimed)
            while true {
                switch try await media.next() {
                case .frame(let frame):
                    try await add(frame, to: &progress, &group, loopCount: media.loopCount)
                    let share = share(of: frame, media)
                    request.options.reportProgress(
                        MediaProgress(share: share, position: frame.start, duration: media.track.duration))
                case .end(let end):
                    try await land(&progress, &group, leaving: 0)
                    return try result(progress, end, media, place)
                }
            }
        }
    }

    private func share(of frame: WholeFrame, _ media: OpenWholeFrames) -> Double {
        guard let duration = media.track.duration, duration > .zero else { return 0 }
        return min(Self.shareBeforeEnd, frame.start / duration)
    }

    private func add(
        _ frame: WholeFrame, to progress: inout Progress, _ group: inout Group, loopCount: Int
    ) async throws {
        let picture = frame.picture.picture
        let digest = try picture.digest()
        progress.digests.append(digest)
        progress.size = progress.size ?? (picture.layout.width, picture.layout.height)
        progress.isDamaged = progress.isDamaged || frame.picture.isDamaged
        keep(frame, in: &progress)
        let span = Span(start: frame.start, end: frame.end)
        if let latest = progress.latest, digest == latest.digest {
            try repeatLatest(span, in: &progress)
        } else {
            // A frame with opacity has no sketch, and is judged by itself.
            let sketch = VideoPixels(picture).flatMap { FrameSketch($0) }
            if let sketch, let latest = progress.latest, looksSame(frame, sketch, as: latest) {
                try repeatLatest(span, in: &progress)
            } else {
                try await land(&progress, &group, leaving: concurrency - 1)
                progress.judgedCount += 1
                progress.runningCount += 1
                let number = progress.judgedCount
                progress.latest = Judged(number: number, digest: digest, sketch: sketch, start: frame.start)
                progress.waiting[number] = [span]
                group.addTask { [score, isFrame = progress.isTimed] in (number, try await score(picture, isFrame)) }
            }
        }
        try await take?(frame, progress.digests.count - 1, loopCount)
    }

    private func looksSame(_ frame: WholeFrame, _ sketch: FrameSketch, as judged: Judged) -> Bool {
        guard !request.findsTestPatterns, frame.start < judged.start + Self.longestLikeness, let other = judged.sketch
        else { return false }
        return sketch.isLike(other, and: nil)
    }

    private func keep(_ frame: WholeFrame, in progress: inout Progress) {
        progress.keptByteCount += frame.picture.picture.layout.byteCount
        if progress.keptByteCount > keptByteCount { progress.kept = nil }
        progress.kept?.append(frame)
    }

    /// Notes that a frame looks the same as the latest judged frame.
    private func repeatLatest(_ span: Span, in progress: inout Progress) throws {
        guard let latest = progress.latest else { return }
        if let known = progress.latestScored, known.number == latest.number {
            try progress.analysis.add(known.scored, start: span.start, end: span.end, isRepetition: true)
        } else {
            progress.waiting[latest.number, default: []].append(span)
        }
    }

    /// Waits until at most `most` frames are being scored.
    private func land(_ progress: inout Progress, _ group: inout Group, leaving most: Int) async throws {
        while progress.runningCount > max(0, most), let (number, scored) = try await group.next() {
            progress.runningCount -= 1
            for (index, span) in (progress.waiting.removeValue(forKey: number) ?? []).enumerated() {
                try progress.analysis.add(scored, start: span.start, end: span.end, isRepetition: index > 0)
            }
            if number == progress.judgedCount { progress.latestScored = (number, scored) }
        }
    }

    private func result(
        _ progress: Progress, _ end: OpenMedia.End, _ media: OpenWholeFrames, _ place: JudgedFrames.Place
    ) throws -> JudgedFrames {
        try check(end)
        guard let size = progress.size else {
            throw AnalysisFailure(
                .malformedMedia, "Not one frame could be decoded. Get the file again, or save it in another format.")
        }
        var track = progress.analysis
        let isAnimation = media.format != .video && media.track.isTimed
        if isAnimation, media.loopCount > 0, let scored = progress.latestScored?.scored {
            // The last picture of such an animation stays on display.
            try track.add(
                scored, start: end.duration, end: end.duration + FrameTimeline.decisiveLength, isRepetition: true)
        }
        track.finish(at: end.duration)
        while let moment = track.nextMoment { track.noteNothingNew(at: moment) }
        var analysis = MediaAnalysis(
            kind: !media.track.isTimed ? .image : isAnimation ? .animation : .video, modelName: modelName,
            policy: request.policy)
        analysis.detectedTypes = track.detectedTypes
        analysis.score = track.score
        analysis.labels = track.labels
        analysis.framesAnalyzed = track.framesAnalyzed
        analysis.framesDecoded = progress.digests.count
        analysis.thresholds = track.thresholds
        analysis.spans = track.decisiveSpans
        analysis.firstSensitiveTime = analysis.spans.first?.start
        analysis.duration = media.track.isTimed ? end.duration : nil
        request.options.reportProgress(MediaProgress(share: 1, position: end.duration, duration: analysis.duration))
        return JudgedFrames(
            analysis: analysis, loopCount: media.loopCount, isDamaged: progress.isDamaged || end.reason == .truncated,
            size: size, digests: progress.digests, kept: progress.kept, place: place)
    }

    /// - Throws: `limitExceeded` if frames are left behind the limits.
    private func check(_ end: OpenMedia.End) throws(AnalysisFailure) {
        switch end.reason {
        case .tooLong:
            throw AnalysisFailure(
                .limitExceeded,
                "The video is longer than \(request.limits.maximumDuration / .seconds(1)) s, the limit for frames that are given"
                    + " out. Raise the limit of its duration, or have the file analysed.")
        case .tooManyFrames:
            throw AnalysisFailure(
                .limitExceeded,
                "The file has more than \(request.limits.maximumFrameCount) frames, the limit. Raise the limit on frames."
            )
        default: break
        }
    }

    /// The time after which a frame is judged although it looks the same.
    private static let longestLikeness = Duration.milliseconds(500)
    private static let shareBeforeEnd = 0.999
}

extension SealedPicture {
    /// Returns the hash of the layout and of all pixels.
    fileprivate func digest() throws(AnalysisFailure) -> SHA256Digest {
        do {
            var hash = try SHA256()
            hash.update(Array("\(layout.width) \(layout.height) \(layout.format.rawValue) ".utf8))
            unsafe memory.withBytes {
                unsafe hash.update(UnsafeRawBufferPointer(rebasing: $0.prefix(layout.byteCount)))
            }
            return try hash.digest()
        } catch {
            throw AnalysisFailure(.internalFailure, "\(error)")
        }
    }

    /// Whether the pixels are those of a digest.
    func has(_ digest: SHA256Digest) throws(AnalysisFailure) -> Bool { try self.digest() == digest }
}

extension VideoPixels {
    fileprivate init?(_ picture: SealedPicture) {
        let layout = picture.layout
        self.init(
            packed: picture.memory, format: layout.format == .rgba32 ? .rgba : .rgb24, width: layout.width,
            height: layout.height)
    }
}
