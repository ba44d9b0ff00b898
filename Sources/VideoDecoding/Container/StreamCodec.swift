// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims
internal import ViewerAgreement

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
