// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CJPEGShims
import CPixelLoops
import Foundation
import TestSupport
import Testing

/// FFmpeg wraps levels that libjpeg-turbo cuts off, as docs/viewers/jpeg.md describes.
@Suite("Levels of a JPEG file far beyond black and white")
struct JPEGLevelsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let bands: Int32
        /// The number of the quantization table that is multiplied; the second table changes only colours.
        let table: UInt8
        let factor: Int
        let isFound: Bool

        var testDescription: String { "\(file), table \(table), \(factor) times the contrast" }
    }

    private static let cases = [
        Case(file: "plain/plain.jpg", bands: 3, table: 0, factor: 1, isFound: false),
        Case(file: "plain/plain.jpg", bands: 3, table: 0, factor: 2, isFound: false),
        Case(file: "plain/plain.jpg", bands: 3, table: 0, factor: 16, isFound: true),
        Case(file: "plain/plain.jpg", bands: 3, table: 1, factor: 32, isFound: true),
        Case(file: "plain/progressive.jpg", bands: 3, table: 0, factor: 16, isFound: true),
        Case(file: "colour/grey.jpg", bands: 1, table: 0, factor: 1, isFound: false),
        Case(file: "colour/grey.jpg", bands: 1, table: 0, factor: 16, isFound: true),
        Case(file: "colour/cmyk.jpg", bands: 4, table: 0, factor: 1, isFound: false),
        Case(file: "colour/cmyk.jpg", bands: 4, table: 0, factor: 16, isFound: true),
    ]

    @Test(
        "Levels far beyond black and white are found in every component, and ordinary levels are not", arguments: cases,
        [false, true])
    func levels(of each: Case, sharesColours: Bool) throws {
        let data = try Data(contentsOf: TestFiles.fixtures.appendingPathComponent(each.file))
        let changed = try Self.multiplied(data, table: each.table, by: each.factor)
        #expect(try Self.hasLevelsBeyond(changed, bands: each.bands, sharesColours: sharesColours) == each.isFound)
    }

    @Test("Levels whose sum is too large for 32 bits are found")
    func largeSums() {
        // The true sum is 64 times 2 to the power of 27, which overflows 32 bits to 0.
        let values = [Int16](repeating: 4096, count: 64)
        let factors = [UInt16](repeating: 32_768, count: 64)
        #expect(unsafe CPixelLoops_bounded_length(values, factors, 64, 3024) == 64 * 3024)
        #expect(unsafe CPixelLoops_bounded_length([-32_768, 3], [65_535, 5], 2, 3024) == 3024 + 15)
    }

    /// Returns the picture with more contrast: the factors of a table are multiplied, and have two bytes each.
    private static func multiplied(_ data: Data, table: UInt8, by factor: Int) throws -> Data {
        var bytes = [UInt8](data)
        var place = 2
        while bytes[place + 1] != 0xDA {
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            if bytes[place + 1] == 0xDB, bytes[place + 4] == table {
                try #require(length == 67)
                let factors = bytes[(place + 5)..<(place + 69)].flatMap { value -> [UInt8] in
                    let wide = Int(value) * factor
                    return [UInt8(wide >> 8), UInt8(wide & 0xFF)]
                }
                bytes.replaceSubrange((place + 2)..<(place + 69), with: [0, 131, 0x10 | table] + factors)
                return Data(bytes)
            }
            place += 2 + length
        }
        throw CocoaError(.fileReadCorruptFile)
    }

    private static func hasLevelsBeyond(_ data: Data, bands: Int32, sharesColours: Bool) throws -> Bool {
        let shape = try Self.shape(of: data, bands: bands)
        return try TestFiles.withTemporaryFile(data) { handle in
            var message = [CChar](repeating: 0, count: Int(CJPEGSHIMS_MESSAGE_SIZE))
            var sharing = CJPEGShims_not_shared
            let take = unsafe CJPEGShims_TakeRows(
                row: { _, _ in }, shared_row: sharesColours ? { _, _ in } : nil)
            let status = unsafe CJPEGShims_decode(
                handle.fileDescriptor, 0, shape, 1, take, nil, &sharing, &message)
            try #require(status >= 0)
            return status == 1
        }
    }

    /// Returns the shape that the frame header states.
    private static func shape(of data: Data, bands: Int32) throws -> CJPEGShims_Shape {
        let bytes = [UInt8](data)
        var place = 2
        while ![0xC0, 0xC2].contains(bytes[place + 1]) {
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
        return CJPEGShims_Shape(
            width: Int32(bytes[place + 7]) << 8 | Int32(bytes[place + 8]),
            height: Int32(bytes[place + 5]) << 8 | Int32(bytes[place + 6]), bands: bands)
    }
}
