// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ViewerAgreement

/// A container format of live streams, named after its FFmpeg demuxer; no other demuxer is ever tried.
enum LiveDemuxer: String, CaseIterable {
    case mpegts
    case matroska
    case flv
    case mov
    case ogg
    case mpjpeg
    /// JPEG pictures, each behind the end of the last.
    case mjpeg
    case h264
    case hevc
    case ivf
    case y4m = "yuv4mpegpipe"
    /// Datagrams of RTP behind a session description.
    case sdp

    /// Returns the demuxer of a format that the host has named; nil for a format that has to be found.
    init?(_ format: StreamFormat) {
        switch format {
        case .automatic: return nil
        case .transportStream: self = .mpegts
        case .matroska: self = .matroska
        case .flv: self = .flv
        case .mp4: self = .mov
        case .ogg: self = .ogg
        case .multipartJPEG: self = .mpjpeg
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .packets: self = .ivf
        case .y4m: self = .y4m
        case .datagrams: self = .sdp
        }
    }

    /// The number of bytes within which the format of a stream must show.
    static let longestPrefix = 64 * 1024

    /// Finds the demuxer by the first bytes of a stream; nil while more bytes are needed.
    ///
    /// Transport streams and streams behind start codes may begin anywhere. All others begin with their header.
    ///
    /// - Parameter isWhole: whether the stream has no more bytes.
    /// - Throws: `ambiguousRendering` if the bytes fit two formats, because a player may choose the other one.
    static func found(in prefix: [UInt8], isWhole: Bool) throws(DecodingFailure) -> LiveDemuxer? {
        guard isWhole || prefix.count >= leastPrefix else { return nil }
        let demuxer = byHeader(prefix)
        guard hasTransportPackets(prefix) else { return demuxer ?? unitCodec(prefix) }
        guard demuxer == nil else { throw DecodingFailure(.transportStreamBehindHeader) }
        return .mpegts
    }

    /// The number of bytes by which a transport stream shows.
    private static let leastPrefix = 188 * 6

    private static func byHeader(_ prefix: [UInt8]) -> LiveDemuxer? {
        if prefix.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
        if prefix.hasText("OggS", at: 0) { return .ogg }
        if prefix.hasText("FLV", at: 0) { return .flv }
        if prefix.hasText("DKIF", at: 0) { return .ivf }
        if prefix.hasText("YUV4MPEG2 ", at: 0) { return .y4m }
        if FormatSniffer.isQuickTime(prefix) { return .mov }
        if prefix.starts(with: [0xFF, 0xD8, 0xFF]) { return .mjpeg }
        return isMultipart(prefix) ? .mpjpeg : nil
    }

    private static func isMultipart(_ prefix: [UInt8]) -> Bool {
        let text = String(decoding: prefix.prefix(1024), as: UTF8.self).lowercased()
        return text.contains("--") && text.contains("content-type: image/jpeg")
    }

    /// Whether three packets of a transport stream follow each other.
    private static func hasTransportPackets(_ prefix: [UInt8]) -> Bool {
        let (length, sync): (Int, UInt8) = (188, 0x47)
        return prefix.indices.contains { start in
            start + 3 * length < prefix.count && (0...3).allSatisfy { prefix[start + $0 * length] == sync }
        }
    }

    /// Returns the codec of the first unit behind a start code.
    ///
    /// Source: ITU-T H.264, table 7-1, and ITU-T H.265, table 7-1, for the types of units.
    private static func unitCodec(_ prefix: [UInt8]) -> LiveDemuxer? {
        // A transport stream has start codes as well, so it must have been ruled out.
        guard let start = startCode(in: prefix) else { return nil }
        let (first, second) = (prefix[start], prefix[start + 1])
        let type = first >> 1 & 63
        let isOfHEVC =
            first & 0x81 == 0 && second == 1 && (type <= 9 || (16...21).contains(type) || (32...40).contains(type))
        if isOfHEVC { return .hevc }
        return first & 0x80 == 0 && [1, 5, 6, 7, 8, 9].contains(first & 31) ? .h264 : nil
    }

    /// Returns the position behind the first start code that has a unit's header behind it.
    private static func startCode(in bytes: [UInt8]) -> Int? {
        (0..<max(0, bytes.count - 4)).first { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }
            .map { $0 + 3 }
    }
}
