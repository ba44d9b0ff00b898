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

    /// - Throws: `unsupportedVariant` for a codec that is not decoded here, `malformed`, `outOfMemory`.
    convenience init(
        _ stream: VideoStream, in container: MediaContainer, _ request: ImageRequest
    ) throws(DecodingFailure) {
        try unsafe self.init(
            stream, container.rawStream(stream.index), maximumPixelCount: request.limits.maximumPixelCount)
    }

    /// - Parameter raw: FFmpeg's description of the stream.
    /// - Throws: `unsupportedVariant` for a codec that is not decoded here, `malformed`, `outOfMemory`.
    init(
        _ stream: VideoStream, _ raw: UnsafeMutablePointer<AVStream>, maximumPixelCount: Int
    ) throws(DecodingFailure) {
        guard let codec = stream.codec else {
            throw DecodingFailure(.unsupportedVariant, detail: "the codec \(stream.codecName)")
        }
        self.codec = codec
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
            guard codec != .hevc else { return }
            unsafe context?.pointee.skip_frame = skipsFramesWithoutDependents ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
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
        return error == 0
    }

    /// Makes the decoder give the frames that it still holds back.
    func beginDraining() {
        unsafe _ = avcodec_send_packet(context, nil)
    }

    /// Drops the state of the decoder, so decoding can begin at another key frame.
    func reset() {
        unsafe avcodec_flush_buffers(context)
    }

    /// Returns the next ready frame, in the order in which frames are shown.
    ///
    /// - Returns: nil if the decoder needs another packet, is drained, or could not decode the last packet.
    func receive() throws(DecodingFailure) -> DecodedFrame? {
        let frame = try DecodedFrame()
        let error = unsafe avcodec_receive_frame(context, frame.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        guard error == 0 else { return nil }
        frame.isCutAtStart = unsafe CFFmpegShims_cut_edges(frame.pointer) != 0
        return frame
    }
}
