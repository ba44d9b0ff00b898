// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The index of an FLV file")
struct FLVIndexTests {
    private static func tag(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = content.count
        let head: [UInt8] = [kind, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
        return head + [UInt8](repeating: 0, count: 7) + content + [0, 0, 0, UInt8(size + 11)]
    }

    private static func header(offset: UInt8) -> [UInt8] {
        Array("FLV".utf8) + [1, 5, 0, 0, 0, offset] + [UInt8](repeating: 0, count: Int(offset) - 9 + 4)
    }

    private static func leadsToTags(at positions: Set<Int>, _ parts: [UInt8]...) throws -> Bool {
        try FLVIndex.leadsToTags(at: positions, in: InputFile(SealedMemory.copying(Array(parts.joined())).descriptor))
    }

    private static let (script, hidden): ([UInt8], [UInt8]) = (tag(18, [2, 0, 0]), tag(9, [0x17, 1, 0, 0, 0]))

    @Test("An FLV index leads to tags, or behind the end of the file", arguments: [9, 20] as [UInt8])
    func honest(offset: UInt8) throws {
        let (first, size) = (Int(offset) + 4, Self.script.count)
        let parts = (Self.header(offset: offset), Self.script, Self.hidden, Self.hidden)
        let behind = first + size + 2 * Self.hidden.count
        for positions in [[], [first], [first + size, first + size + Self.hidden.count], [behind, behind + 1]] as [Set]
        {
            #expect(try Self.leadsToTags(at: positions, parts.0, parts.1, parts.2, parts.3), "\(positions)")
        }
    }

    @Test("An FLV index that leads into a tag, or before the first, misleads")
    func misled() throws {
        let (header, outer) = (Self.header(offset: 9), Self.tag(18, Self.hidden))
        #expect(try !Self.leadsToTags(at: [13, 24], header, outer, Self.hidden))
        #expect(try !Self.leadsToTags(at: [13 + outer.count + 1], header, outer, Self.hidden))
        #expect(try !Self.leadsToTags(at: [0], header, outer, Self.hidden))
        #expect(try !Self.leadsToTags(at: [-1], header, outer, Self.hidden))
        #expect(try Self.leadsToTags(at: [13, 13 + outer.count], header, outer, Self.hidden))
    }

    @Test("The index of an FLV file without tags leads nowhere")
    func empty() throws {
        #expect(try Self.leadsToTags(at: [], Self.header(offset: 9)))
        #expect(try !Self.leadsToTags(at: [4], Array("FLV".utf8) + [1, 5]))
    }
}
