// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// The decoding of one live stream: the pictures of one video at a time, as they come.
final class LiveStreamSession: StreamDecodingSession {
    private let source: PipeSource
    private let request: StreamRequest
    private var container: LiveContainer?
    private var video: Video?
    private var copier: FrameCopier?
    /// The number of streams that were there at the beginning; a later one replaces the video.
    private var firstStreamCount = 0
    private var isDraining = false
    /// The number of packets since the last frame.
    private var barrenCount = 0
    /// The number of packets of other videos since the last packet of this video.
    private var foreignCount = 0
    private var hasGivenFrame = false
    /// The number of key frames that were sent to the decoder; a stream may be joined in the middle of a group.
    private var keyCount = 0
    /// The number of packets and parts of frames that were lost.
    private var lossCount = 0
    /// The losses that the host knows of.
    private var reportedLossCount = 0
    /// The packets of the video without the frames that they gave, where each packet gives one.
    private var missingCount = 0
    private var lacksTimes = false
    /// The places of the frames of Y4M, if another player displays the stream.
    private var frames: Y4MFrames?
    /// The time of the latest frame without one, by the rate that its codec states, in microseconds.
    private var untimedPosition = 0.0

    /// Whether each packet of the video gives one frame.
    private var countsFrames: Bool { [.h264, .hevc, .mpeg2, .mjpeg, .theora].contains(video?.stream.codec) }

    private var allLossCount: Int { lossCount + (container?.lossCount ?? 0) }

    private var isForOtherPlayer: Bool { request.display == .otherViewer }

    /// The video that is decoded.
    private struct Video {
        let stream: VideoStream
        let codec: StreamCodec
        /// The parameters of the decoder by the container.
        let parameters: [UInt8]
        let decoder: FrameDecoder
    }

    init(_ source: PipeSource, _ request: StreamRequest) {
        self.source = source
        self.request = request
    }

    func nextFrame(into memory: MappedPixelMemory) throws(DecodingFailure) -> StreamFrameReply? {
        while true {
            if let video, let frame = try video.decoder.receive() {
                barrenCount = 0
                if countsFrames { missingCount -= 1 }
                hasGivenFrame = true
                try checkLook(of: frame, of: video.stream)
                return try copy(frame, of: video, into: memory)
            }
            guard !isDraining else {
                try checkEnd()
                return nil
            }
            guard let packet = try openedContainer()?.nextPacket() else {
                isDraining = true
                video?.decoder.beginDraining()
                continue
            }
            try take(packet)
        }
    }

    /// Returns the container, which is opened when its first bytes are there; nil if the stream has none.
    private func openedContainer() throws(DecodingFailure) -> LiveContainer? {
        if let container { return container }
        guard request.format != .datagrams else { return try openedSession() }
        var prefix: [UInt8] = []
        var demuxer = LiveDemuxer(request.format)
        while demuxer == nil {
            guard prefix.count < LiveDemuxer.longestPrefix else { throw DecodingFailure(.unsupportedContainer) }
            let isWhole = try !source.read(into: &prefix, atMost: 4096)
            if isWhole, prefix.isEmpty { return nil }
            demuxer = try LiveDemuxer.found(in: prefix, isWhole: isWhole)
            if isWhole, demuxer == nil { throw DecodingFailure(.unsupportedContainer) }
        }
        guard let demuxer else { return nil }
        if demuxer == .y4m, isForOtherPlayer {
            while prefix.count < Y4MHeader.mostBytes, !prefix.contains(UInt8(ascii: "\n")),
                try source.read(into: &prefix, atMost: Y4MHeader.mostBytes)
            {}
            frames = try Y4MFrames(header: prefix)
        }
        let opened = try LiveContainer(source, demuxer, prefix: prefix)
        // Streams behind start codes have no times of their own.
        lacksTimes = [.h264, .hevc].contains(demuxer)
        firstStreamCount = opened.streamCount
        container = opened
        return opened
    }

