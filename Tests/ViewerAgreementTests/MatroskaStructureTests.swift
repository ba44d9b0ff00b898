// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of Matroska files")
struct MatroskaStructureTests {
    /// An element; `isOpen` gives it an unknown size.
    private static func element(_ identifier: [UInt8], _ content: [UInt8], isOpen: Bool = false) -> [UInt8] {
        let size: [UInt8] =
            isOpen
            ? [0x01] + [UInt8](repeating: 0xFF, count: 7)
            : [0x40 | UInt8(content.count >> 8), UInt8(content.count & 255)]
        return identifier + size + content
    }

    private static let header = element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x86, 0x81, 1])
    private static let tracks = element([0x16, 0x54, 0xAE, 0x6B], [0xAE, 0x81, 0])
    private static let block = element([0xA3], [0x81, 0, 0, 0x80, 1, 2, 3])

    private static func file(isOpen: Bool, trackCount: Int = 1) -> [UInt8] {
        let described = (0..<trackCount).flatMap { _ in tracks }
        let cluster = element([0x1F, 0x43, 0xB6, 0x75], block + block, isOpen: isOpen)
        return header + element([0x18, 0x53, 0x80, 0x67], described + cluster + cluster, isOpen: isOpen)
    }

    private static func isJoined(_ bytes: [UInt8]) throws -> Bool {
        try MatroskaStructure(InputFile(SealedMemory.copying(bytes).descriptor)).isJoined
    }

    @Test("One Matroska file is told from two, with sizes and without")
    func joined() throws {
        for isOpen in [false, true] {
            #expect(try !Self.isJoined(Self.file(isOpen: isOpen)))
            #expect(try Self.isJoined(Self.file(isOpen: isOpen, trackCount: 2)))
            for isSecondOpen in [false, true] {
                #expect(try Self.isJoined(Self.file(isOpen: isOpen) + Self.file(isOpen: isSecondOpen)))
                let damaged = Self.file(isOpen: isOpen) + [0, 1, 2, 3, 0x80] + Self.file(isOpen: isSecondOpen)
                #expect(try Self.isJoined(damaged))
            }
        }
    }

    @Test("Files that end anywhere, and other bytes behind them, are not called joined")
    func ends() throws {
        for isOpen in [false, true] {
            let file = Self.file(isOpen: isOpen)
            for count in 1...file.count { #expect(try !Self.isJoined(Array(file.prefix(count)))) }
            #expect(try !Self.isJoined(file + [UInt8](repeating: 0, count: 1000)))
        }
    }

    @Test("An index has to lead to clusters, and a list of elements to an index")
    func index() throws {
        let cluster = Self.element([0x1F, 0x43, 0xB6, 0x75], Self.block)
        let void = Self.element([0xEC], cluster)
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
        func cues(_ positions: [Int]) -> [UInt8] {
            let points = positions.map { position in
                Self.element([0xBB], Self.element([0xB7], Self.element([0xF1], number(position))))
            }
            return Self.element([0x1C, 0x53, 0xBB, 0x6B], points.flatMap(\.self))
        }
        func list(_ position: Int) -> [UInt8] {
            let names = Self.element([0x53, 0xAB], [0x1C, 0x53, 0xBB, 0x6B])
            let entry = Self.element([0x4D, 0xBB], names + Self.element([0x53, 0xAC], number(position)))
            return Self.element([0x11, 0x4D, 0x9B, 0x74], entry)
        }
        func hasDisagreement(_ content: [UInt8]) throws -> Bool {
            let bytes = Self.header + Self.element([0x18, 0x53, 0x80, 0x67], content)
            return try MatroskaStructure(InputFile(SealedMemory.copying(bytes).descriptor)).hasDisagreement
        }
        let start = Self.tracks + cluster + void + cluster
        let places = (Self.tracks.count, start.count - cluster.count, start.count)
        #expect(try !hasDisagreement(start))
        #expect(try !hasDisagreement(start + cues([places.0, places.1])))
        // These cues lead to the cluster inside the void element, and to bytes that begin no cluster.
        #expect(try hasDisagreement(start + cues([places.0, places.0 + cluster.count + 3])))
        for position in [0, places.1 + 1, places.2] { #expect(try hasDisagreement(start + cues([position]))) }
        // Positions behind the end of the file occur in a file that was cut off.
        #expect(try !hasDisagreement(start + cues([65_535])))
        #expect(try !hasDisagreement(start + cues([places.0]) + list(places.2)))
        #expect(try hasDisagreement(start + cues([places.0]) + list(places.0 + cluster.count + 3)))
    }

    @Test("No change of one byte ends the reading")
    func changes() throws {
        for isOpen in [false, true] {
            let file = Self.file(isOpen: isOpen) + Self.file(isOpen: !isOpen)
            for index in file.indices {
                for value in [0, 1, 0x80, 0xFF] as [UInt8] {
                    var changed = file
                    changed[index] = value
                    _ = try Self.isJoined(changed)
                }
            }
        }
    }
}
