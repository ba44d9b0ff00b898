// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims

/// A codec that is decoded, named after its FFmpeg decoder; no other decoder is ever opened.
enum VideoCodec: String, CaseIterable {
    case h264
    case hevc
    case vp8
    case vp9
    case av1 = "libdav1d"
    case mpeg4
    case mpeg2 = "mpeg2video"
    case mjpeg
    case prores
    case theora
    case flv1 = "flv"
    case apng
    /// PNG, for cover pictures only.
    case png
    /// Frames without compression, in live streams only.
    case raw = "rawvideo"

    init?(_ identifier: AVCodecID) {
        switch identifier {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        case AV_CODEC_ID_VP8: self = .vp8
        case AV_CODEC_ID_VP9: self = .vp9
        case AV_CODEC_ID_AV1: self = .av1
        case AV_CODEC_ID_MPEG4: self = .mpeg4
        case AV_CODEC_ID_MPEG2VIDEO: self = .mpeg2
        case AV_CODEC_ID_MJPEG: self = .mjpeg
        case AV_CODEC_ID_PRORES: self = .prores
        case AV_CODEC_ID_THEORA: self = .theora
        case AV_CODEC_ID_FLV1: self = .flv1
        case AV_CODEC_ID_APNG: self = .apng
        case AV_CODEC_ID_PNG: self = .png
        case AV_CODEC_ID_RAWVIDEO: self = .raw
        default: return nil
        }
    }

    /// The names of the decoders for files, separated by commas for FFmpeg.
    static let list = allCases.filter { $0 != .raw }.map(\.rawValue).joined(separator: ",")

    /// The names of the decoders for live streams.
    static let streamList = allCases.map(\.rawValue).joined(separator: ",")
}

/// The codec of a stream of any kind, as FFmpeg reports it at one moment.
struct StreamCodec: Equatable {
    private let kind: AVMediaType
    private let identifier: AVCodecID
    private let tag: UInt32

    init(_ parameters: AVCodecParameters) {
        kind = unsafe parameters.codec_type
        identifier = unsafe parameters.codec_id
        tag = unsafe parameters.codec_tag
    }

    static func == (one: StreamCodec, other: StreamCodec) -> Bool {
        one.kind == other.kind && one.identifier == other.identifier
    }

    var isPictures: Bool { kind == AVMEDIA_TYPE_VIDEO }
    var isSound: Bool { kind == AVMEDIA_TYPE_AUDIO && identifier != AV_CODEC_ID_NONE }

    /// Whether the sample description names a codec of pictures, but FFmpeg reports a stream of another kind.
    var isPictureInDisguise: Bool {
        !isPictures && VideoCodec(CFFmpegShims_picture_codec(tag)) != nil
    }

    /// Whether the codec may occur in a stream that has announced another codec.
    ///
    /// MPEG-1 is announced as MPEG-2, and some streams announce no codec.
    func canFollow(_ announced: StreamCodec) -> Bool {
        guard isPictures || announced.isPictures, self != announced else { return true }
        if announced.identifier == AV_CODEC_ID_NONE { return true }
        return announced.identifier == AV_CODEC_ID_MPEG2VIDEO && identifier == AV_CODEC_ID_MPEG1VIDEO
    }
}
