// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of an MPEG program stream")
struct ProgramStreamStructureTests {
    /// The bytes that differ between the two versions.
    enum Version: CaseIterable {
        case mpeg1, mpeg2

        var pack: [UInt8] {
            switch self {
            case .mpeg1: [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0x80, 0, 1]
            case .mpeg2: [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xF8]
            }
        }

        /// The header of a packet with a timestamp.
        var head: [UInt8] {
            switch self {
            case .mpeg1: [0xFF, 0xFF, 0x60, 0, 0x21, 0, 1, 0, 1]
            case .mpeg2: [0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
            }
        }

        func packet(_ stream: UInt8, _ content: [UInt8] = sequence) -> [UInt8] {
            ProgramStreamStructureTests.part(stream, head + content)
        }
    }

    /// The header of a sequence of 16 by 64 pixels.
    private static let sequence: [UInt8] = [0, 0, 1, 0xB3, 0x01, 0x00, 0x40, 0, 0]

    private static func part(_ stream: UInt8, _ content: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0, 0, 1, stream, UInt8(content.count >> 8), UInt8(content.count & 255)]
        return head + content
    }

    /// A map that gives streams kinds.
    private static func map(_ entries: [(stream: UInt8, kind: UInt8)]) -> [UInt8] {
        let list: [UInt8] = entries.flatMap { [$0.kind, $0.stream, 0, 0] }
        let head: [UInt8] = [0xE0, 0xFF, 0, 0, 0, UInt8(list.count)]
        return part(0xBC, head + list + [0, 0, 0, 0])
    }

