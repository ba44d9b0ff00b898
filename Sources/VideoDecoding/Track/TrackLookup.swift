// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderService
internal import HelperProtocol

/// Finds the frame that is shown at a moment, in a separate container, so the pass is not disturbed.
final class TrackLookup {
    private let open: () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    private let openOpacity: () throws(DecodingFailure) -> OpacityPackets?
    private let request: OpenRequest
    private let frames: FrameBudget
    private let renderer: FrameRenderer
    private var search: Search?

    /// The search for the frame at one moment.
    private final class Search {
        let moment: Int64
        let container: MediaContainer
        let stream: VideoStream
        let opacity: OpacityPackets?
        let decoder: FrameDecoder
        var clock: TrackClock
        var moments: [Int64: Int64] = [:]
        var labelCount: Int64 = 0
        /// The latest frame that begins no later than the moment.
        var found: (frame: DecodedFrame, moment: Int64)?
        /// The microseconds by which the seek went back from the moment; nil if decoding begins at the file's start.
        let distance: Int64?
        /// Whether the decoder has been given every frame on which its output depends.
        var isComplete: Bool
        var isDraining = false

        init(
            _ moment: Int64, _ container: MediaContainer, _ stream: VideoStream, _ opacity: OpacityPackets?,
            _ decoder: FrameDecoder, distance: Int64?
        ) {
            self.moment = moment
            self.container = container
            self.stream = stream
            self.opacity = opacity
            self.decoder = decoder
            self.distance = distance
            isComplete = distance == nil
            clock = TrackClock(container)
        }
    }

    /// - Parameters:
    ///   - openOpacity: opens the container for the packets of opacity; returns nil if the track has none.
    ///   - open: opens the container again and returns the stream in it.
    init(
        _ stream: VideoStream, _ request: OpenRequest, frames: FrameBudget,
        openingOpacity openOpacity: @escaping () throws(DecodingFailure) -> OpacityPackets? = {
            () throws(DecodingFailure) in nil
        },
        opening open: @escaping () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    ) throws(DecodingFailure) {
        (self.open, self.openOpacity) = (open, openOpacity)
        self.request = request
        self.frames = frames
        renderer = try FrameRenderer(stream, request.picture)
    }

    /// Continues the search for a moment, in microseconds.
    ///
    /// - Parameter canSeek: whether the container may seek to the moment. Otherwise everything before it is decoded.
    func frame(shownAt moment: Int64, canSeek: Bool) throws(DecodingFailure) -> TrackAnswer {
        let slice = WorkSlice()
        while true {
            let search = try current(moment, canSeek: canSeek)
            if let answer = try step(search) {
                self.search = nil
                return answer
            }
            if slice.isOver { return .progress(TrackProgress(share: 0, position: UInt64(clamping: moment))) }
        }
    }

    private func current(_ moment: Int64, canSeek: Bool) throws(DecodingFailure) -> Search {
        if let search, search.moment == moment { return search }
        return try start(moment, distance: canSeek ? 0 : nil)
    }

    private func start(_ moment: Int64, distance: Int64?) throws(DecodingFailure) -> Search {
        let (container, stream) = try open()
        let opacity = try openOpacity()
        let decoder = try FrameDecoder(stream, opacity: opacity?.stream, in: container, request.picture)
        var reached: Int64?
        if let distance, moment - distance > Self.nearStart {
            let clock = TrackClock(container)
            let timestamp = stream.timestamp(clock.timestamp(of: moment - distance))
            if container.seek(stream, to: timestamp) { reached = distance }
        }
        let started = Search(moment, container, stream, opacity, decoder, distance: reached)
        search = started
        return started
    }

    /// Decodes one more packet, and returns the answer, or nil if the search continues.
    private func step(_ search: Search) throws(DecodingFailure) -> TrackAnswer? {
        if !search.isDraining {
            guard frames.take() else { return .end(end(.tooManyFrames, search)) }
            if let packet = try search.container.nextPacket(of: search.stream) {
                _ = try search.opacity?.attach(to: packet, of: search.stream)
                let timestamp = packet.timestamp.map(search.stream.microseconds)
                search.moments[search.labelCount] = search.clock.moment(at: timestamp)
                packet.label(search.labelCount)
                search.labelCount += 1
                _ = try search.decoder.send(packet)
            } else {
                search.decoder.beginDraining()
                search.isDraining = true
            }
        }
        while let frame = try search.decoder.receive() {
            guard let label = frame.label, let moment = search.moments[label] else { continue }
            // A container may seek between two key frames. The decoder makes parts up until a whole picture comes.
            search.isComplete = search.isComplete || frame.isIntra && !frame.isBroken
            guard search.isComplete else { continue }
            // The decoder does not return the labels of earlier frames again.
            if search.moments.count > 256 { search.moments = search.moments.filter { $0.value >= moment } }
            guard moment > search.moment else {
                search.found = (frame, moment)
                continue
            }
            return try conclude(search, following: (frame, moment))
        }
        return search.isDraining ? try conclude(search, following: nil) : nil
    }

    /// Returns the frame that was found, or restarts the search further back if there is none.
    private func conclude(
        _ search: Search, following: (frame: DecodedFrame, moment: Int64)?
    ) throws(DecodingFailure) -> TrackAnswer? {
        if let found = search.found {
            let end = following?.moment ?? max(search.moment, found.moment) + 1
            return try answer(found.frame, found.moment, until: end)
        }
        // The seek went behind the moment, or the pictures begin after it.
        if let distance = search.distance {
            let further = max(Self.firstDistance, distance * 4)
            _ = try start(search.moment, distance: further <= Self.furthestDistance ? further : nil)
            return nil
        }
        guard let following else { return .end(end(.end, search)) }
        return try answer(following.frame, following.moment, until: following.moment + 1)
    }

    private func answer(_ frame: DecodedFrame, _ moment: Int64, until end: Int64) throws(DecodingFailure) -> TrackAnswer
    {
        .frame(
            try renderer.picture(of: frame),
            TimeSpan(start: UInt64(clamping: moment), end: UInt64(clamping: max(end, moment + 1))))
    }

    private func end(_ reason: TrackEnd.Reason, _ search: Search) -> TrackEnd {
        TrackEnd(
            duration: UInt64(clamping: search.moment), decodedFrameCount: frames.taken, longestUnseen: 0,
            reason: reason)
    }

    /// The moment up to which seeking gains nothing, in microseconds.
    private static let nearStart: Int64 = 300_000
    /// The first and the longest step back, in microseconds; seeking in transport streams may end behind the key frame.
    private static let firstDistance: Int64 = 2_000_000
    private static let furthestDistance: Int64 = 128_000_000
}
