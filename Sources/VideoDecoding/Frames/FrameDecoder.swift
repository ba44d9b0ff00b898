// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import HelperProtocol

/// The decoder of one stream.
@safe
final class FrameDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let codec: VideoCodec

    /// - Throws: `unsupportedVariant` for a codec that is not decoded here.
    init(_ stream: VideoStream, in container: MediaContainer, _ request: ImageRequest) throws(DecodingFailure) {
        guard let codec = stream.codec else {
            throw DecodingFailure(.unsupportedVariant, detail: "the codec \(stream.codecName)")
        }
        self.codec = codec
        let error = unsafe CFFmpegShims_open_decoder(
            &context, container.rawStream(stream.index), codec.rawValue, Int64(request.limits.maximumPixelCount))
        guard unsafe error == 0 && context != nil else {
            let isMissing = error == CFFmpegShims_error_no_decoder
            throw MediaContainer.failure(error, or: isMissing ? .unsupportedVariant : .malformed)
        }
    }

    deinit {
        unsafe avcodec_free_context(&context)
    }

    /// Whether frames on which no other depends may be left out; they are decoded no faster than others.
    ///
    /// In HEVC such a frame only says so, and FFmpeg decodes others by it all the same: none is left out.
    var skipsFramesWithoutDependents = false {
        didSet {
            guard codec != .hevc else { return }
            unsafe context?.pointee.skip_frame = skipsFramesWithoutDependents ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        }
    }

    /// Takes a packet in; every frame that is ready has to be taken out before the next.
    ///
    /// - Returns: whether the decoder could read it.
    func send(_ packet: EncodedPacket) throws(DecodingFailure) -> Bool {
        let error = unsafe avcodec_send_packet(context, packet.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        return error == 0
    }

    /// Has the decoder give what it still holds back.
    func beginDraining() {
        unsafe _ = avcodec_send_packet(context, nil)
    }

    /// Forgets everything, so that decoding can begin at another key frame.
    func reset() {
        unsafe avcodec_flush_buffers(context)
    }

    /// The next frame that is ready, in the order in which they are shown.
    ///
    /// - Returns: nil where the decoder needs another packet, is drained, or could not decode the last one.
    func receive() throws(DecodingFailure) -> DecodedFrame? {
        let frame = try DecodedFrame()
        let error = unsafe avcodec_receive_frame(context, frame.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        guard error == 0 else { return nil }
        frame.isCutAtStart = unsafe CFFmpegShims_cut_edges(frame.pointer) != 0
        return frame
    }
}
