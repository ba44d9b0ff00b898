// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Tables of programs in transport streams")
struct ProgramTablesTests {
    /// A table section with its length and its checksum.
    private static func section(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 9
        var bytes = [kind, 0xB0 | UInt8(length >> 8), UInt8(length & 255), 0, 1, 0xC1, 0, 0] + content
        let sum = TransportTables.checksum(of: Data(bytes))
        bytes += [24, 16, 8, 0].map { UInt8(sum >> $0 & 255) }
        return bytes
    }

    private static let programs = section(0, [0, 1, 0xF0, 0])

    /// A program map table of streams from identifier 0x100 on, each with a kind and descriptors.
    private static func streams(_ kinds: [(UInt8, [UInt8])]) -> [UInt8] {
        section(
            2,
            [0xE1, 0, 0xF0, 0]
                + kinds.enumerated().flatMap { number, stream in
                    [stream.0, 0xE1, UInt8(number), 0xF0, UInt8(stream.1.count)] + stream.1
                })
    }

    /// The transport packets that carry a section.
    private static func packets(_ section: [UInt8], at identifier: Int) -> [UInt8] {
        var packets: [UInt8] = []
        var rest = [0] + section
        var begins = true
        while !rest.isEmpty {
            let flags = UInt8(identifier >> 8) | (begins ? 0x40 : 0)
            let part = rest.prefix(184)
            packets += [0x47, flags, UInt8(identifier & 255), 0x10] + part
            packets += [UInt8](repeating: 0xFF, count: 184 - part.count)
            rest = Array(rest.dropFirst(184))
            begins = false
        }
        return packets
    }

    private static let padding = (0..<8).flatMap { _ in packets([UInt8](repeating: 1, count: 150), at: 0x1FFE) }

    private static func file(_ tables: [UInt8]...) -> [UInt8] {
        packets(programs, at: 0) + tables.flatMap { padding + packets($0, at: 0x1000) } + padding
    }

    private static func tables(_ bytes: [UInt8], step: Int = .max) -> ProgramTables {
        var tables = ProgramTables()
        for start in stride(from: 0, to: bytes.count, by: min(step, bytes.count)) {
            tables.add(Array(bytes[start..<min(bytes.count, start + min(step, bytes.count))]))
        }
        tables.finish()
        return tables
    }

    private static let plain = streams([(0x1B, []), (0x0F, [])])
    private static let changed = streams([(0x02, []), (0x0F, [])])
    private static let long = streams(
        [(0x02, [UInt8](repeating: 0, count: 200)), (0x0F, [UInt8](repeating: 0, count: 200))])

    @Test("A stream of pictures that is of another kind in a later table is noticed, and repeated tables are not")
    func changes() {
        #expect(Self.tables(Self.file(Self.plain, Self.plain)).disagreement == nil)
        #expect(Self.tables(Self.file(Self.plain, Self.changed)).disagreement == .changedCodec)
        #expect(Self.tables(Self.file(Self.changed, Self.plain, Self.changed)).disagreement == .changedCodec)
        #expect(Self.tables(Self.file(Self.plain, Self.long)).disagreement == .changedCodec)
        #expect(Self.tables(Self.file(Self.streams([(0x0F, [])]), Self.plain)).disagreement == .changedCodec)
    }

    @Test("A stream of sound or data may change its kind")
    func sound() {
        let other = Self.streams([(0x1B, []), (0x06, [5, 4] + Array("AC-3".utf8))])
        #expect(Self.tables(Self.file(Self.plain, other, Self.plain)).disagreement == nil)
    }

    @Test("Padding and data among the packets of pictures are noticed, and pictures and data of other streams are not")
    func otherPackets() {
        func disagreement(_ identifier: UInt8, at packet: Int) -> Disagreement? {
            // The packet of the section has a pointer of 0, which the start code continues.
            let content = Self.packets([0, 1, identifier, 0, 4, 0x80, 0, 0, 1], at: packet)
            return Self.tables(Self.file(Self.plain) + content + Self.padding).disagreement
        }
        for identifier: UInt8 in [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF] {
            #expect(disagreement(identifier, at: 0x100) == .contradiction, "\(identifier)")
            #expect(disagreement(identifier, at: 0x101) == nil, "\(identifier)")
        }
        for identifier: UInt8 in [0xE0, 0xEF, 0xFD, 0xBD] {
            #expect(disagreement(identifier, at: 0x100) == nil, "\(identifier)")
        }
    }

    @Test("A stream of pictures that FFmpeg does not know is noticed")
    func unknown() {
        #expect(Self.tables(Self.file(Self.streams([(0x1B, []), (0x33, [])]))).disagreement == .unknownStream)
        #expect(Self.tables(Self.file(Self.streams([(0x1B, []), (0xA0, [])]))).disagreement == .unknownStream)
        let private1 = Self.streams([(0x1B, []), (0x06, [9, 1, 0, 5, 4] + Array("AV01".utf8))])
        #expect(Self.tables(Self.file(private1)).disagreement == .unknownStream)
    }

    @Test("Tables are read wherever the pieces of the file end, behind damage, and with a time before each packet")
    func pieces() {
        let file = Self.file(Self.plain, Self.long)
        for step in [1, 7, 187, 188, 189, 1000] { #expect(Self.tables(file, step: step).disagreement == .changedCodec) }
        let damaged = Self.file(Self.plain) + [UInt8](repeating: 0x47, count: 77) + Self.file(Self.changed)
        #expect(Self.tables(damaged).disagreement == .changedCodec)
        let timed = stride(from: 0, to: file.count, by: 188).flatMap { [1, 2, 3, 4] + file[$0..<($0 + 188)] }
        #expect(Self.tables(timed).disagreement == .changedCodec)
        let last = Self.packets(Self.programs, at: 0) + Self.padding + Self.packets(Self.plain, at: 0x1000)
        #expect(Self.tables(last + Self.padding + Self.packets(Self.changed, at: 0x1000)).disagreement == .changedCodec)
    }

    @Test("A damaged table says nothing, and no change of a byte ends the reading")
    func damage() {
        let file = Self.file(Self.plain, Self.plain)
        for index in file.indices.filter({ $0 % 188 < 40 }) {
            for value in [0, 1, 0x47, 0xFF] as [UInt8] {
                var changed = file
                changed[index] = value
                _ = Self.tables(changed)
            }
        }
        var wrong = Self.packets(Self.changed, at: 0x1000)
        wrong[20] ^= 1
        #expect(Self.tables(Self.file(Self.plain) + wrong + Self.padding).disagreement == nil)
    }
}
