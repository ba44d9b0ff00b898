// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks that an MPEG program stream, such as MPG and VOB files, has one reading.
///
/// Players that seek look for the next start code, and may find one inside of a packet. Streams of pictures have the
/// codec that a map names, or else MPEG-1 or MPEG-2.
///
/// Sources: ISO/IEC 11172-1, section 2.4; ISO/IEC 13818-1, sections 2.4.3.6 and 2.5.
package struct ProgramStreamStructure {
    private typealias Packets = ProgramStreamPackets

    private var version: Packets.Version?
    /// The kinds that maps of the program have named for streams.
    private var kinds: [UInt8: UInt8] = [:]
    private var streams: [UInt8: MPEGPictures] = [:]

    /// Returns the disagreement about a program stream, or nil if there is none.
    ///
    /// - Throws: `unreadable`.
    package static func disagreement(_ file: InputFile) throws(DecodingFailure) -> Disagreement? {
        var (structure, packets) = (ProgramStreamStructure(), ProgramStreamPackets(file))
        while let part = try packets.next() {
            if let found = structure.add(part) { return found }
        }
        return try packets.isAtEnd ? nil : .contradiction
    }

    private mutating func add(_ part: Packets.Part) -> Disagreement? {
        switch part {
        case .end: return nil
        case .pack(let version):
            defer { self.version = version }
            return self.version ?? version == version ? nil : .contradiction
        case .packet(let stream, let content, let byteCount):
            guard let version else { return .contradiction }
            return add(stream, content, byteCount, version)
        }
    }

    private mutating func add(
        _ stream: UInt8, _ content: [UInt8], _ byteCount: Int, _ version: Packets.Version
    ) -> Disagreement? {
        switch stream {
        case Self.map: return addMap(content)
        case Self.systemHeader, Self.padding, Self.navigation: break
        case Self.pictures, Self.sound, Self.privateData:
            // The end of the file may cut off the header of the last packet.
            if content.count == byteCount || content.count >= Self.longestHeader {
                guard let length = Packets.headerLength(content[...], version), length <= byteCount else {
                    return .contradiction
                }
                if Self.pictures.contains(stream) {
                    let pictures = content.dropFirst(length)
                    streams[stream, default: MPEGPictures()].add(pictures)
                    let isPlain = streams[stream]?.haveDisagreement == false && !Self.hasCode(in: pictures)
                    return isPlain ? nil : .contradiction
                }
            }
        default: return .unknownStream
        }
        return Self.hasPacket(in: content, version) ? .contradiction : nil
    }

    /// Reads a map of the program, which gives each stream a kind.
    private mutating func addMap(_ content: [UInt8]) -> Disagreement? {
        guard let descriptorLength: UInt16 = content.bigEndian(at: 2),
            let mapLength: UInt16 = content.bigEndian(at: 4 + Int(descriptorLength))
        else { return .contradiction }
        var place = 6 + Int(descriptorLength)
        let end = place + Int(mapLength)
        guard end + 4 <= content.count else { return .contradiction }
        while place < end {
            guard let length: UInt16 = content.bigEndian(at: place + 2) else { return .contradiction }
            let (kind, stream) = (content[place], content[place + 1])
            guard kinds[stream] ?? kind == kind else { return .changedCodec }
            kinds[stream] = kind
            let isPlain = Self.pictures.contains(stream) ? Self.pictureKinds.contains(kind) : Self.isSound(kind)
            guard isPlain else { return .unknownStream }
            place += 4 + Int(length)
        }
        return place == end ? nil : .contradiction
    }

    private static func isSound(_ kind: UInt8) -> Bool {
        !ProgramTables.pictureKinds.contains(kind) && !ProgramTables.unknownPictureKinds.contains(kind)
    }

    // MARK: Codes inside of packets

    /// Whether pictures contain a code of the program stream, which their codecs do not have.
    private static func hasCode(in content: ArraySlice<UInt8>) -> Bool {
        startCodes(in: content) { place in content[place + 3] >= Packets.lowestSystemCode }
    }

    /// Whether other data contains what looks like a pack, or like a packet of pictures.
    ///
    /// Sound has no rule against start codes, so a code alone does not count.
    private static func hasPacket(in content: [UInt8], _ version: Packets.Version) -> Bool {
        startCodes(in: content[...]) { place in
            let rest = content[place...]
            if content[place + 3] == 0xBA { return Packets.version(ofPack: rest.prefix(14)) == version }
            guard pictures.contains(content[place + 3]) else { return false }
            return Packets.headerLength(rest.dropFirst(6), version) != nil
        }
    }

    private static func startCodes(in content: ArraySlice<UInt8>, contain isWanted: (Int) -> Bool) -> Bool {
        var place = content.startIndex
        while place + 3 < content.endIndex {
            if content[place + 2] > 1 {
                place += 3
            } else if content[place] == 0, content[place + 1] == 0, content[place + 2] == 1 {
                if isWanted(place) { return true }
                place += 3
            } else {
                place += 1
            }
        }
        return false
    }

    /// The identifiers of streams; source: ISO/IEC 13818-1, table 2-22.
    private static let (pictures, sound): (ClosedRange<UInt8>, ClosedRange<UInt8>) = (0xE0...0xEF, 0xC0...0xDF)
    /// Data with a header: sound and subtitles of discs.
    private static let privateData: ClosedRange<UInt8> = 0xBD...0xBD
    private static let (systemHeader, map, padding, navigation): (UInt8, UInt8, UInt8, UInt8) = (0xBB, 0xBC, 0xBE, 0xBF)
    /// MPEG-1 and MPEG-2; FFmpeg looks for other codecs in the data, and VLC obeys the map.
    private static let pictureKinds: Set<UInt8> = [1, 2]
    private static let longestHeader = 262
}
