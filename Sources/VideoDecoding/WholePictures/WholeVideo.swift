// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// The frames of the first video track of a file, which the app displays.
///
/// Only this track counts, and each of its frames is given out as it is decoded.
final class WholeVideo: WholeFrameSession {
    let description: WholeFramesReply
    private let format: MediaFormat
    private let container: MediaContainer
    private let stream: VideoStream
    private let opacity: OpacityPackets?
    private let decoder: FrameDecoder
    private let request: WholePictureRequest
    private let reducer: FrameReducer
    private var clock: TrackClock
    private let demuxer: Demuxer
    /// The times of packets that were sent to the decoder, by their labels.
    private var times: [Int64: Time] = [:]
    /// The moments of packets whose frames are still to come, in order.
    private var moments: [Int64] = []
    /// Whether moments are given to frames in order, because those of their packets are the moments of decoding.
    private var isOrdering = false
    private var labelCount: Int64 = 0
    /// The frame before the next one, whose start is its end.
    private var held: (frame: DecodedFrame, start: Int64, duration: Int64)?
    /// The end of the frame that was given out last, in microseconds.
    private var latestEnd: Int64 = 0
    private var frameCount: UInt64 = 0
    private var isDraining = false
    /// Whether packets could not be decoded or the file is cut, so that frames are missing.
    private var hasLosses: Bool

    /// The time of a packet, in microseconds.
    private struct Time {
        let moment: Int64
        let duration: Int64
        /// Whether the moment is that of the frame, and not that of decoding.
        let isOfFrame: Bool
        /// Whether players do not show the frame, which lies before the start of an edit list.
        let isHidden: Bool
    }

    /// - Throws: `unsupportedVariant` for a codec that is not decoded, the failures of the limits, `malformed`.
    init(
        _ file: InputFile, _ format: MediaFormat, _ demuxer: Demuxer, _ structure: ContainerStructure,
        _ container: MediaContainer, _ request: WholePictureRequest
    ) throws(DecodingFailure) {
        let stream = try container.displayedStream(structure)
        if stream.width > 0, stream.height > 0 {
            try request.limits.checkPicture(width: stream.width, height: stream.height, isStreamed: false)
        }
        let opacity = try Self.opacity(of: stream, file, demuxer, structure)
        container.select(stream, keepingOthers: false)
        let image = ImageRequest(minimumWidth: 1, minimumHeight: 1, limits: request.limits)
        decoder = try FrameDecoder(stream, opacity: opacity?.stream, in: container, image)
        reducer = try FrameReducer()
        (self.format, self.container, self.stream, self.opacity) = (format, container, stream, opacity)
        self.request = request
        self.demuxer = demuxer
        hasLosses = structure.isCut
        clock = TrackClock(
            start: demuxer == .mov ? max(0, container.startTime ?? 0) : container.startTime,
            mayHaveJumps: container.mayHaveJumps)
        let duration = stream.duration ?? container.declaredDuration ?? 0
        description = WholeFramesReply(
            format: format, isTimed: true, duration: UInt64(max(0, min(duration, TrackClock.furthestTimestamp))),
            loopCount: format == .video ? 1 : 0)
    }

    private static func opacity(
        of colours: VideoStream, _ file: InputFile, _ demuxer: Demuxer, _ structure: ContainerStructure
    ) throws(DecodingFailure) -> OpacityPackets? {
        guard let number = structure.opacityTracks[colours.number] else { return nil }
        let container = try MediaContainer(file, demuxer, structure)
        guard let stream = try VideoStream.track(number, among: container.streams) else { return nil }
        container.select(stream, keepingOthers: false)
        return OpacityPackets(container, stream)
    }

