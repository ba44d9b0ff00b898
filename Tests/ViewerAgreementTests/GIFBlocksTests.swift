// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("The blocks of a GIF file")
struct GIFBlocksTests {
    static func length(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    /// Returns a table of 2, 4, … or 256 colours, and the flags that announce it.
    static func colours(_ size: Int?) -> (flags: UInt8, table: [UInt8]) {
        guard let size else { return (0, []) }
        // Each byte is the introducer of a picture, so a parser that does not skip the table finds pictures.
        return (0x80 | UInt8(size), [UInt8](repeating: 0x2C, count: 3 * (2 << size)))
    }

    static func head(width: Int = 100, height: Int = 50, colours size: Int? = 1) -> [UInt8] {
        let colours = colours(size)
        return Array("GIF89a".utf8) + length(width) + length(height) + [colours.flags, 0, 0] + colours.table
    }

    static func picture(
        left: Int = 0, top: Int = 0, width: Int = 10, height: Int = 10, colours size: Int? = nil,
        data: [[UInt8]] = [[0x44, 0x01]]
    ) -> [UInt8] {
        let colours = colours(size)
        return [0x2C] + length(left) + length(top) + length(width) + length(height) + [colours.flags] + colours.table
            + [2] + data.flatMap { [UInt8($0.count)] + $0 } + [0]
    }

    static let control: [UInt8] = [0x21, 0xF9, 4, 8, 10, 0, 0, 0]
    static let comment: [UInt8] = [0x21, 0xFE, 3, 0x2C, 0x2C, 0x3B, 0]
    static let end: [UInt8] = [0x3B]

    static func blocks(_ bytes: [UInt8]) throws -> GIFBlocks {
        try GIFBlocks(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    /// Whether the decoder refuses the file as malformed.
    static func isMalformed(_ bytes: [UInt8]) throws -> Bool {
        do {
            _ = try blocks(bytes)
            return false
        } catch let failure as DecodingFailure {
            return failure.reason == .malformed && failure.format == .gif
        }
    }

    @Test("The pictures of a GIF file are counted, and not what looks like them in other blocks")
    func count() throws {
        #expect(try Self.blocks(Self.head() + Self.end).pictureCount == 0)
        let mixed =
            Self.head() + Self.comment + Self.control + Self.picture() + Self.comment + Self.picture() + Self.end
        #expect(try Self.blocks(mixed).pictureCount == 2)
    }

    @Test("Two controls before a picture are ambiguous where they differ in more than the time")
    func twoControls() throws {
        func isAmbiguous(_ second: [UInt8]) -> Bool {
            let controls = Self.control + Self.comment + [0x21, 0xF9, 4] + second + [0]
            return Self.isAmbiguous(Self.head() + controls + Self.picture() + Self.end)
        }
        #expect(!isAmbiguous([8, 10, 0, 0]))
        #expect(!isAmbiguous([8, 99, 1, 0]))
        #expect(isAmbiguous([9, 10, 0, 0]))
        #expect(isAmbiguous([4, 10, 0, 0]))
        #expect(isAmbiguous([8, 10, 0, 1]))
        let other = [0x21, 0xF9, 4, 4, 10, 0, 0, 0] as [UInt8]
        let each = Self.head() + Self.control + Self.picture() + other + Self.picture() + Self.end
        #expect(!Self.isAmbiguous(each))
    }

    @Test("Tables of colours of every size are skipped", arguments: 0..<8)
    func colourTables(size: Int) throws {
        let file = Self.head(colours: size) + Self.picture(colours: 7 - size) + Self.picture() + Self.end
        #expect(try Self.blocks(file).pictureCount == 2)
    }

    @Test(
        arguments: [[], [0, 0, 0]] as [[UInt8]],
        [Self.picture(), Self.control + Self.picture(), Self.head(), [0xFF] + Self.head()])
    func `A GIF file with blocks or a picture behind its end holds several pictures`(filling: [UInt8], rest: [UInt8])
        throws
    {
        let file = Self.head() + Self.picture() + Self.end
        #expect(try Self.blocks(file + filling + [0xFF]).pictureCount == 1)
        #expect {
            try Self.blocks(file + filling + rest)
        } throws: { ($0 as? DecodingFailure)?.reason == .inseparablePictures }
    }

    @Test(
        "A way of disposal without a meaning is ambiguous, unless no picture follows",
        arguments: 0...7 as ClosedRange<UInt8>)
    func unknownDisposal(way: UInt8) throws {
        let control: [UInt8] = [0x21, 0xF9, 4, way << 2, 10, 0, 0, 0]
        let first = Self.head() + control + Self.picture()
        #expect(Self.isAmbiguous(first + Self.picture() + Self.end) == (way > 4))
        #expect(try Self.blocks(first + Self.end).pictureCount == 1)
    }

    @Test("The ways in which pictures are taken away are found, but that of the last picture")
    func disposals() throws {
        let file = Self.head() + Self.control + Self.picture() + Self.comment + Self.control + Self.picture() + Self.end
        let blocks = try Self.blocks(file)
        let kept = try #require(try blocks.renderings().dropFirst().first ?? nil)
        #expect(kept.replacements.map(\.position) == [Self.head().count + 3])
        #expect(kept.replacements.map(\.bytes) == [[Self.control[3] & 0xE3 | 4]])
    }

    /// Returns the changes of each rendering: the replaced bytes by position, and the position of the insertion.
    static func renderings(
        _ parts: [UInt8]...
    ) throws -> [(replaced: [Int: [UInt8]], inserted: Int?)] {
        try blocks(Array(parts.joined())).renderings().compactMap { $0 }.map { part in
            (Dictionary(part.replacements.map { ($0.position, $0.bytes) }) { $1 }, part.insertion?.position)
        }
    }

    static let whole = picture(width: 100, height: 50)
    static let transparentControl: [UInt8] = [0x21, 0xF9, 4, 9, 10, 0, 1, 0]

    @Test("The place of an opaque picture that is taken away is also shown empty, unless the next picture covers it")
    func clearing() throws {
        let start = Self.head().count
        let renderings = try Self.renderings(
            Self.head(), Self.control, Self.whole, Self.transparentControl, Self.picture(), Self.end)
        #expect(renderings.map(\.replaced) == [[start + 3: [4]], [start + 3: [9], start + 6: [255]]])
        #expect(renderings.allSatisfy { $0.inserted == nil })
        for next in [Self.whole, Self.control + Self.whole] {
            #expect(try Self.renderings(Self.head(), Self.control, Self.whole, next, Self.end).count == 1)
        }
        let restored: [UInt8] = [0x21, 0xF9, 4, 12, 10, 0, 0, 0]
        #expect(try Self.renderings(Self.head(), Self.control, Self.whole, restored, Self.whole, Self.end).count == 2)
    }

    @Test("A screen of which something stays empty is also shown in the background's colour")
    func background() throws {
        let start = Self.head().count
        let files = [
            Self.control + Self.picture() + Self.picture(left: 20),
            Self.transparentControl + Self.picture() + Self.control + Self.whole,
            [0x21, 0xF9, 4, 5, 10, 0, 1, 0] + Self.whole + Self.transparentControl + Self.picture() + Self.control
                + Self.picture(),
        ]
        for file in files {
            #expect(try Self.renderings(Self.head(), file, Self.end).last?.inserted == start)
        }
        for file in [
            Self.whole + Self.control + Self.picture() + Self.picture(),
            Self.transparentControl + Self.whole + Self.transparentControl + Self.whole + Self.control + Self.whole,
            Self.picture() + Self.picture(left: 20),
        ] {
            #expect(try Self.renderings(Self.head(), file, Self.end).allSatisfy { $0.inserted == nil })
        }
        // There is no global table of colours, so the background has no colour.
        let own = Self.control + Self.picture(colours: 1) + Self.picture(left: 20, colours: 1)
        #expect(try Self.renderings(Self.head(colours: nil), own, Self.end).allSatisfy { $0.inserted == nil })
        #expect(try Self.blocks(Self.head() + Self.picture() + Self.end).renderings().count == 1)
    }

    @Test(
        "A filling of one colour has as many pixels as the screen",
        arguments: [(1, 1), (2, 1), (3, 1), (16, 16), (255, 255), (300, 300), (1920, 1080), (4000, 3000), (65_535, 3)])
    func filling(width: Int, height: Int) throws {
        let bytes = GIFFilling(width: width, height: height, number: 200).bytes
        let file = Self.head(width: width, height: height, colours: 7) + bytes + Self.end
        let blocks = try Self.blocks(file)
        #expect(blocks.pictureCount == 1 && !blocks.hasPictureOutside)
        // The data begins behind the control, the description and the size of the first code.
        var data: [UInt8] = []
        var position = 19
        while bytes[position] > 0 {
            data += bytes[(position + 1)...(position + Int(bytes[position]))]
            position += Int(bytes[position]) + 1
        }
        #expect(position == bytes.count - 1)
        #expect(Self.pixelCount(data, number: 200) == width * height)
    }

    /// Returns the number of pixels that the codes stand for; nil if a pixel has another number or a code is invalid.
    ///
    /// Source: GIF89a specification, appendix F.
    static func pixelCount(_ data: [UInt8], number: Int) -> Int? {
        var (lengths, size, count, previous): ([Int], Int, Int, Int?) = ([], 9, 0, nil)
        var (bits, bitCount) = (0, 0)
        for byte in data {
            bits |= Int(byte) << bitCount
            bitCount += 8
            guard bitCount >= size else { continue }
            let code = bits & (1 << size - 1)
            (bits, bitCount) = (bits >> size, bitCount - size)
            switch code {
            case 256: (lengths, size, previous) = ([], 9, nil)
            case 257: return count
            default:
                let length: Int
                if code == number {
                    length = 1
                } else if code >= 258, code - 258 <= lengths.count, let previous {
                    length = code - 258 < lengths.count ? lengths[code - 258] : previous + 1
                } else {
                    return nil
                }
                if let previous, lengths.count + 258 < 4096 { lengths.append(previous + 1) }
                if lengths.count + 258 == 1 << size, size < 12 { size += 1 }
                count += length
                previous = length
            }
        }
        return nil
    }
}
