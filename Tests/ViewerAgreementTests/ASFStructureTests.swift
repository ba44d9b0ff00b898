// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of an ASF file")
struct ASFStructureTests {
    private typealias Kind = ASFObject.Kind

    private static let packetSize = 120

    private static func number(_ value: Int, size: Int = 4) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The bytes of an identifier, whose first three numbers are little-endian.
    private static func identifier(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { $0 != "-" })
        let bytes = stride(from: 0, to: 32, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
        return bytes[..<4].reversed() + bytes[4..<6].reversed() + bytes[6..<8].reversed() + bytes[8...]
    }

    private static func object(_ kind: ASFObject.Kind, _ content: [UInt8]) -> [UInt8] {
        identifier(kind.rawValue) + number(content.count + 24, size: 8) + content
    }

    private static func fileProperties(flags: Int = 2, least: Int = packetSize, most: Int = packetSize) -> [UInt8] {
        let head = [UInt8](repeating: 0, count: 64)
        return object(.fileProperties, head + number(flags) + number(least) + number(most) + number(0))
    }

    private static let pictures = "BC19EFC0-5B4D-11CF-A8FD-00805F5C442B"
    private static let sound = "F8699E40-5B4D-11CF-A8FD-00805F5C442B"

    /// - Parameter size: the size of the format by its own account; it has 40 bytes.
    private static func stream(
        _ flags: Int, _ kind: String = pictures, width: Int = 16, size: Int = 40, whole: Int = 51
    ) -> [UInt8] {
        let times = [UInt8](repeating: 0, count: 24)
        let sizes: [UInt8] = number(whole) + number(0)
        let head: [UInt8] = identifier(kind) + times + sizes + number(flags, size: 2) + number(0)
        let window: [UInt8] = number(width) + number(8) + [2] + number(40, size: 2)
        let format: [UInt8] = window + number(size) + number(16) + number(8)
        return object(.streamProperties, head + format + [UInt8](repeating: 0, count: 28))
    }

    private static func `extension`(_ objects: [[UInt8]]) -> [UInt8] {
        let content = objects.flatMap { $0 }
        return object(.headerExtension, [UInt8](repeating: 0, count: 18) + number(content.count) + content)
    }

    private static func header(_ objects: [[UInt8]]) -> [UInt8] {
        object(.header, number(objects.count) + [1, 2] + objects.flatMap { $0 })
    }

    /// A piece of a frame, by its stream, its frame, its place in the frame and the size of the frame.
    private typealias Piece = (stream: UInt8, frame: UInt8, place: Int, length: Int, size: Int)

    private static func packet(_ pieces: [Piece]) -> [UInt8] {
        let content: [UInt8] = pieces.flatMap { piece -> [UInt8] in
            let place: [UInt8] = [piece.stream] + number(Int(piece.frame)) + number(piece.place)
            let head: [UInt8] = [8] + number(piece.size) + number(0) + number(piece.length, size: 2)
            return place + head + [UInt8](repeating: 7, count: piece.length)
        }
        let used = 5 + 1 + 6 + 1 + content.count
        let padding = UInt8(packetSize - used)
        let head: [UInt8] = [0x82, 0, 0, 9, 0x7D, padding] + number(0, size: 6) + [UInt8(0x80 | pieces.count)]
        return head + content + [UInt8](repeating: 0, count: Int(padding))
    }

    private static let plainHeader = header([fileProperties(), stream(1), stream(2, sound)])
    private static let plainPackets = [packet([(1, 0, 0, 20, 30), (2, 0, 0, 9, 9)]), packet([(1, 0, 20, 10, 30)])]

    private static func data(_ packets: [[UInt8]]) -> [UInt8] {
        object(.data, [UInt8](repeating: 0, count: 26) + packets.flatMap { $0 })
    }

