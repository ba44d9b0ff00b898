// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Pages of an Ogg file")
struct OggPagesTests {
    private static func page(_ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
        let segments = content.count / 255 + 1
        let sizes = (0..<segments).map { UInt8(min(255, content.count - 255 * $0)) }
        return Array("OggS".utf8) + [version, 2] + [UInt8](repeating: 0, count: 20) + [UInt8(segments)] + sizes
            + content
    }

    private static func areNested(_ pages: [UInt8]...) throws -> Bool {
        try OggPages.areNested(in: InputFile(SealedMemory.copying(Array(pages.joined())).descriptor))
    }

    private static let small = page([1, 2, 3])

    @Test("Ogg pages that follow each other are not nested, also behind other bytes")
    func plain() throws {
        let long = Self.page([UInt8](repeating: 7, count: 65_000))
        #expect(try !Self.areNested(Self.small, long, long, long, long, long, Self.small))
        #expect(try !Self.areNested(Self.small, [9, 9, 9], Self.small))
    }

    @Test("An Ogg page that lies in another is nested, wherever it is", arguments: [0, 100, 250_000, 262_130, 300_000])
    func nested(place: Int) throws {
        let outer = Self.page([UInt8](repeating: 7, count: 400) + Self.small)
        let filling = [UInt8](repeating: 9, count: place)
        #expect(try Self.areNested(Self.small, filling, outer, Self.small))
        // A page of another version is no page of Ogg.
        let like = Self.page([UInt8](repeating: 7, count: 400) + Self.page([1], version: 1))
        #expect(try !Self.areNested(Self.small, filling, like, Self.small))
    }
}
