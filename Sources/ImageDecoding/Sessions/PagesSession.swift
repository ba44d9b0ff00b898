// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import HelperService

/// A file with several pictures that do not follow each other in time: each is judged by itself.
///
/// What is animated in PNG, HEIF and AVIF files is left to the video decoder, since libvips shows only the picture
/// that stands for it.
final class PagesSession: MediaSession {
    let media: MediaReply
    private let file: InputFile
    private let request: MediaRequest
    private let decoder: ImageDecoder
    /// The numbers of the pages; nil for the one picture of a format that has no others.
    private let pages: [Int?]
    private var position = 0

    init(
        _ file: InputFile, _ format: MediaFormat, _ request: MediaRequest, decoder: ImageDecoder
    ) throws(DecodingFailure) {
        self.file = file
        self.request = request
        self.decoder = decoder
        var isAnimated = false
        switch format {
        case .tiff: pages = Array(0..<(try VipsPicture.open(file, with: .tiff(page: 0)).pageCount))
        case .png:
            isAnimated = try SeveralPictures.isAnimatedPNG(file)
            if isAnimated { try SeveralPictures.checkAnimatedPNG(file) }
            pages = [nil]
        default:
            isAnimated = try SeveralPictures.hasTrack(file)
            pages = try Self.items(of: file, mayBeMissing: isAnimated)
        }
        media = MediaReply(format: format, trackCount: pages.isEmpty ? 0 : 1, needsVideoDecoder: isAnimated)
    }

    /// A file may hold a sequence and no picture beside it.
    private static func items(of file: InputFile, mayBeMissing: Bool) throws(DecodingFailure) -> [Int?] {
        do throws(DecodingFailure) {
            return Array(0..<(try VipsPicture.open(file, with: .heif(page: nil)).pageCount))
        } catch {
            guard mayBeMissing else { throw error }
            return []
        }
    }

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        position = 0
        return TrackReply(isTimed: false, isComplete: true, duration: 0)
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer {
        guard position < pages.count else { return .end(end(.end)) }
        guard position < request.limits.maximumFrameCount else { return .end(end(.tooManyFrames)) }
        let picture = try decoder.page(pages[position], of: file, media.format, request.picture)
        position += 1
        return .frame(picture, TimeSpan(start: UInt64(position - 1), end: UInt64(position)))
    }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer {
        throw DecodingFailure(.internalError, detail: "pages have no time")
    }

    private func end(_ reason: TrackEnd.Reason) -> TrackEnd {
        TrackEnd(duration: 0, decodedFrameCount: UInt64(position), longestUnseen: 0, reason: reason)
    }
}
