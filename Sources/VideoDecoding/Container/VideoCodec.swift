// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims

/// The codecs that are decoded, each named for the decoder of FFmpeg; no other is ever opened.
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
    /// For cover pictures.
    case png

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
        default: return nil
        }
    }

    /// All names, as FFmpeg takes a list.
    static let list = allCases.map(\.rawValue).joined(separator: ",")
}