    /// Returns the container of datagrams, whose description is the first record; nil if there is none.
    private func openedSession() throws(DecodingFailure) -> LiveContainer? {
        guard !isForOtherPlayer else {
            throw DecodingFailure(.unsupportedVariant, detail: "datagrams, which another player may lose")
        }
        guard let record = try source.readRecord() else { return nil }
        let opened = try LiveContainer(source, .sdp, prefix: try SessionDescription.reduced(record))
        firstStreamCount = opened.streamCount
        container = opened
        return opened
    }

    /// Sends a packet to the decoder, which is replaced where the codec or the stream has changed.
    private func take(_ packet: EncodedPacket) throws(DecodingFailure) {
        let index = packet.streamIndex
        guard let container, let stream = container.stream(index) else { return }
        guard try isShown(index) else { return }
        if stream.codec == .mjpeg, isForOtherPlayer { try checkEndOfPicture(packet) }
        try frames?.add(position: Int(packet.position), byteCount: packet.byteCount)
        let current = try video(stream, in: container)
        // The moment is the label, under which the decoder returns the frame.
        packet.label(packet.timestamp.map { max(0, stream.microseconds($0)) } ?? Int64.min)
        // A packet that cannot be read is lost, as in every live stream.
        let isRead = try current.decoder.send(packet)
        if packet.isKey { keyCount += 1 }
        if isForOtherPlayer ? keyCount > 0 : hasGivenFrame, !isRead || packet.isDamaged { lossCount += 1 }
        countMissing(packet)
        barrenCount += 1
        let most = hasGivenFrame && isForOtherPlayer ? Self.mostBarrenOfOthers : Self.mostBarren
        try checkYield(mostBarren: most)
    }

    /// Counts a packet that gives no frame as lost, where another player may show it.
    ///
    /// Before the first key frame, the decoder gives all frames that players with FFmpeg can show.
    private func countMissing(_ packet: EncodedPacket) {
        guard isForOtherPlayer, keyCount > 0 else { return }
        // Other codecs have packets that show nothing, and Theora repeats a frame with an empty packet.
        guard countsFrames, packet.byteCount > 0 else { return }
        missingCount += 1
        guard missingCount > Self.mostHeldBack else { return }
        lossCount += 1
        missingCount = 0
    }

    /// Returns the video of a stream with its decoder, which is made anew where its parameters have changed.
    private func video(_ stream: VideoStream, in container: LiveContainer) throws(DecodingFailure) -> Video {
        let codec = unsafe StreamCodec(container.rawStream(stream.index).pointee.codecpar.pointee)
        let parameters = container.extraData(of: stream)
        if let video, video.stream.index == stream.index, video.codec == codec, video.parameters == parameters,
            video.stream.rotation == stream.rotation
        {
            return video
        }
        if stream.width > 0, stream.height > 0 {
            try request.limits.checkPicture(width: stream.width, height: stream.height, isStreamed: false)
        }
        let opened = Video(
            stream: stream, codec: codec, parameters: parameters,
            decoder: try unsafe FrameDecoder(
                stream, container.rawStream(stream.index), maximumPixelCount: request.limits.maximumPixelCount))
        opened.decoder.givesIncompleteFrames = isForOtherPlayer
        video = opened
        return opened
    }

    /// Whether the packets of a stream are decoded: those of the first video, or of a video that has taken its place.
    ///
    /// - Throws: `unsupportedVariant` if another player may show another video.
    private func isShown(_ index: Int) throws(DecodingFailure) -> Bool {
        guard let current = video?.stream.index, current != index else {
            foreignCount = 0
            return true
        }
        guard !isForOtherPlayer else { throw DecodingFailure(.unsupportedVariant, detail: "several videos") }
        foreignCount += 1
        let isNew = index >= firstStreamCount && index > current
        guard isNew || foreignCount > Self.mostForeign else { return false }
        foreignCount = 0
        return true
    }

