// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// The pictures of an animation in GIF, WebP, JPEG XL or PNG, decoded in their order at full size.
///
/// Viewers differ in the parts of a picture that remain before the next one is drawn, so an animation may have several
/// drawings. The first is that of browsers.
final class AnimationPictures {
    let format: MediaFormat
    let width: Int
    let height: Int
    let isDamaged: Bool
    let meaning: ColourMeaning
    /// The durations of the pictures, in microseconds.
    let durations: [UInt64]
    /// How often the animation is shown; 0 means without end.
    let loopCount: Int
    private let file: InputFile
    /// Starts the decoder of an animation that libvips does not read; nil for GIF and WebP.
    private let makeFrames: ((_ drawing: Int) throws(DecodingFailure) -> any AnimationFrames)?
    private var frames: (any AnimationFrames)?
    /// For each drawing, the changed bytes that make libvips draw the animation in that way; nil for no changes.
    private let parts: [FilePart?]
    private var part: FilePart?
    /// The pictures that were decoded together last, one below the other, and their numbers in the animation.
    private var strip: (pages: Range<Int>, picture: VipsPicture)?

    init(
        _ file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits, displayedBy display: Display
    ) throws(DecodingFailure) {
        // Damage that libraries reported for an earlier file is dropped.
        _ = VipsPicture.takeDamage()
        self.file = file
        self.format = format
        makeFrames = nil
        let first = try VipsPicture.open(file, with: Self.loader(format, 0..<1))
        (width, height) = (first.width, first.pageHeight)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        var isDamaged = false
        switch (format, display) {
        case (.gif, .ours): parts = [nil]
        case (.gif, .otherViewer):
            let blocks = try GIFBlocks(file)
            isDamaged = blocks.hasPictureOutside
            parts = try blocks.renderings()
            let count = blocks.pictureCount
            guard count == first.pageCount else {
                throw DecodingFailure(
                    count > first.pageCount ? .libraryLimit : .malformed, format: .gif,
                    detail: "\(count) pictures, of which \(first.pageCount) can be shown")
            }
        case (_, .ours): parts = [(try? WebPChunks(file))?.part]
        case (_, .otherViewer): parts = try WebPChunks(file).renderings
        }
        try Self.checkCount(first.pageCount, format, limits)
        (self.isDamaged, meaning) = (isDamaged, ColourMeaning())
        durations = Self.durations(count: max(1, first.pageCount), first.delays)
        loopCount = first.loopCount
    }

    init(jpegXL file: InputFile, _ header: JPEGXLInfo, _ limits: AnalysisLimits) throws(DecodingFailure) {
        (format, width, height) = (.jpegXL, header.width, header.height)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        let (durations, isEndless) = try JPEGXLAnimation(file, limits, decodesPixels: false)
            .durations(mostFrames: limits.maximumFrameCount)
        try Self.checkCount(durations.count, .jpegXL, limits)
        (self.durations, loopCount) = (durations, isEndless ? 0 : 1)
        makeFrames = { _ throws(DecodingFailure) in try JPEGXLAnimation(file, limits) }
        (self.file, parts, isDamaged) = (file, [nil], false)
        meaning = ColourMeaning(isPremultiplied: header.isPremultiplied)
    }

    /// - Parameter meaning: the meaning of the colours of all frames.
    init(
        png file: InputFile, _ limits: AnalysisLimits, _ meaning: ColourMeaning, displayedBy display: Display
    ) throws(DecodingFailure) {
        let frames = try PNGFrames(file, mostFrames: limits.maximumFrameCount, displayedBy: display)
        (format, width, height) = (.png, frames.width, frames.height)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        durations = Self.durations(count: frames.frames.count, frames.frames.map(\.delay))
        loopCount = frames.playCount
        makeFrames = { drawing in PNGAnimation(file, frames, isOfPillow: drawing == 1, displayedBy: display) }
        (self.file, isDamaged) = (file, false)
        parts = display == .otherViewer && frames.hasOtherDrawing ? [nil, nil] : [nil]
        self.meaning = meaning
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

    /// The number of pictures.
    var count: Int { durations.count }

    /// The number of drawings of the animation.
    var drawingCount: Int { parts.count }

    /// Whether translucent pixels were drawn over others, so colours may be converted before or after that.
    var hasMixedColours: Bool { frames?.hasMixedColours ?? false }

    /// Starts a drawing at its first picture.
    func start(_ drawing: Int) throws(DecodingFailure) {
        guard parts.indices.contains(drawing) else {
            throw DecodingFailure(.internalError, detail: "there is no such track")
        }
        part = parts[drawing]
        frames = try makeFrames?(drawing)
        strip = nil
    }

    /// Returns a picture at its full size; pictures must be requested in order.
    func picture(_ index: Int) throws(DecodingFailure) -> VipsPicture {
        if let frames {
            guard let picture = try frames.next(), picture.width == width, picture.height == height else {
                throw DecodingFailure(.malformed, format: format, detail: "a frame is missing")
            }
            return picture
        }
        if let strip, strip.pages.contains(index) {
            return try strip.picture.rows(from: (index - strip.pages.lowerBound) * height, count: height).inMemory()
        }
        // A strip is as long as memory allows, because libvips decodes each from the first picture on. libvips keeps
        // the whole strip of a WebP file in memory.
        let mostRows = format == .gif ? Self.mostRows : min(Self.mostRows, Self.mostBytes / (4 * width))
        let pages = index..<min(count, index + max(1, mostRows / height))
        // An inserted picture precedes the pictures of the file.
        let first = pages.lowerBound + (part?.insertion == nil ? 0 : 1)
        let picture = try VipsPicture.open(file, part, with: Self.loader(format, first..<(first + pages.count)))
        guard picture.width == width, picture.height == height * pages.count else {
            throw DecodingFailure(.malformed, detail: "pictures of different size in an animation")
        }
        strip = (pages, picture)
        return try picture.rows(from: 0, count: height).inMemory()
    }

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

    /// A bound below VIPS_MAX_COORD, which is ten million.
    private static let mostRows = 9_000_000
    private static let mostBytes = 128 << 20
}
