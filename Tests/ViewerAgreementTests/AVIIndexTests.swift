// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The index of an AVI file")
struct AVIIndexTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = (0..<4).map { UInt8(content.count >> (8 * $0) & 255) }
        return Array(name.utf8) + size + content + [UInt8](repeating: 0, count: content.count & 1)
    }

    private static func list(_ name: String, _ chunks: [UInt8]...) -> [UInt8] {
        chunk("LIST", Array(name.utf8) + chunks.joined())
    }

    private static let frame = chunk("00dc", [1, 2, 3])
    private static let hidden = chunk("JUNK", frame)
    /// A header, and a list of a frame, a filling chunk with a hidden frame, and another frame.
    private static let file =
        chunk("RIFF", Array("AVI ".utf8) + list("hdrl", chunk("avih", [0, 0])) + list("movi", frame, hidden, frame))
    private static let first = 12 + 22 + 12

    private static func leads(to positions: Set<Int>) throws -> Bool {
        try AVIIndex.leadsToChunks(at: positions, in: InputFile(SealedMemory.copying(file).descriptor))
    }

    @Test("An AVI index leads to chunks, or behind the end of the file")
    func honest() throws {
        let last = Self.first + Self.frame.count + Self.hidden.count
        for positions in [[], [Self.first], [Self.first, last], [last, Self.file.count, Self.file.count + 9]] as [Set] {
            #expect(try Self.leads(to: positions), "\(positions)")
        }
    }

    @Test("An AVI index that leads into a chunk, before the first, or to the headers misleads")
    func misled() throws {
        for position in [Self.first + Self.frame.count + 8, Self.first + 1, 24, 0, -1] {
            #expect(try !Self.leads(to: [position]), "\(position)")
        }
    }
}
