// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The description of a session of RTP, as FFmpeg may read it.
///
/// FFmpeg reads lines that open further demuxers or set up keys. So only those lines are left that describe the first video.
///
/// Source: RFC 8866, sections 5 and 6, for the lines; the payload formats of RFC 6184, 7798, 7741, 9628, 2435 and 2250.
enum SessionDescription {

    private static let codecs: Set<String> = ["H264", "H265", "VP8", "VP9", "JPEG", "MP2T", "MPV", "H263-1998"]
    /// The attributes with parameters of a video.
    private static let attributes: Set<Substring> = ["rtpmap", "fmtp", "framerate", "framesize"]
    /// The static payload types of JPEG, MPEG video and transport streams, which need no name.
    private static let staticTypes: Set<Substring> = ["26", "32", "33"]

    /// Returns the description of the first video alone.
    ///
    /// - Throws: `malformed` for something else, `noPictures` without a video, or `unsupportedVariant` for another codec.
    static func reduced(_ bytes: [UInt8]) throws(DecodingFailure) -> [UInt8] {
        guard bytes.count <= StreamFormat.longestDescription,
            bytes.allSatisfy({ $0 >= 32 && $0 < 127 || [9, 10, 13].contains($0) })
        else {
            throw DecodingFailure(.malformed, detail: "the session description")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.first?.hasPrefix("v=0") == true else {
            throw DecodingFailure(.malformed, detail: "the session description")
        }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("m=video ") }) else {
            throw DecodingFailure(.noPictures)
        }
        // m=video PORT PROTOCOL TYPE…
        let fields = lines[start].split(separator: " ")
        guard fields.count >= 4, fields[3].allSatisfy(\.isNumber), let type = UInt8(fields[3]), type < 128 else {
            throw DecodingFailure(.malformed, detail: "the session description")
        }
        let ofVideo = lines[(start + 1)...].prefix { !$0.hasPrefix("m=") }.filter { line in
            guard line.hasPrefix("a="), let colon = line.firstIndex(of: ":") else { return false }
            let name = line[line.index(line.startIndex, offsetBy: 2)..<colon]
            let value = line[line.index(after: colon)...]
            return attributes.contains(name) && (!["rtpmap", "fmtp"].contains(name) || value.hasPrefix("\(type) "))
        }
        let names = ofVideo.filter { $0.hasPrefix("a=rtpmap:") }.map { line in
            line.uppercased().split(separator: " ").dropFirst().first?.split(separator: "/").first.map(String.init)
                ?? ""
        }
        let isKnown = names.isEmpty ? staticTypes.contains(fields[3]) : names.allSatisfy { codecs.contains($0) }
        guard isKnown, names.count <= 1 else {
            throw DecodingFailure(.unsupportedVariant, detail: "the codec of the session")
        }
        // No address of the session is used, and the datagrams come from the host.
        let text =
            ["v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0", "m=video 9 RTP/AVP \(type)"]
            + ofVideo.map(String.init)
        return Array((text.joined(separator: "\r\n") + "\r\n").utf8)
    }
}
