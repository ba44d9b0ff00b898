// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import HelperProtocol
internal import HelperService

/// The decoding of one live stream: the pictures of one video at a time, as they come.
final class LiveStreamSession: StreamSession {
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

    /// The video that is decoded.
    private struct Video {
        let stream: VideoStream
        let codec: StreamCodec
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
                return try copy(frame, of: video, into: memory)
            }
            guard !isDraining else {
                guard video != nil else { throw DecodingFailure(.noPictures) }
                try checkYield(mostBarren: Self.mostBarrenAtEnd)
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
        var prefix: [UInt8] = []
        var demuxer = LiveDemuxer(request.format)
        while demuxer == nil {
            guard prefix.count < LiveDemuxer.longestPrefix else { throw DecodingFailure(.unsupportedContainer) }
            guard try source.read(into: &prefix, atMost: 4096) else {
                guard !prefix.isEmpty else { return nil }
                throw DecodingFailure(.unsupportedContainer)
            }
            demuxer = LiveDemuxer.found(in: prefix)
        }
        guard let demuxer else { return nil }
        let opened = try LiveContainer(source, demuxer, prefix: prefix)
        firstStreamCount = opened.streamCount
        container = opened
        return opened
    }

    /// Sends a packet to the decoder, which is replaced where the codec or the stream has changed.
    private func take(_ packet: EncodedPacket) throws(DecodingFailure) {
        let index = packet.streamIndex
        guard let container, index == video?.stream.index || mayBecomeVideo(index),
            let stream = container.stream(index)
        else { return }
        let codec = unsafe StreamCodec(container.rawStream(index).pointee.codecpar.pointee)
        var current: Video
        if let video, video.stream.index == index, video.codec == codec {
            current = video
        } else {
            if stream.width > 0, stream.height > 0 {
                try request.limits.checkPicture(width: stream.width, height: stream.height, isStreamed: false)
            }
            current = Video(
                stream: stream, codec: codec,
                decoder: try unsafe FrameDecoder(
                    stream, container.rawStream(index), maximumPixelCount: request.limits.maximumPixelCount))
            video = current
        }
        // The moment is the label, under which the decoder returns the frame.
        packet.label(packet.timestamp.map { max(0, stream.microseconds($0)) } ?? Int64.min)
        // A packet that cannot be read is lost, as in every live stream.
        _ = try current.decoder.send(packet)
        barrenCount += 1
        try checkYield(mostBarren: Self.mostBarren)
    }

    /// Throws if so many packets gave no frame that the stream shows something that is not seen here.
    private func checkYield(mostBarren: Int) throws(DecodingFailure) {
        guard barrenCount <= mostBarren else {
            throw DecodingFailure(.malformed, detail: "\(barrenCount) packets gave no frame")
        }
    }

    /// The longest distance between key frames for which a stream that was joined in the middle may wait, in packets.
    private static let mostBarren = 1000
    /// The packets behind the last frame of a stream, which a decoder may hold back or which were cut.
    private static let mostBarrenAtEnd = 32

    /// Whether a stream is the first video, or one that has begun in mid-stream.
    private func mayBecomeVideo(_ index: Int) -> Bool {
        guard let video else { return true }
        return index >= firstStreamCount && index > video.stream.index
    }

    private func copy(
        _ frame: DecodedFrame, of video: Video, into memory: MappedPixelMemory
    ) throws(DecodingFailure) -> StreamFrameReply {
        let copier = if let copier { copier } else { try FrameCopier() }
        self.copier = copier
        return try copier.copy(frame, rotation: video.stream.rotation, request.limits, into: memory)
    }
}
