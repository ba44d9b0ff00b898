// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Reads the tables of a transport stream that name the codec of each stream.
///
/// FFmpeg uses the first table about a stream for the whole file. Other programs obey each new table.
///
/// Source: ISO/IEC 13818-1, sections 2.4.3 and 2.4.4.
package struct ProgramTables {
    /// The disagreement about the streams that FFmpeg has found, or nil if there is none.
    package private(set) var disagreement: Disagreement?
    private var packets = TransportPackets()
    private var streams: [UInt16: Announcement] = [:]
    /// The identifiers of packets that carry program tables, besides the table of all programs.
    private var tables: Set<UInt16> = []
    private var sections: [UInt16: [UInt8]] = [:]

    package init() {}

    /// The codec that a program table names for a stream.
    private struct Announcement: Equatable {
        let kind: UInt8
        /// The four-letter code that names the format of a private stream, or 0 if there is none.
        let registration: UInt32

        var isPictures: Bool { ProgramTables.pictureKinds.contains(kind) || isUnknownPictures }
        /// Whether the entry names a codec that FFmpeg does not support in transport streams.
        var isUnknownPictures: Bool { ProgramTables.unknownPictureKinds.contains(kind) || registration == Self.av1 }

        private static let av1: UInt32 = 0x4156_3031
    }

    /// The kinds of streams of pictures; source: ISO/IEC 13818-1, table 2-34.
    static let pictureKinds: Set<UInt8> = [
        0x01, 0x02, 0x10, 0x1B, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x42, 0xD1, 0xD2, 0xD4, 0xEA,
    ]
    /// JPEG XS, VVC, EVC, and the private kind that VLC gives to any codec of AVI files.
    static let unknownPictureKinds: Set<UInt8> = [0x32, 0x33, 0x35, 0xA0]

    /// Reads the next bytes of the file.
    package mutating func add(_ bytes: [UInt8]) {
        guard disagreement == nil else { return }
        var packets = packets
        packets.add(bytes) { note($0) }
        self.packets = packets
        if packets.hideOthers { disagreement = disagreement ?? .contradiction }
    }

    /// Reads the remaining bytes at the end of the file.
    package mutating func finish() {
        var packets = packets
        packets.finish { note($0) }
    }

    private mutating func note(_ packet: ArraySlice<UInt8>) {
        let flags = packet[packet.startIndex + 1]
        let identifier = UInt16(flags & 0x1F) << 8 | UInt16(packet[packet.startIndex + 2])
        if flags & 0x40 != 0, streams[identifier]?.isPictures == true,
            let content = TransportPackets.content(of: packet),
            content.starts(with: [0, 0, 1]), Self.unread.contains(content[content.startIndex + 3])
        {
            disagreement = disagreement ?? .contradiction
        }
        guard identifier == 0 || tables.contains(identifier), let content = TransportPackets.content(of: packet) else {
            return
        }
        note(content, of: identifier, begins: flags & 0x40 != 0)
    }

    // MARK: Sections

    private mutating func note(_ content: ArraySlice<UInt8>, of identifier: UInt16, begins: Bool) {
        guard begins else {
            guard sections[identifier] != nil else { return }
            sections[identifier]! += content
            return takeSections(of: identifier)
        }
        guard let pointer = content.first.map(Int.init), pointer < content.count - 1 else { return }
        if sections[identifier] != nil {
            sections[identifier]! += content.dropFirst().prefix(pointer)
            takeSections(of: identifier)
        }
        sections[identifier] = Array(content.dropFirst(1 + pointer))
        takeSections(of: identifier)
    }

    /// Removes the complete sections of one packet identifier from the buffer, and reads the tables in them.
    private mutating func takeSections(of identifier: UInt16) {
        while let bytes = sections[identifier] {
            guard let kind = bytes.first, kind != 0xFF, bytes.count <= Self.mostBytes else {
                sections[identifier] = nil
                return
            }
            guard let length = bytes.bigEndian(at: 1, as: UInt16.self).map({ Int($0 & 0xFFF) + 3 }),
                bytes.count >= length
            else { return }
            let section = Array(bytes.prefix(length))
            sections[identifier] = Array(bytes.dropFirst(length))
            guard length >= 12, Self.checksum(of: section) == 0 else { continue }
            if kind == 0, identifier == 0 { notePrograms(section) }
            if kind == 2 { noteStreams(section) }
        }
    }

    private mutating func notePrograms(_ section: [UInt8]) {
        for place in stride(from: 8, to: section.count - 7, by: 4) {
            guard let program = section.bigEndian(at: place, as: UInt16.self), program != 0,
                let identifier = section.bigEndian(at: place + 2, as: UInt16.self)
            else { continue }
            tables.insert(identifier & 0x1FFF)
        }
    }

    private mutating func noteStreams(_ section: [UInt8]) {
        guard let skipped = section.bigEndian(at: 10, as: UInt16.self) else { return }
        var place = 12 + Int(skipped & 0xFFF)
        while place + 5 <= section.count - 4 {
            guard let identifier = section.bigEndian(at: place + 1, as: UInt16.self),
                let length = section.bigEndian(at: place + 3, as: UInt16.self).map({ Int($0 & 0xFFF) })
            else { return }
            let end = min(place + 5 + length, section.count - 4)
            let announced = Announcement(
                kind: section[place], registration: Self.registration(in: section[min(place + 5, end)..<end]))
            note(announced, of: identifier & 0x1FFF)
            place += 5 + length
        }
    }

    private mutating func note(_ announced: Announcement, of identifier: UInt16) {
        if announced.isUnknownPictures { disagreement = disagreement ?? .unknownStream }
        if let known = streams[identifier], known != announced, known.isPictures || announced.isPictures {
            disagreement = disagreement ?? .changedCodec
        }
        streams[identifier] = announced
    }

    private static func registration(in descriptors: ArraySlice<UInt8>) -> UInt32 {
        let bytes = Array(descriptors)
        var place = 0
        while place + 2 <= bytes.count {
            if bytes[place] == 5 { return bytes.bigEndian(at: place + 2, as: UInt32.self) ?? 0 }
            place += 2 + Int(bytes[place + 1])
        }
        return 0
    }

    /// Returns the checksum of a section, which is 0 if the section ends with its own checksum.
    ///
    /// Source: ISO/IEC 13818-1, annex A.
    private static func checksum(of section: [UInt8]) -> UInt32 {
        section.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }

    /// The identifiers of padding and of streams of data, which only some programs pass over among pictures.
    ///
    /// Source: ISO/IEC 13818-1, section 2.4.3.7.
    private static let unread: Set<UInt8> = [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF]
    /// The most bytes that are kept: a section of at most 4,096 bytes, and another in the packet with its end.
    private static let mostBytes = 8192
}
