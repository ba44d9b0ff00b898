// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import ViewerAgreement

/// A stream of pictures, as its container describes it.
struct VideoStream {
    let index: Int
    /// The number that the container gives the stream; in MP4 files, the number of the track.
    let number: UInt32
    /// The codec, or nil if it is not decoded here.
    let codec: VideoCodec?
    let codecName: String
    /// The size of the frames that the container declares, in pixels; the frames themselves may have another size.
    let width: Int
    let height: Int
    /// Whether the stream is a single picture that belongs to the file, such as a cover.
    let isAttachedPicture: Bool
    /// The unit of timestamps.
    let timeBase: AVRational
    /// The duration in microseconds, or nil if the stream itself has none.
    let duration: Int64?
    /// The number of frames that the container announces, or 0 if it announces none.
    let frameCount: Int64
    /// The colour tags of the container; the frames may have other tags.
    let colorTags: ColorTags
    /// The clockwise rotation in degrees that makes frames upright, plus 360 if the frames are mirrored afterwards.
    let rotation: Int

    /// Reads a stream; nil if it is not a stream of pictures.
    ///
    /// - Parameter decodesOpacity: whether opacity beside the frames is decoded; if not, such a stream has no codec.
    init?(_ stream: UnsafeMutablePointer<AVStream>, index: Int, decodesOpacity: Bool) {
        guard let parameters = unsafe stream.pointee.codecpar,
            unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        else { return nil }
        self.index = index
        number = unsafe UInt32(bitPattern: stream.pointee.id)
        // FFmpeg's own decoders of VP8 and VP9 ignore transparency, which can form a picture by itself.
        let hasHiddenAlpha = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0) != nil
        let plain = unsafe VideoCodec(parameters.pointee.codec_id)
        codec = hasHiddenAlpha ? decodesOpacity ? plain?.withOpacity : nil : plain
        let name = unsafe avcodec_get_name(parameters.pointee.codec_id).map { unsafe String(cString: $0) } ?? "unknown"
        codecName = hasHiddenAlpha ? "\(name) with transparency" : name
        width = unsafe Int(parameters.pointee.width)
        height = unsafe Int(parameters.pointee.height)
        isAttachedPicture = unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        timeBase = unsafe stream.pointee.time_base
        let length = unsafe stream.pointee.duration
        duration = length == CFFmpegShims_no_timestamp || length <= 0 ? nil : Self.microseconds(length, timeBase)
        frameCount = unsafe max(0, stream.pointee.nb_frames)
        colorTags = unsafe ColorTags(
            transfer: parameters.pointee.color_trc, matrix: parameters.pointee.color_space)
        rotation = unsafe Int(CFFmpegShims_rotation(stream))
    }

    /// Returns the stream of the track with a number.
    ///
    /// From version 7 on, FFmpeg gives the items of a HEIF file as streams before the tracks, and an item may have the
    /// number of a track. An item has one frame, no duration and whole seconds; most tracks differ.
    ///
    /// - Throws: `malformed` if it cannot be told which of several streams is the track.
    static func track(_ number: UInt32, among streams: [VideoStream]) throws(DecodingFailure) -> VideoStream? {
        let named = streams.filter { $0.number == number }
        let tracks = named.filter { !$0.mayBeItem }
        guard tracks.count == 1 || tracks.isEmpty && named.count <= 1 else {
            throw DecodingFailure(.malformed, detail: "several tracks or items of one number")
        }
        return tracks.first ?? named.first
    }

    private var mayBeItem: Bool {
        frameCount <= 1 && duration == nil && timeBase.num == 1 && timeBase.den == 1
    }

    /// Returns the parameters of a stream's decoder from the container.
    static func extraData(_ stream: UnsafeMutablePointer<AVStream>) -> [UInt8] {
        unsafe stream.pointee.codecpar.map { parameters in
            unsafe [UInt8](
                UnsafeBufferPointer(
                    start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size))))
        } ?? []
    }

    /// Returns a timestamp in microseconds, within a range in which sums cannot overflow.
    func microseconds(_ timestamp: Int64) -> Int64 { Self.microseconds(timestamp, timeBase) }

    /// Returns microseconds as a timestamp in units of the stream.
    func timestamp(_ microseconds: Int64) -> Int64 {
        av_rescale_q(microseconds, AVRational(num: 1, den: 1_000_000), timeBase)
    }

    static func microseconds(_ timestamp: Int64, _ base: AVRational) -> Int64 {
        guard base.num > 0, base.den > 0 else { return 0 }
        let most: Int64 = 1 << 52
        return min(most, max(-most, av_rescale_q(timestamp, base, AVRational(num: 1, den: 1_000_000))))
    }
}
