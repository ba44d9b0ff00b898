// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import ViewerAgreement

/// A live stream that FFmpeg reads from a pipe; it gives the packets in their order.
@safe
final class LiveContainer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    /// The pipe, which must outlive the context.
    private let source: PipeSource
    private let isY4M: Bool
    /// The number of pieces that could not be read.
    private(set) var lossCount = 0

    /// Opens a stream, and reads its beginning.
    ///
    /// - Parameter prefix: the bytes that were read from the pipe to find the format.
    /// - Throws: `malformed`, `outOfMemory`, or `unreadable` if the stream was given up.
    init(_ source: PipeSource, _ demuxer: LiveDemuxer, prefix: [UInt8]) throws(DecodingFailure) {
        self.source = source
        isY4M = demuxer == .y4m
        let error = unsafe CFFmpegShims_open_stream(
            &context, source.descriptor, prefix, Int32(prefix.count), demuxer.rawValue, VideoCodec.streamList,
            PipeSource.wait, source.owner)
        guard unsafe error == 0 && context != nil else { throw MediaContainer.failure(error) }
    }

    deinit {
        unsafe CFFmpegShims_close_stream(&context)
    }

    /// The number of bytes of the stream that were read.
    var readByteCount: Int { unsafe Int(context!.pointee.pb.pointee.pos) }

    var streamCount: Int { unsafe Int(context!.pointee.nb_streams) }

    func rawStream(_ index: Int) -> UnsafeMutablePointer<AVStream> { unsafe context!.pointee.streams[index]! }

    /// Returns a stream as the container describes it now; nil for sound, covers and data.
    func stream(_ index: Int) -> VideoStream? {
        guard index < streamCount,
            let stream = unsafe VideoStream(rawStream(index), index: index, decodesOpacity: false)
        else { return nil }
        return stream.isAttachedPicture ? nil : stream
    }

    /// Returns the parameters of a stream's decoder from the container.
    func extraData(of stream: VideoStream) -> [UInt8] { unsafe VideoStream.extraData(rawStream(stream.index)) }

    /// Returns the rate of a stream that states an exact one: Y4M.
    func statedRate(of stream: VideoStream) -> (frames: UInt32, seconds: UInt32) {
        guard isY4M else { return (0, 0) }
        let rate = unsafe rawStream(stream.index).pointee.avg_frame_rate
        return (UInt32(clamping: rate.num), UInt32(clamping: rate.den))
    }

    /// Returns the next packet of any stream; nil at the end.
    ///
    /// - Throws: `malformed` after many errors without a packet, and the failures of reading.
    func nextPacket() throws(DecodingFailure) -> EncodedPacket? {
        let packet = try EncodedPacket()
        // A damaged piece of a stream is passed over, and a demuxer that never gets further ends the stream.
        var failureCount = 0
        for _ in 0..<Self.mostFailures {
            let error = unsafe av_read_frame(context!, packet.pointer)
            switch error {
            case 0:
                lossCount += failureCount
                return packet
            case CFFmpegShims_error_end:
                // A demuxer that stops early shows nothing of what follows.
                guard unsafe CFFmpegShims_stream_has_ended(context!) != 0 else {
                    throw DecodingFailure(.malformed, detail: "bytes behind the end of the stream")
                }
                // A stream may be cut within a piece, and has no more than a mark behind its last one.
                if failureCount > Self.mostFailuresAtEnd { lossCount += failureCount }
                return nil
            case CFFmpegShims_error_memory: throw DecodingFailure(.outOfMemory, detail: "a packet of the stream")
            case CFFmpegShims_error_exit: throw DecodingFailure(.unreadable, detail: "the stream")
            default:
                // FFmpeg would look for the next frame of Y4M in the samples of this one.
                guard !isY4M else {
                    throw DecodingFailure(.malformed, detail: "a frame that does not begin with FRAME")
                }
                failureCount += 1
            }
        }
        throw DecodingFailure(.malformed, detail: "the stream")
    }

    private static let mostFailures = 1000
    private static let mostFailuresAtEnd = 2
}