    /// Throws if a JPEG picture has other bytes behind its end, which may be another stream.
    private func checkEndOfPicture(_ packet: EncodedPacket) throws(DecodingFailure) {
        let end = packet.bytes(at: max(0, packet.byteCount - Self.mostBehindPicture), count: Self.mostBehindPicture)
        let hasEnd = zip(end, end.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
        guard hasEnd else { throw DecodingFailure(.bytesBehindPicture) }
    }

    /// Throws if so many packets gave no frame that the stream shows something that is not seen here.
    private func checkYield(mostBarren: Int) throws(DecodingFailure) {
        guard barrenCount <= mostBarren else {
            throw DecodingFailure(.malformed, detail: "\(barrenCount) packets gave no frame")
        }
    }

    /// Throws if parts of the stream were not decoded, which another player may show.
    private func checkEnd() throws(DecodingFailure) {
        if let container { try frames?.checkEnd(container.readByteCount) }
        guard video != nil else { throw DecodingFailure(.noPictures) }
        try checkYield(mostBarren: isForOtherPlayer ? Self.mostBarrenAtEndOfOthers : Self.mostBarrenAtEnd)
        // All frames that a decoder has held back are out.
        if countsFrames, missingCount > 0 { lossCount += 1 }
        guard allLossCount == 0 || !isForOtherPlayer else {
            throw DecodingFailure(.malformed, detail: "parts of the stream could not be decoded")
        }
    }

    /// Throws if other players show a frame in another way.
    private func checkLook(of frame: DecodedFrame, of stream: VideoStream) throws(DecodingFailure) {
        // Frames that depend on what was sent before the stream was joined are incomplete in every player.
        if frame.isBroken, !isForOtherPlayer || keyCount > 1 { lossCount += 1 }
        guard isForOtherPlayer else { return }
        if frame.hasAlpha { throw DecodingFailure(.frameWithOpacity) }
        if frame.isCutAtStart { throw DecodingFailure(.croppedFrame) }
        if frame.statedRotation ?? stream.rotation != stream.rotation {
            throw DecodingFailure(.rotatedFrame)
        }
        if frame.isInterlaced { throw DecodingFailure(.interlacedFrame) }
    }

    /// The longest distance between key frames for which a stream that was joined in the middle may wait, in packets.
    private static let mostBarren = 1000
    /// The packets between two frames where another player may show frames; decoders hold back fewer.
    private static let mostBarrenOfOthers = 64
    /// The packets behind the last frame of a stream, which may have been cut.
    private static let mostBarrenAtEnd = 32
    private static let mostBarrenAtEndOfOthers = 2
    /// The frames that a decoder of H.264 or HEVC holds back to put them in order, and one more for the next packet.
    private static let mostHeldBack = 17
    /// The packets of another video after which it takes the place of one that has none.
    private static let mostForeign = 30
    /// The bytes behind a picture that cameras add, such as padding.
    private static let mostBehindPicture = 1024

    private func copy(
        _ frame: DecodedFrame, of video: Video, into memory: MappedPixelMemory
    ) throws(DecodingFailure) -> StreamFrameReply {
        let copier = if let copier { copier } else { try FrameCopier(keepsLook: request.keepsFirstLook) }
        self.copier = copier
        var reply = try copier.copy(frame, rotation: video.stream.rotation, request.limits, into: memory)
        if lacksTimes, reply.moment == StreamFrameReply.noMoment, let rate = video.decoder.statedRate {
            untimedPosition += 1_000_000 / rate
            reply.moment = UInt64(untimedPosition)
        }
        if let container { (reply.rateFrames, reply.rateSeconds) = container.statedRate(of: video.stream) }
        reply.followsLoss = allLossCount > reportedLossCount
        reportedLossCount = allLossCount
        return reply
    }
}
