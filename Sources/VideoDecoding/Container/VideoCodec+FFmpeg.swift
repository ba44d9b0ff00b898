// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import ViewerAgreement

extension VideoCodec {
    init?(_ identifier: AVCodecID) {
        switch identifier {
        case AV_CODEC_ID_H264: self = .h264
        case AV_CODEC_ID_HEVC: self = .hevc
        case AV_CODEC_ID_VP8: self = .vp8
        case AV_CODEC_ID_VP9: self = .vp9
        case AV_CODEC_ID_AV1: self = .av1
        case AV_CODEC_ID_MPEG4: self = .mpeg4
        case AV_CODEC_ID_MPEG1VIDEO: self = .mpeg1
        case AV_CODEC_ID_MPEG2VIDEO: self = .mpeg2
        case AV_CODEC_ID_MJPEG: self = .mjpeg
        case AV_CODEC_ID_PRORES: self = .prores
        case AV_CODEC_ID_THEORA: self = .theora
        case AV_CODEC_ID_FLV1: self = .flv1
        case AV_CODEC_ID_H263: self = .h263
        case AV_CODEC_ID_MSMPEG4V1: self = .msmpeg4v1
        case AV_CODEC_ID_MSMPEG4V2: self = .msmpeg4v2
        case AV_CODEC_ID_MSMPEG4V3: self = .msmpeg4v3
        case AV_CODEC_ID_WMV1: self = .wmv1
        case AV_CODEC_ID_WMV2: self = .wmv2
        case AV_CODEC_ID_WMV3: self = .wmv3
        case AV_CODEC_ID_VC1: self = .vc1
        case AV_CODEC_ID_DVVIDEO: self = .dv
        case AV_CODEC_ID_APNG: self = .apng
        case AV_CODEC_ID_PNG: self = .png
        case AV_CODEC_ID_RAWVIDEO: self = .raw
        default: return nil
        }
    }
}
