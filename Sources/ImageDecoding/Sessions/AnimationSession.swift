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
    private let file: InputFile
    private let request: OpenRequest
    private let width: Int
    private let height: Int
    private let isDamaged: Bool
    private let meaning: ColourMeaning
    /// Starts the decoder of an animation that libvips does not read; nil for GIF and WebP.
    private let makeFrames: ((_ track: Int) throws(DecodingFailure) -> any AnimationFrames)?
    private var frames: (any AnimationFrames)?
    /// For each track, the changed bytes that make libvips draw the animation as some viewers do; nil for no changes.
    private let parts: [FilePart?]
    private var part: FilePart?
    /// The start times of the pictures, followed by the end time of the last one, in microseconds.
    private let moments: [UInt64]
    private var position = 0
    private var searchBudget = SearchBudget()
    private var selection = FrameSelection(preset: .thorough)
    /// The picture that was reported last.
    private var told: RenderedPicture?
    /// The pictures that were decoded together last, one below the other, and their numbers in the animation.
    private var strip: (pages: Range<Int>, picture: VipsPicture)?
    /// A decoded frame that the next call returns, because the repetitions before it are reported first.
    private var waiting: TrackAnswer?

    init(_ file: InputFile, _ format: MediaFormat, _ request: OpenRequest) throws(DecodingFailure) {
        // Damage that libraries reported for an earlier file is dropped.
        _ = VipsPicture.takeDamage()
        self.file = file
        self.request = request
        makeFrames = nil
        let first = try VipsPicture.open(file, with: Self.loader(format, 0..<1))
        (width, height) = (first.width, first.pageHeight)
        try request.limits.checkPicture(width: width, height: height, isStreamed: false)
        var isDamaged = false
        let parts: [FilePart?]
        if format == .gif {
            let blocks = try GIFBlocks(file)
            isDamaged = blocks.hasPictureOutside
            parts = try blocks.renderings()
            let count = blocks.pictureCount
            guard count == first.pageCount else {
                throw DecodingFailure(
                    count > first.pageCount ? .libraryLimit : .malformed, format: .gif,
                    detail: "\(count) pictures, of which \(first.pageCount) can be shown")
            }
        } else {
            parts = try WebPChunks(file).renderings
        }
        try Self.checkCount(first.pageCount, format, request.limits)
        (self.isDamaged, meaning) = (isDamaged, ColourMeaning())
        moments = Self.moments(
            Self.durations(count: max(1, first.pageCount), first.delays), isEndless: first.loopCount == 0)
        self.parts = parts
        media = MediaReply(format: format, trackCount: UInt16(parts.count))
    }

    init(jpegXL file: InputFile, _ header: JPEGXLInfo, _ request: OpenRequest) throws(DecodingFailure) {
        (width, height) = (header.width, header.height)
        try request.limits.checkPicture(width: width, height: height, isStreamed: false)
        let (durations, isEndless) = try JPEGXLAnimation(file, request.limits, decodesPixels: false)
            .durations(mostFrames: request.limits.maximumFrameCount)
        try Self.checkCount(durations.count, .jpegXL, request.limits)
        moments = Self.moments(durations, isEndless: isEndless)
        makeFrames = { _ throws(DecodingFailure) in try JPEGXLAnimation(file, request.limits) }
        (self.file, self.request, parts, isDamaged) = (file, request, [nil], false)
        meaning = ColourMeaning(isPremultiplied: header.isPremultiplied)
        media = MediaReply(format: .jpegXL, trackCount: 1)
    }

    /// - Parameter meaning: the meaning of the colours of all frames.
    init(png file: InputFile, _ request: OpenRequest, _ meaning: ColourMeaning) throws(DecodingFailure) {
        let frames = try PNGFrames(file, mostFrames: request.limits.maximumFrameCount)
        (width, height) = (frames.width, frames.height)
        try request.limits.checkPicture(width: width, height: height, isStreamed: false)
        let durations = Self.durations(count: frames.frames.count, frames.frames.map(\.delay))
        moments = Self.moments(durations, isEndless: frames.playCount == 0)
        makeFrames = { track in PNGAnimation(file, frames, isOfPillow: track == 1) }
        (self.file, self.request, isDamaged) = (file, request, false)
        parts = frames.hasOtherDrawing ? [nil, nil] : [nil]
        self.meaning = meaning
        media = MediaReply(format: .png, trackCount: UInt16(parts.count))
    }

    private static func checkCount(
        _ count: Int, _ format: MediaFormat, _ limits: AnalysisLimits
    ) throws(DecodingFailure) {
        guard count <= limits.maximumFrameCount else {
            throw DecodingFailure(
                .tooManyPictures, format: format, value: UInt64(count), bound: UInt64(limits.maximumFrameCount))
        }
        guard count > 0 else { throw DecodingFailure(.malformed, format: format, detail: "no frame") }
    }

    private var count: Int { moments.count - 1 }

    private static func loader(_ format: MediaFormat, _ pages: Range<Int>) -> VipsPicture.Loader {
        format == .gif ? .gifPages(pages) : .webpPages(pages)
    }

    /// Returns durations in microseconds; viewers show a picture of at most 10 ms for a tenth of a second.
    private static func durations(count: Int, _ delays: [Int]) -> [UInt64] {
        (0..<count).map { index in
            let delay = delays.indices.contains(index) ? delays[index] : 0
            return delay <= 10 ? 100_000 : UInt64(delay) * 1000
        }
    }

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
        guard parts.indices.contains(index) else {
            throw DecodingFailure(.internalError, detail: "there is no such track")
        }
        part = parts[index]
        frames = try makeFrames?(index)
        position = 0
        strip = nil
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
            let whole = try picture(position)
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

    /// Returns a picture at its full size; pictures must be requested in order.
    private func picture(_ index: Int) throws(DecodingFailure) -> VipsPicture {
        if let frames {
            guard let picture = try frames.next(), picture.width == width, picture.height == height else {
                throw DecodingFailure(.malformed, format: media.format, detail: "a frame is missing")
            }
            return picture
        }
        if let strip, strip.pages.contains(index) {
            return try strip.picture.rows(from: (index - strip.pages.lowerBound) * height, count: height).inMemory()
        }
        // A strip is as long as memory allows, because libvips decodes each from the first picture on. libvips keeps
        // the whole strip of a WebP file in memory.
        let mostRows = media.format == .gif ? Self.mostRows : min(Self.mostRows, Self.mostBytes / (4 * width))
        let pages = index..<min(count, index + max(1, mostRows / height))
        // An inserted picture precedes the pictures of the file.
        let first = pages.lowerBound + (part?.insertion == nil ? 0 : 1)
        let picture = try VipsPicture.open(file, part, with: Self.loader(media.format, first..<(first + pages.count)))
        guard picture.width == width, picture.height == height * pages.count else {
            throw DecodingFailure(.malformed, detail: "pictures of different size in an animation")
        }
        strip = (pages, picture)
        return try picture.rows(from: 0, count: height).inMemory()
    }

    private func rendered(_ whole: VipsPicture) throws(DecodingFailure) -> RenderedPicture {
        try rendered(whole, request.picture.target)
    }

    private func rendered(_ whole: VipsPicture, _ target: ReductionTarget) throws(DecodingFailure) -> RenderedPicture {
        let loader = PictureLoader(file: file, format: media.format, limits: request.limits, target: target)
        let rendered = try loader.averaged(whole, meaning, isDamaged: isDamaged)
        // Firefox converts colours before it mixes them, and Chromium after that.
        guard let frames, frames.hasMixedColours, meaning.namesColours else { return rendered }
        let plain = try loader.averaged(whole, ColourMeaning(isPremultiplied: meaning.isPremultiplied))
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

    /// A bound below VIPS_MAX_COORD, which is ten million.
    private static let mostRows = 9_000_000
    private static let mostBytes = 128 << 20
}
