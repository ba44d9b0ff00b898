// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import HelperService

/// Finds the frame that is shown at a moment, in a container of its own, so that the pass goes on undisturbed.
final class TrackLookup {
    private let open: () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    private let request: MediaRequest
    private let frames: FrameBudget
    private let renderer: FrameRenderer
    private var search: Search?

    /// The way to one moment.
    private final class Search {
        let moment: Int64
        let container: MediaContainer
        let stream: VideoStream
        let decoder: FrameDecoder
        var clock: TrackClock
        var moments: [Int64: Int64] = [:]
        var labelCount: Int64 = 0
        /// The latest frame that begins no later than the moment.
        var found: (frame: DecodedFrame, moment: Int64)?
        /// How far before the moment decoding began, in microseconds; nil for the start of the file.
        let distance: Int64?
        /// Whether what the decoder gives depends on nothing that it has not been given.
        var isComplete: Bool
        var isDraining = false

        init(
            _ moment: Int64, _ container: MediaContainer, _ stream: VideoStream, _ decoder: FrameDecoder,
            distance: Int64?
        ) {
            self.moment = moment
            self.container = container
            self.stream = stream
            self.decoder = decoder
            self.distance = distance
            isComplete = distance == nil
            clock = TrackClock(container)
        }
    }

    /// - Parameter open: opens the container anew and gives the stream in it.
    init(
        _ stream: VideoStream, _ request: MediaRequest, frames: FrameBudget,
        opening open: @escaping () throws(DecodingFailure) -> (MediaContainer, VideoStream)
    ) throws(DecodingFailure) {
        self.open = open
        self.request = request
        self.frames = frames
        renderer = try FrameRenderer(stream, request.picture)
    }

    /// Goes on with the search for a moment, in microseconds.
    ///
    /// - Parameter canSeek: whether the container may be asked for it; otherwise everything before is decoded.
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
        let decoder = try FrameDecoder(stream, in: container, request.picture)
        var reached: Int64?
        if let distance, moment - distance > Self.nearStart {
            let clock = TrackClock(container)
            let timestamp = stream.timestamp(clock.timestamp(of: moment - distance))
            if container.seek(stream, to: timestamp) { reached = distance }
        }
        let started = Search(moment, container, stream, decoder, distance: reached)
        search = started
        return started
    }

    /// Decodes one packet further.
    private func step(_ search: Search) throws(DecodingFailure) -> TrackAnswer? {
        if !search.isDraining {
            guard frames.take() else { return .end(end(.tooManyFrames, search)) }
            if let packet = try search.container.nextPacket(of: search.stream) {
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
            // A container may lead into the midst of a group; until a whole picture comes, the decoder makes things up.
            search.isComplete = search.isComplete || frame.isIntra && !frame.isBroken
            guard search.isComplete else { continue }
            // Labels of frames that were shown before will not come back.
            if search.moments.count > 256 { search.moments = search.moments.filter { $0.value >= moment } }
            guard moment > search.moment else {
                search.found = (frame, moment)
                continue
            }
            return try conclude(search, following: (frame, moment))
        }
        return search.isDraining ? try conclude(search, following: nil) : nil
    }

    /// Answers when nothing that comes can be shown at the moment any more, or begins anew from the start of the file.
    private func conclude(
        _ search: Search, following: (frame: DecodedFrame, moment: Int64)?
    ) throws(DecodingFailure) -> TrackAnswer? {
        if let found = search.found {
            let end = following?.moment ?? max(search.moment, found.moment) + 1
            return try answer(found.frame, found.moment, until: end)
        }
        // The container has led to a place behind the moment, or the pictures begin after it.
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

    /// Before this, in microseconds, seeking gains nothing.
    private static let nearStart: Int64 = 300_000
    /// In transport streams seeking knows no key frames: these are the steps back until one has been found.
    private static let firstDistance: Int64 = 2_000_000
    private static let furthestDistance: Int64 = 128_000_000
}
