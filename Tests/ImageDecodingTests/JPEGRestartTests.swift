// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CJPEGShims
import Foundation
import TestSupport
import Testing

/// FFmpeg decodes some markers as data, as docs/viewers/jpeg.md describes.
@Suite("Bits before a restart marker of a JPEG file")
struct JPEGRestartTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The bytes of the first of four blocks: its codes, and the bits behind them.
        let first: [UInt8]
        var last: UInt8?
        let isFound: Bool
        let testDescription: String
    }

    /// A block has two bits in a picture of one scan, and one bit in a picture of several scans; all are zeros.
    private static let cases = [
        Case(first: [0b0011_1111], isFound: false, testDescription: "ones"),
        Case(first: [0b0000_0000], isFound: false, testDescription: "zeros"),
        Case(first: [0b0011_1110], isFound: true, testDescription: "ones and a zero"),
        Case(first: [0b0010_0000], isFound: true, testDescription: "a one and zeros"),
        Case(first: [0b0000_0001], isFound: true, testDescription: "zeros and a one"),
        Case(first: [0b0011_1111, 0b1111_1110], isFound: true, testDescription: "a byte more"),
        Case(first: [0b0011_1111, 0x7F, 0x7F, 0x7F, 0x7F], isFound: true, testDescription: "four bytes more"),
        Case(first: [0b0011_1111], last: 0b0010_1010, isFound: false, testDescription: "others behind the last block"),
    ]

    @Test("Bits before a restart marker are found where decoders differ about them", arguments: cases)
    func bits(of each: Case) throws {
        #expect(try Self.isDamaged(Self.picture(each, isProgressive: false)) == each.isFound)
    }

    @Test(arguments: cases.filter { $0.first != [0b0011_1111] })
    func `Bits before a restart marker are found in a picture of several scans`(of each: Case) throws {
        // In several scans, the codes of a block are one bit shorter, so the bits behind them begin one bit earlier.
        let first = each.first.enumerated().map {
            $0.offset == 0 && $0.element & 0x20 != 0 ? $0.element | 0x40 : $0.element
        }
        let scans = Case(first: first, last: each.last, isFound: each.isFound, testDescription: each.testDescription)
        #expect(try Self.isDamaged(Self.picture(scans, isProgressive: true)) == each.isFound)
    }

    /// Four grey blocks in a row, with restart markers between them.
    private static func picture(_ each: Case, isProgressive: Bool) -> Data {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(content.count + 2)] + content
        }
        // The table has one code, which has one bit and stands for the symbol 0.
        let table = [1] + [UInt8](repeating: 0, count: 16)
        var file: [UInt8] = [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(isProgressive ? 0xC2 : 0xC0, [8, 0, 8, 0, 32, 1, 1, 0x11, 0])
        file += segment(0xC4, [0x00] + table) + segment(0xC4, [0x10] + table) + segment(0xDD, [0, 1])
        file += segment(0xDA, [1, 1, 0, 0, isProgressive ? 0 : 63, 0])
        let ordinary: UInt8 = isProgressive ? 0x7F : 0x3F
        file += each.first + [0xFF, 0xD0, ordinary, 0xFF, 0xD1, ordinary, 0xFF, 0xD2, each.last ?? ordinary]
        return Data(file + [0xFF, 0xD9])
    }

    private static func isDamaged(_ data: Data) throws -> Bool {
        try TestFiles.withTemporaryFile(data) { handle in
            var message = [CChar](repeating: 0, count: Int(CJPEGSHIMS_MESSAGE_SIZE))
            var sharing = CJPEGShims_not_shared
            let status = unsafe CJPEGShims_decode(
                handle.fileDescriptor, 0, CJPEGShims_Shape(width: 32, height: 8, bands: 1), 1,
                CJPEGShims_TakeRows(row: { _, _ in }, shared_row: nil), nil, &sharing, &message)
            try #require(status >= 0)
            return status == 1
        }
    }
}