    private static func disagreement(_ bytes: [UInt8]) throws -> Disagreement? {
        try ProgramStreamStructure.disagreement(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    @Test("Packs, packets, filling and the end of both versions are plain", arguments: Version.allCases)
    func plain(version: Version) throws {
        let start = version.pack + Self.part(0xBB, [1, 2, 3]) + version.packet(0xE0) + version.packet(0xC0)
        let rest = version.packet(0xBD) + Self.part(0xBE, [0xFF, 0xFF]) + Self.part(0xBF, [1]) + [0, 0, 1, 0xB9]
        #expect(try Self.disagreement(start + rest) == nil)
        // Joined files, zeros up to the end of a sector, and a file that ends within a packet.
        #expect(try Self.disagreement(start + rest + [0, 0, 0, 0, 0] + start + rest) == nil)
        #expect(try Self.disagreement(start + rest + [0, 0, 0]) == nil)
        for count in [1, 2, 3, 7, 20] { #expect(try Self.disagreement((start + version.pack).dropLast(count)) == nil) }
    }

    @Test("Bytes between packets, and headers of the other version, are noticed", arguments: Version.allCases)
    func disorder(version: Version) throws {
        let other = version == .mpeg1 ? Version.mpeg2 : .mpeg1
        #expect(try Self.disagreement(version.pack + version.packet(0xE0) + [1] + version.pack) == .contradiction)
        #expect(try Self.disagreement(version.pack + version.packet(0xE0) + other.pack) == .contradiction)
        #expect(try Self.disagreement(version.pack + other.packet(0xE0)) == .contradiction)
        #expect(try Self.disagreement(version.packet(0xE0)) == .contradiction)
        // A length of 0 leaves the end of the packet open.
        #expect(try Self.disagreement(version.pack + [0, 0, 1, 0xE0, 0, 0] + version.head) == .contradiction)
        #expect(try Self.disagreement(version.pack + version.packet(0xFD)) == .unknownStream)
    }

    @Test("Scrambled pictures are noticed")
    func scrambled() throws {
        let scrambled = Self.part(0xE0, [0x90, 0x80, 5, 0x21, 0, 1, 0, 1, 9])
        #expect(try Self.disagreement(Version.mpeg2.pack + scrambled) == .contradiction)
    }

    @Test("A pack or packet inside of a packet is noticed, and other start codes are not", arguments: Version.allCases)
    func nested(version: Version) throws {
        for stream in [0xE0, 0xC0, 0xBD] as [UInt8] {
            let nested = version.pack + version.packet(stream, version.pack + version.packet(0xE0))
            #expect(try Self.disagreement(nested) == .contradiction)
            #expect(
                try Self.disagreement(version.pack + version.packet(stream, version.packet(0xE1))) == .contradiction)
        }
        for filling in [0xBE, 0xBF, 0xBB] as [UInt8] {
            #expect(try Self.disagreement(version.pack + Self.part(filling, version.packet(0xE0))) == .contradiction)
        }
        #expect(try Self.disagreement(version.pack + version.packet(0xC0, [0, 0, 1, 0xE0, 7, 7, 7, 7])) == nil)
        let inPictures = Self.sequence + [0, 0, 1, 0xBE, 0]
        #expect(try Self.disagreement(version.pack + version.packet(0xE0, inPictures)) == .contradiction)
    }

    @Test("Units of another codec between those of MPEG-2 are noticed, also across packets")
    func otherCodecs() throws {
        let (start, picture, slice): ([UInt8], [UInt8], [UInt8]) = (
            Self.sequence, [0, 0, 1, 0, 0, 0x0F], [0, 0, 1, 1, 9, 9]
        )
        func disagreement(_ units: [UInt8]...) throws -> Disagreement? {
            let bytes = units.flatMap(\.self) + [UInt8](repeating: 9, count: 8)
            var files: Set<Disagreement?> = [
                try Self.disagreement(Version.mpeg2.pack + Version.mpeg2.packet(0xE0, bytes))
            ]
            for place in 5..<bytes.count {
                let parts = [Array(bytes[..<place]), Array(bytes[place...])]
                files.insert(
                    try Self.disagreement(
                        Version.mpeg2.pack + parts.flatMap { Version.mpeg2.packet(0xE0, $0) }))
            }
            #expect(files.count == 1)
            return files.first ?? nil
        }
        let group: [UInt8] = [0, 0, 1, 0xB8, 9, 9]
        #expect(
            try disagreement(start, group, picture, slice, slice, group, picture, [0, 0, 1, 0xB5, 9], slice) == nil)
        // Slices behind the header of a sequence or below the picture, a unit without a meaning, and another start.
        #expect(try disagreement(start, [0, 0, 1, 1, 9]) == .contradiction)
        #expect(try disagreement(start, picture, slice, [0, 0, 1, 0xB7], slice) == .contradiction)
        #expect(try disagreement(start, picture, [0, 0, 1, 5, 9]) == .contradiction)
        #expect(try disagreement(start, picture, [0, 0, 1, 0x67, 9]) == .contradiction)
        #expect(try disagreement(start, [0, 0, 1, 0xB6, 9]) == .contradiction)
        #expect(try disagreement([0, 0, 1, 0x67, 9, 9], start) == .contradiction)
    }

    @Test("A map names MPEG-1 or MPEG-2 for pictures, no pictures for other streams, and does not change")
    func maps() throws {
        let rest = Version.mpeg2.packet(0xE0)
        func disagreement(_ maps: [(stream: UInt8, kind: UInt8)]...) throws -> Disagreement? {
            try Self.disagreement(Version.mpeg2.pack + maps.flatMap { Self.map($0) } + rest)
        }
        #expect(try disagreement([(0xE0, 2), (0xC0, 4), (0xBD, 0x81)]) == nil)
        #expect(try disagreement([(0xE0, 0x1B)]) == .unknownStream)
        #expect(try disagreement([(0xBD, 2)]) == .unknownStream)
        #expect(try disagreement([(0xC0, 0x1B)]) == .unknownStream)
        #expect(try disagreement([(0xE0, 2)], [(0xE0, 1)]) == .changedCodec)
        #expect(try Self.disagreement(Version.mpeg2.pack + Self.part(0xBC, [0, 0, 0, 9, 1])) == .contradiction)
    }

    @Test("Mutated streams end without a crash")
    func mutations() throws {
        let whole = Version.mpeg2.pack + Self.map([(0xE0, 2)]) + Version.mpeg2.packet(0xE0)
        for place in whole.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                _ = try Self.disagreement(bytes)
            }
        }
    }
}
