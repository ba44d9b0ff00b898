// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The way in which pieces of a live stream become the bytes that a decoder reads.
package enum StreamFraming: Sendable, Equatable {
    /// The pieces are bytes of a container, and may be cut anywhere.
    case bytes
    /// Each piece is a packet of a codec, which has the code of four letters.
    case packets(codec: String)
    /// Each piece is a datagram of RTP or RTCP, of the session with this description.
    case datagrams(description: [UInt8])

    /// The bytes before the first piece.
    package var header: [UInt8] {
        switch self {
        case .bytes: []
        case .packets(let codec): Self.packetHeader(codec)
        case .datagrams(let description): Self.record(description) ?? []
        }
    }

    /// Returns a datagram as a record; nil for one that is empty or longer than a record.
    ///
    /// Source: RFC 4571, section 2.
    package static func record(_ bytes: [UInt8]) -> [UInt8]? {
        guard 1...StreamFormat.longestRecord ~= bytes.count else { return nil }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// Returns a packet behind the header of a frame of IVF; nil for one that is empty or too long.
    ///
    /// - Parameter time: the time of the packet, in microseconds.
    ///
    /// Source: the page about IVF of the MultimediaWiki.
    package static func packet(_ bytes: [UInt8], time: UInt64) -> [UInt8]? {
        guard 1...longestPacket ~= bytes.count else { return nil }
        return littleEndian(UInt32(bytes.count)) + littleEndian(time) + bytes
    }

    /// The most bytes of a packet.
    package static let longestPacket = 64 << 20

    private static func packetHeader(_ codec: String) -> [UInt8] {
        Array("DKIF".utf8) + littleEndian(UInt16(0)) + littleEndian(UInt16(32)) + Array(codec.utf8)
            // Width and height are unknown, and the times are in microseconds.
            + littleEndian(UInt16(0)) + littleEndian(UInt16(0)) + littleEndian(UInt32(1_000_000))
            + littleEndian(UInt32(1)) + littleEndian(UInt64(0))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
