// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Reads the packets of an MPEG program stream, one behind the other.
///
/// Sources: ISO/IEC 11172-1, section 2.4; ISO/IEC 13818-1, sections 2.4.3.6 and 2.5.3.
struct ProgramStreamPackets {
    /// The version of a program stream: MPEG-1 and MPEG-2 have different headers.
    enum Version { case mpeg1, mpeg2 }

    enum Part: Equatable {
        case pack(Version)
        /// A packet, from the byte behind its length; the end of the file may cut it off.
        case packet(stream: UInt8, content: [UInt8], byteCount: Int)
        case end
    }

    private let file: InputFile
    /// The position of the next part, in bytes.
    private(set) var position = 0

    init(_ file: InputFile) { self.file = file }

    /// Returns the next part; nil at the end of the file, and at bytes that are no part.
    ///
    /// - Throws: `unreadable`.
    mutating func next() throws(DecodingFailure) -> Part? {
        while true {
            let head = try file.bytes(at: position, count: Self.longestHead)
            guard head.count >= 4, head[0] == 0, head[1] == 0 else { return nil }
            if head[2] == 0 {
                // Discs fill their sectors with zeros.
                position += try zeroCount(at: position) - 2
                continue
            }
            guard head[2] == 1, head[3] >= Self.lowestSystemCode else { return nil }
            return try part(head)
        }
    }

    /// Whether only zeros follow, or a header that the end of the file cuts off.
    var isAtEnd: Bool {
        get throws(DecodingFailure) {
            let rest = try file.bytes(at: position, count: Self.longestHead)
            let code = [0, 0, 1] as [UInt8]
            return rest.allSatisfy { $0 == 0 }
                || rest.count < Self.longestHead && rest.prefix(code.count) == code.prefix(rest.count)
        }
    }

    private mutating func part(_ head: [UInt8]) throws(DecodingFailure) -> Part? {
        switch head[3] {
        case 0xB9:
            position += 4
            return .end
        case 0xBA:
            guard let version = Self.version(ofPack: head[...]) else { return nil }
            position += version == .mpeg1 ? 12 : 14 + Int(head[13] & 7)
            return .pack(version)
        default:
            guard let length: UInt16 = head.bigEndian(at: 4), length > 0 else { return nil }
            let content = try file.bytes(at: position + 6, count: Int(length))
            position += 6 + Int(length)
            return .packet(stream: head[3], content: content, byteCount: Int(length))
        }
    }

    private func zeroCount(at start: Int) throws(DecodingFailure) -> Int {
        var position = start
        while true {
            let bytes = try file.bytes(at: position, count: Self.pieceSize)
            let count = bytes.prefix { $0 == 0 }.count
            position += count
            if count < bytes.count || bytes.isEmpty { return position - start }
        }
    }

    /// Returns the version of a pack by its marker bits, or nil if the bytes are no header of a pack.
    static func version(ofPack head: ArraySlice<UInt8>) -> Version? {
        let head = Array(head)
        guard head.count >= 12 else { return nil }
        if head[4] & 0xF1 == 0x21, head[6] & 1 == 1, head[8] & 1 == 1, head[9] & 0x80 == 0x80, head[11] & 1 == 1 {
            return .mpeg1
        }
        let hasMarkers = head[4] & 0xC4 == 0x44 && head[6] & 4 == 4 && head[8] & 4 == 4 && head[9] & 1 == 1
        return hasMarkers && head.count >= 14 && head[12] & 3 == 3 ? .mpeg2 : nil
    }

    /// Returns the length of the header before the data of a packet; nil if the bytes are no such header.
    ///
    /// Scrambled data has none, because programs without the key show something else.
    static func headerLength(_ content: ArraySlice<UInt8>, _ version: Version) -> Int? {
        let bytes = Array(content.prefix(longestHeader))
        return version == .mpeg1 ? headerLength(ofMPEG1: bytes) : headerLength(ofMPEG2: bytes)
    }

    private static func headerLength(ofMPEG2 bytes: [UInt8]) -> Int? {
        guard bytes.count >= 3, bytes[0] & 0xF0 == 0x80 else { return nil }
        let (times, length) = (bytes[1] >> 6, Int(bytes[2]))
        switch times {
        case 0: break
        case 2: guard length >= 5, isTime(bytes, at: 3, prefix: 2) else { return nil }
        case 3: guard length >= 10, isTime(bytes, at: 3, prefix: 3), isTime(bytes, at: 8, prefix: 1) else { return nil }
        default: return nil
        }
        return 3 + length
    }

    private static func headerLength(ofMPEG1 bytes: [UInt8]) -> Int? {
        var place = bytes.prefix(16).prefix { $0 == 0xFF }.count
        if place < bytes.count, bytes[place] & 0xC0 == 0x40 { place += 2 }
        guard place < bytes.count else { return nil }
        if bytes[place] == 0x0F { return place + 1 }
        if isTime(bytes, at: place, prefix: 2) { return place + 5 }
        return isTime(bytes, at: place, prefix: 3) && isTime(bytes, at: place + 5, prefix: 1) ? place + 10 : nil
    }

    /// Whether a timestamp with its four first bits and its three marker bits stands at a place.
    private static func isTime(_ bytes: [UInt8], at place: Int, prefix: UInt8) -> Bool {
        place + 5 <= bytes.count && bytes[place] >> 4 == prefix
            && [0, 2, 4].allSatisfy { bytes[place + $0] & 1 == 1 }
    }

    /// The lowest code that belongs to the program stream; lower codes belong to the pictures in it.
    static let lowestSystemCode: UInt8 = 0xB9
    /// The length of a pack of MPEG-2, and the longest header of a packet up to its timestamps.
    private static let (longestHead, longestHeader) = (14, 40)
    private static let pieceSize = 64 << 10
}
