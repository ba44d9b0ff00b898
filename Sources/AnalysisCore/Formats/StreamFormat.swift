// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The container of an encoded live stream.
package enum StreamFormat: UInt8, Sendable, CaseIterable {
    /// The decoder finds the format by the first bytes.
    case automatic = 0
    case transportStream = 1
    /// Matroska and WebM.
    case matroska = 2
    case flv = 3
    /// MP4 whose index comes first, in fragments or as a whole.
    case mp4 = 4
    case ogg = 5
    /// JPEG pictures as parts of a multipart message, as many cameras send them.
    case multipartJPEG = 6
    /// H.264 units behind start codes.
    case h264 = 7
    /// HEVC units behind start codes.
    case hevc = 8
    /// Packets behind headers of IVF, by which packets without a container are passed.
    case packets = 9
    /// Frames without compression behind a header of text.
    case y4m = 10
    /// Datagrams of RTP behind a session description, each in a record.
    case datagrams = 11

    /// The most bytes of a record, whose length is written before it in two bytes, the higher first.
    ///
    /// Source: RFC 4571, section 2.
    package static let longestRecord = Int(UInt16.max)

    /// The most bytes of a session description.
    package static let longestDescription = 8 * 1024
}