    func nextFrame(to output: WholePictureOutput) throws(DecodingFailure) -> WholeFrameAnswer {
        guard frameCount < UInt64(request.limits.maximumFrameCount) else { return .end(end(.tooManyFrames)) }
        let next = try decodeNext()
        guard let current = held ?? next else { return .end(end(.end)) }
        guard held != nil else {
            // The end of the first frame is the start of the second one.
            held = next
            return try nextFrame(to: output)
        }
        held = next
        let start = max(current.start, latestEnd)
        let following = next.map(\.start) ?? endOfLast(current.start, current.duration)
        let end = max(start + 1, following)
        guard start <= Int64(clamping: request.limits.maximumDuration.microseconds) else {
            return .end(self.end(.tooLong))
        }
        (latestEnd, frameCount) = (end, frameCount + 1)
        output.shown = TimeSpan(start: UInt64(start), end: UInt64(end))
        try DisplayedFrame(current.frame, stream, reducer, format).write(request, to: output)
        return .written(isDamaged: current.frame.isBroken || hasLosses)
    }

    /// Returns the end of the last frame.
    ///
    /// The order of decoding is not that of showing, so the duration of its packet may belong to another frame.
    private func endOfLast(_ start: Int64, _ duration: Int64) -> Int64 {
        let stated = duration > 0 ? duration : Self.shortestFrame
        return max(start + stated, min(stream.duration ?? 0, start + Self.longestLastFrame))
    }

    private func end(_ reason: TrackEnd.Reason) -> TrackEnd {
        TrackEnd(
            duration: UInt64(latestEnd), decodedFrameCount: frameCount, longestUnseen: 0,
            reason: reason == .end && (container.hasFailed || hasLosses) ? .truncated : reason)
    }

    /// Returns the next frame in the order in which frames are shown, with its start and its declared duration.
    private func decodeNext() throws(DecodingFailure) -> (frame: DecodedFrame, start: Int64, duration: Int64)? {
        while true {
            if let frame = try decoder.receive() {
                let time = frame.label.flatMap { times.removeValue(forKey: $0) }
                if time?.isHidden == true { continue }
                let moment = time.flatMap { self.moment(of: $0) }
                // A frame without a known packet follows the one before it.
                let previous = held.map { $0.start + max($0.duration, Self.shortestFrame) } ?? 0
                return (frame, moment ?? previous, time?.duration ?? 0)
            }
            guard !isDraining else { return nil }
            guard let packet = try container.nextPacket(of: stream) else {
                isDraining = true
                decoder.beginDraining()
                continue
            }
            if let opacity { _ = try opacity.attach(to: packet, of: stream) }
            try note(packet)
            labelCount += 1
            if try !decoder.send(packet) { hasLosses = true }
        }
    }

    /// Returns the moment of a frame that has come from the decoder.
    ///
    /// Frames come in the order in which they are shown. Where their moments go back, these are the moments of decoding,
    /// and the earliest one that is left is that of the frame.
    private func moment(of time: Time) -> Int64? {
        if !time.isOfFrame || time.moment < held?.start ?? 0 { isOrdering = true }
        guard isOrdering else {
            // Frames of earlier moments are lost.
            moments.removeAll { $0 <= time.moment }
            return time.moment
        }
        return moments.isEmpty ? nil : moments.removeFirst()
    }

    /// Notes the time of a packet, and labels the packet.
    private func note(_ packet: EncodedPacket) throws(DecodingFailure) {
        let timestamp = packet.timestamp.map(stream.microseconds)
        let isOfFrame = packet.hasPresentationTimestamp
        let isHidden = packet.isHidden || demuxer == .mov && isOfFrame && (timestamp ?? 0) < 0
        let moment = isHidden ? 0 : clock.moment(at: timestamp)
        if !isHidden { moments.insert(moment, at: moments.partitioningIndex { $0 > moment }) }
        times[labelCount] = Time(
            moment: moment, duration: stream.microseconds(packet.duration), isOfFrame: isOfFrame, isHidden: isHidden)
        packet.label(labelCount)
        // Packets whose frames never come must not fill the memory.
        if times.count > Self.mostWaiting { times = times.filter { $0.key > labelCount - Self.mostWaiting / 2 } }
        if moments.count > Self.mostWaiting { moments.removeFirst() }
    }

    /// The length of a frame that states none, in microseconds.
    private static let shortestFrame: Int64 = 40_000
    /// The bound of the length that the track states for its last frame, in microseconds.
    private static let longestLastFrame: Int64 = 60_000_000
    private static let mostWaiting: Int64 = 512
}
