// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// A file with several pictures that do not follow each other in time; each is judged by itself.
final class PagesSession: MediaSession {
    let media: MediaReply
    private let file: InputFile
    private let request: OpenRequest
    private let decoder: ImageDecoder
    private let places: [PictureLoader.Place]
    /// A picture beside the pages that other programs show; nil if the pages are all.
    private let rest: Disagreement?
    private var position = 0
    private var searchBudget = SearchBudget()
    /// The views of the page that was decoded last.
    private var last: RenderedPicture?

    init(
        _ file: InputFile, _ format: MediaFormat, _ request: OpenRequest, _ pictures: PicturePlaces,
        decoder: ImageDecoder
    ) throws(DecodingFailure) {
        self.file = file
        self.request = request
        self.decoder = decoder
        places = pictures.places
        rest = pictures.rest
        guard places.count <= request.limits.maximumFrameCount else {
            throw DecodingFailure(
                .tooManyPictures, format: format, value: UInt64(places.count),
                bound: UInt64(request.limits.maximumFrameCount))
        }
        // A file without a page ends with its rest.
        media = MediaReply(
            format: format, trackCount: places.isEmpty && rest == nil ? 0 : 1, sequence: pictures.sequence)
    }

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        position = 0
        last = nil
        return TrackReply(isTimed: false, isComplete: true, duration: 0)
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer {
        guard let picture = try nextPicture() else { return .end(end(.end)) }
        let shown = TimeSpan(start: UInt64(position - 1), end: UInt64(position))
        // Equal pixels have equal scores, and some files have thousands of such pages.
        if let last, last.isTheSame(as: picture) { return .repetition(shown) }
        last = picture
        return .frame(picture, shown)
    }

    /// Decodes the next page; nil behind the last one.
    ///
    /// - Throws: the disagreement about the file, behind its last page.
    private func nextPicture() throws(DecodingFailure) -> RenderedPicture? {
        while position < places.count {
            position += 1
            do throws(DecodingFailure) {
                return try decoder.picture(
                    at: places[position - 1], of: file, media.format, request.picture, &searchBudget)
            } catch {
                // A file of which a rest is left is never "not sensitive", so its other pages are worth a look.
                guard rest != nil else { throw error }
            }
        }
        guard let rest else { return nil }
        throw DecodingFailure(rest, media.format)
    }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer {
        throw DecodingFailure(.internalError, detail: "pages have no time")
    }

    private func end(_ reason: TrackEnd.Reason) -> TrackEnd {
        TrackEnd(duration: 0, decodedFrameCount: UInt64(position), longestUnseen: 0, reason: reason)
    }
}

extension RenderedPicture {
    /// Returns whether all properties that are judged are the same in the other picture.
    fileprivate func isTheSame(as other: RenderedPicture) -> Bool {
        width == other.width && height == other.height && isDamaged == other.isDamaged
            && testPatterns == other.testPatterns && views == other.views
    }
}
