// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import HelperProtocol
internal import ViewerAgreement

/// The decoder of one stream.
@safe
final class FrameDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let codec: VideoCodec
    /// The decoder of the opacity of frames, where a track of its own holds it.
    private let opacity: FrameDecoder?
    /// Frames whose opacity is not decoded yet, in the order in which they are shown, and decoded opacity by its label.
    private var waiting: (frames: [DecodedFrame], opacity: [Int64: DecodedFrame]) = ([], [:])

    /// - Throws: `unsupportedVariant` for a codec that is not decoded here, `malformed`, `outOfMemory`.
    convenience init(
        _ stream: VideoStream, opacity: VideoStream? = nil, in container: MediaContainer, _ request: ImageRequest
    ) throws(DecodingFailure) {
        let other = try opacity.map { stream throws(DecodingFailure) in
            try FrameDecoder(stream, in: container, request)
        }
        try unsafe self.init(
            stream, container.rawStream(stream.index), opacity: other,
            maximumPixelCount: request.limits.maximumPixelCount)
    }

    /// - Parameter raw: FFmpeg's description of the stream.
    /// - Throws: `unsupportedVariant` for a codec that is not decoded here, `malformed`, `outOfMemory`.
    init(
        _ stream: VideoStream, _ raw: UnsafeMutablePointer<AVStream>, opacity: FrameDecoder? = nil,
        maximumPixelCount: Int
    ) throws(DecodingFailure) {
        guard let codec = stream.codec else {
            throw DecodingFailure(.unsupportedVariant, detail: "the codec \(stream.codecName)")
        }
        self.codec = codec
        self.opacity = opacity
        let error = unsafe CFFmpegShims_open_decoder(
            &context, raw, codec.rawValue, Int64(maximumPixelCount))
        guard unsafe error == 0 && context != nil else {
            let isMissing = error == CFFmpegShims_error_no_decoder
            throw MediaContainer.failure(error, or: isMissing ? .unsupportedVariant : .malformed)
        }
    }

    deinit {
        unsafe avcodec_free_context(&context)
    }

    /// Whether the decoder may leave out frames on which no other frame depends, which saves their decoding time.
    ///
    /// In HEVC, none is left out: such a frame may be marked wrongly, and FFmpeg then decodes other frames by it.
    var skipsFramesWithoutDependents = false {
        didSet {
            guard codec != .hevc, opacity == nil else { return }
            unsafe context?.pointee.skip_frame = skipsFramesWithoutDependents ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        }
    }

    /// Whether the decoder gives frames that depend on frames which it does not have, as some players do.
    var givesIncompleteFrames = false {
        didSet {
            guard givesIncompleteFrames != oldValue else { return }
            unsafe CFFmpegShims_give_incomplete_frames(context, givesIncompleteFrames ? 1 : 0)
        }
    }

    /// The number of frames in a second, as H.264 and HEVC state it in their parameters; nil if they do not.
    var statedRate: Double? {
        guard codec == .h264 || codec == .hevc, let rate = unsafe context?.pointee.framerate, rate.den > 0 else {
            return nil
        }
        let value = Double(rate.num) / Double(rate.den)
        return (1...1000).contains(value) ? value : nil
    }

    /// Sends a packet to the decoder; the caller must receive all ready frames before the next packet.
    ///
    /// - Returns: whether the decoder could read the packet.
    func send(_ packet: EncodedPacket) throws(DecodingFailure) -> Bool {
        let error = unsafe avcodec_send_packet(context, packet.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        guard error == 0 else { return false }
        guard let opacity else { return true }
        guard let more = packet.opacity else { return false }
        return try opacity.send(more)
    }

    /// Makes the decoder give the frames that it still holds back.
    func beginDraining() {
        unsafe _ = avcodec_send_packet(context, nil)
        opacity?.beginDraining()
    }

    /// Drops the state of the decoder, so decoding can begin at another key frame.
    func reset() {
        unsafe avcodec_flush_buffers(context)
        opacity?.reset()
        waiting = ([], [:])
    }

    /// Returns the next ready frame, in the order in which frames are shown.
    ///
    /// - Returns: nil if the decoder needs another packet, is drained, or could not decode the last packet.
    func receive() throws(DecodingFailure) -> DecodedFrame? {
        guard let opacity else { return try receiveAlone() }
        while let frame = try receiveAlone() { waiting.frames.append(frame) }
        while let frame = try opacity.receive() {
            if let label = frame.label { waiting.opacity[label] = frame }
        }
        guard let first = waiting.frames.first, let label = first.label,
            let levels = waiting.opacity.removeValue(forKey: label)
        else { return nil }
        waiting.frames.removeFirst()
        return try first.adding(opacity: levels)
    }

    private func receiveAlone() throws(DecodingFailure) -> DecodedFrame? {
        let frame = try DecodedFrame()
        let error = unsafe avcodec_receive_frame(context, frame.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        guard error == 0 else { return nil }
        frame.isCutAtStart = unsafe CFFmpegShims_cut_edges(frame.pointer) != 0
        return frame
    }
}
