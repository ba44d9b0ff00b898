// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// An open video; each stream of pictures and each thumbnail is a track, because a program may show any of them.
final class VideoSession: MediaSession {
    let media: MediaReply
    private let file: InputFile
    private let demuxer: Demuxer
    /// The structure of the file, and if it removes pictures, a second structure with every picture left in place.
    private let structures: [ContainerStructure]
    private let request: OpenRequest
    private let streams: [VideoStream]
    /// The bytes of the thumbnails, whose tracks follow those of the streams.
    private let thumbnails: [Range<Int>]
    private let frames: FrameBudget
    private var track: OpenTrack?
    /// The container that was opened to list the streams, for use by the first track.
    private var unused: MediaContainer?

    private struct OpenTrack {
        let pass: TrackPass
        let lookup: TrackLookup
    }

    /// - Parameters:
    ///   - structure: the structure of the file.
    ///   - container: the file, just opened, with at least one stream of pictures.
    /// - Throws: the failures of the limits.
    init(
        _ file: InputFile, _ format: MediaFormat, _ demuxer: Demuxer, _ request: OpenRequest,
        _ structure: ContainerStructure, _ container: MediaContainer
    ) throws(DecodingFailure) {
        structures = [structure] + (structure.leavingPicturesInPlace.map { [$0] } ?? [])
        streams = container.streams
        for stream in streams where stream.width > 0 && stream.height > 0 {
            try request.limits.checkPicture(width: stream.width, height: stream.height, isStreamed: false)
        }
        unused = container
        self.file = file
        self.demuxer = demuxer
        self.request = request
        frames = FrameBudget(most: UInt64(request.limits.maximumFrameCount))
        thumbnails = structure.thumbnails
        media = MediaReply(
            format: format, trackCount: UInt16(clamping: streams.count * structures.count + thumbnails.count))
    }

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        guard (0..<Int(media.trackCount)).contains(index) else {
            throw DecodingFailure(.internalError, detail: "there is no such track")
        }
        track = nil
        guard index < streams.count * structures.count else {
            return try openThumbnail(index - streams.count * structures.count)
        }
        let (file, demuxer, structure) = (file, demuxer, structures[index / streams.count])
        let position = streams[index % streams.count].index
        if index >= streams.count { unused = nil }
        func open(
            keepingOthers: Bool, _ opened: MediaContainer? = nil
        ) throws(DecodingFailure) -> (MediaContainer, VideoStream) {
            let container = if let opened { opened } else { try MediaContainer(file, demuxer, structure) }
            guard let stream = container.streams.first(where: { $0.index == position }) else {
                throw DecodingFailure(.malformed, detail: "a stream is gone")
            }
            container.select(stream, keepingOthers: keepingOthers)
            return (container, stream)
        }
        let openAgain = { () throws(DecodingFailure) in try open(keepingOthers: false) }
        let openOpacity = { () throws(DecodingFailure) -> OpacityPackets? in
            guard !structure.opacityTracks.isEmpty else { return nil }
            let container = try MediaContainer(file, demuxer, structure)
            guard let colours = container.streams.first(where: { $0.index == position }),
                let number = structure.opacityTracks[colours.number],
                // The opacity of an item is judged by the picture decoder.
                try VideoStream.track(colours.number, among: container.streams)?.index == position
            else { return nil }
            guard let stream = try VideoStream.track(number, among: container.streams) else {
                throw DecodingFailure(.malformed, detail: "a track of opacity is gone")
            }
            container.select(stream, keepingOthers: false)
            return OpacityPackets(container, stream)
        }
        // Outside of MP4, the other packets show the length of the file and the gaps between pictures.
        let (container, stream) = try open(keepingOthers: demuxer != .mov, unused)
        unused = nil
        let isTimed = !stream.isAttachedPicture
        let duration = stream.duration ?? container.declaredDuration
        track = OpenTrack(
            pass: try TrackPass(
                container, stream, opacity: try openOpacity(),
                duration: isTimed ? duration : nil, isLastTrack: index == Int(media.trackCount) - 1,
                request,
                frames: frames, opening: openAgain),
            lookup: try TrackLookup(
                stream, request, frames: frames, openingOpacity: openOpacity, opening: openAgain))
        return TrackReply(
            isTimed: isTimed, isComplete: request.preset.decodesEverything,
            duration: isTimed ? UInt64(clamping: duration ?? 0) : 0)
    }

    private func openThumbnail(_ index: Int) throws(DecodingFailure) -> TrackReply {
        unused = nil
        let file = file.part(thumbnails[index])
        let open = { () throws(DecodingFailure) -> (MediaContainer, VideoStream) in
            let structure = try ContainerStructure(file, .jpeg, isMovie: false) { _ in true }
            let container = try MediaContainer(file, .jpeg, structure)
            guard let stream = container.streams.first else {
                throw DecodingFailure(.malformed, detail: "a thumbnail without a picture")
            }
            return (container, stream)
        }
        let (container, stream) = try open()
        try request.limits.checkPicture(width: stream.width, height: stream.height, isStreamed: false)
        track = OpenTrack(
            pass: try TrackPass(
                container, stream, duration: nil, isLastTrack: index == thumbnails.count - 1, request, frames: frames,
                opening: open),
            lookup: try TrackLookup(stream, request, frames: frames, opening: open))
        return TrackReply(isTimed: false, isComplete: true, duration: 0)
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer { try openedTrack().pass.next() }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer {
        let track = try openedTrack()
        return try track.lookup.frame(shownAt: Int64(clamping: moment), canSeek: track.pass.canSeek)
    }

    private func openedTrack() throws(DecodingFailure) -> OpenTrack {
        guard let track else { throw DecodingFailure(.internalError, detail: "no track is open") }
        return track
    }
}