    private static func structure(_ bytes: [UInt8]) throws -> ASFStructure {
        try ASFStructure(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    private static func hasDisagreement(
        _ header: [UInt8] = plainHeader, _ packets: [[UInt8]] = plainPackets, behind rest: [UInt8] = []
    ) throws -> Bool {
        try structure(header + data(packets) + rest).hasDisagreement
    }

    @Test("A header, packets of whole frames and indexes are plain, also when the file is cut off")
    func plain() throws {
        #expect(try !Self.hasDisagreement())
        #expect(try !Self.hasDisagreement(behind: Self.object(.simpleIndex, [1, 2, 3])))
        let whole = Self.plainHeader + Self.data(Self.plainPackets)
        #expect(try !Self.structure(whole.dropLast(Self.packetSize + 5)).hasDisagreement)
        let extended = Self.object(
            .extendedStreamProperties, [UInt8](repeating: 0, count: 64) + Self.stream(1))
        #expect(
            try !Self.hasDisagreement(
                Self.header([Self.fileProperties(), Self.extension([extended]), Self.stream(2, Self.sound)])))
    }

    @Test("Objects that are missing, come twice, are unknown or stand elsewhere are noticed")
    func objects() throws {
        let (file, stream) = (Self.fileProperties(), Self.stream(1))
        let script = Self.identifier("1EFB1A30-0B62-11D0-A39B-00A0C90348F6") + Self.number(24, size: 8)
        let headers = [
            [stream], [file], [file, file, stream], [file, stream, stream], [file, stream, script],
            [file, stream, Self.object(.data, [])], [file, stream, Self.extension([Self.stream(2)])],
            [file, stream, Self.extension([]), Self.extension([])],
        ]
        for objects in headers { #expect(try Self.hasDisagreement(Self.header(objects)), "\(objects.count)") }
        #expect(try Self.hasDisagreement(behind: Self.data(Self.plainPackets)))
        #expect(try Self.hasDisagreement(behind: [1, 2, 3]))
    }

    @Test("Streams that are encrypted or of another kind, and two sizes, are noticed")
    func streams() throws {
        let image = "B61BE100-5B4E-11CF-A8FD-00805F5C442B"
        for stream in [
            Self.stream(0x8001), Self.stream(0), Self.stream(1, image), Self.stream(1, width: 17),
            Self.stream(1, size: 39), Self.stream(1, size: 44), Self.stream(1, whole: 47), Self.stream(1, whole: 55),
        ] {
            #expect(try Self.hasDisagreement(Self.header([Self.fileProperties(), stream, Self.stream(2, Self.sound)])))
        }
        for file in [
            Self.fileProperties(flags: 3), Self.fileProperties(most: 200), Self.fileProperties(least: 0, most: 0),
        ] {
            #expect(try Self.hasDisagreement(Self.header([file, Self.stream(1), Self.stream(2, Self.sound)])))
        }
    }

    @Test("Pieces that leave a gap, overlap, end early or belong to no stream are noticed")
    func pieces() throws {
        let packets: [[Piece]] = [
            [(1, 0, 0, 20, 30), (1, 0, 21, 9, 30)], [(1, 0, 0, 20, 30), (1, 0, 19, 11, 30)],
            [(1, 0, 0, 20, 30), (1, 1, 0, 9, 9)], [(1, 0, 0, 20, 30), (1, 1, 20, 10, 30)],
            [(1, 0, 0, 20, 30), (1, 0, 20, 10, 31)], [(1, 0, 0, 31, 30)], [(1, 0, 5, 5, 30)], [(3, 0, 0, 9, 9)],
        ]
        for pieces in packets {
            #expect(try Self.hasDisagreement(Self.plainHeader, [Self.packet(pieces)]), "\(pieces)")
        }
        #expect(try Self.hasDisagreement(Self.plainHeader, [Self.plainPackets[0].dropLast() + [0, 0]]))
        #expect(try Self.hasDisagreement(Self.plainHeader, [[0x42] + Self.plainPackets[0].dropFirst()]))
    }

    @Test("A file of sound alone is known as such, and pictures among attributes are counted")
    func soundAlone() throws {
        let attribute = Self.object(.extendedDescription, Array("WM/Picture".utf8).flatMap { [$0, 0] })
        let header = Self.header([Self.fileProperties(), Self.stream(2, Self.sound), attribute])
        let structure = try Self.structure(header + Self.data([Self.packet([(2, 0, 0, 9, 9)])]))
        #expect(structure.hasSoundOnly && !structure.hasDisagreement && structure.coverCount == 1)
        #expect(try !Self.structure(Self.plainHeader + Self.data(Self.plainPackets)).hasSoundOnly)
    }

    @Test("Mutated files end without a crash")
    func mutations() throws {
        let whole = Self.plainHeader + Self.data(Self.plainPackets)
        for place in whole.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                _ = try Self.structure(bytes)
            }
        }
    }
}
