// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A codec that is decoded, named after its FFmpeg decoder; no other decoder is ever opened.
package enum VideoCodec: String, CaseIterable {
    case h264
    case hevc
    case vp8
    case vp9
    /// VP8 and VP9 with opacity, in files only; FFmpeg's own decoders ignore the opacity.
    case vp8WithOpacity = "libvpx"
    case vp9WithOpacity = "libvpx-vp9"
    case av1 = "libdav1d"
    case mpeg4
    case mpeg1 = "mpeg1video"
    case mpeg2 = "mpeg2video"
    case mjpeg
    case prores
    case theora
    case flv1 = "flv"
    /// H.263, in movies of early phones.
    case h263
    /// The three forms of MPEG-4 in AVI files from before the standard, among them DivX 3.
    case msmpeg4v1
    case msmpeg4v2
    case msmpeg4v3 = "msmpeg4"
    case wmv1
    case wmv2
    case wmv3
    /// The advanced profile of VC-1, in WMV files as WVC1.
    case vc1
    /// DV, of camcorders with tapes.
    case dv = "dvvideo"
    case apng
    /// PNG, for cover pictures only.
    case png
    /// Frames without compression, in live streams only.
    case raw = "rawvideo"

    /// The names of the decoders for files, separated by commas for FFmpeg.
    package static let list = allCases.filter { $0 != .raw }.map(\.rawValue).joined(separator: ",")

    /// The names of the decoders for live streams.
    package static let streamList = allCases.filter { ![.vp8WithOpacity, .vp9WithOpacity].contains($0) }
        .map(\.rawValue).joined(separator: ",")

    /// The decoder of the same codec that also gives the opacity of frames; nil if there is none.
    package var withOpacity: VideoCodec? {
        switch self {
        case .vp8: .vp8WithOpacity
        case .vp9: .vp9WithOpacity
        default: nil
        }
    }
}
