// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import MediaInspection
import Testing

@testable import ImageDecoding

@Suite("The blocks of a GIF file")
struct GIFBlocksTests {
    private static func length(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    /// A table of 2, 4, … or 256 colours, and what says so.
    private static func colours(_ size: Int?) -> (flags: UInt8, table: [UInt8]) {
        guard let size else { return (0, []) }
        // An introducer of a picture in each place, so that a table that is not skipped is noticed.
        return (0x80 | UInt8(size), [UInt8](repeating: 0x2C, count: 3 * (2 << size)))
    }

    private static func head(width: Int = 100, height: Int = 50, colours size: Int? = 1) -> [UInt8] {
        let colours = colours(size)
        return Array("GIF89a".utf8) + length(width) + length(height) + [colours.flags, 0, 0] + colours.table
    }

    private static func picture(
        left: Int = 0, top: Int = 0, width: Int = 10, height: Int = 10, colours size: Int? = nil,
        data: [[UInt8]] = [[0x44, 0x01]]
    ) -> [UInt8] {
        let colours = colours(size)
        return [0x2C] + length(left) + length(top) + length(width) + length(height) + [colours.flags] + colours.table
            + [2] + data.flatMap { [UInt8($0.count)] + $0 } + [0]
    }

    private static let control: [UInt8] = [0x21, 0xF9, 4, 8, 10, 0, 0, 0]
    private static let comment: [UInt8] = [0x21, 0xFE, 3, 0x2C, 0x2C, 0x3B, 0]
    private static let end: [UInt8] = [0x3B]

    private static func blocks(_ bytes: [UInt8]) throws -> GIFBlocks {
        try GIFBlocks(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    /// Whether the file is refused as malformed.
    private static func isMalformed(_ bytes: [UInt8]) throws -> Bool {
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

    @Test("Tables of colours of every size are skipped", arguments: 0..<8)
    func colourTables(size: Int) throws {
        let file = Self.head(colours: size) + Self.picture(colours: 7 - size) + Self.picture() + Self.end
        #expect(try Self.blocks(file).pictureCount == 2)
    }

    @Test(
        "A GIF file with blocks or a picture behind its end holds several pictures",
        arguments: [[], [0, 0, 0]] as [[UInt8]],
        [Self.picture(), Self.control + Self.picture(), Self.head(), [0xFF] + Self.head()])
    func behindTheEnd(filling: [UInt8], rest: [UInt8]) throws {
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

    /// The changed bytes of a rendering: by their positions, or all at one position.
    private static func renderings(
        _ parts: [UInt8]...
    ) throws -> [(replaced: [Int: [UInt8]], inserted: Int?)] {
        try blocks(Array(parts.joined())).renderings().compactMap { $0 }.map { part in
            (Dictionary(part.replacements.map { ($0.position, $0.bytes) }) { $1 }, part.insertion?.position)
        }
    }

    private static let whole = picture(width: 100, height: 50)
    private static let transparentControl: [UInt8] = [0x21, 0xF9, 4, 9, 10, 0, 1, 0]

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
        // There is no colour of a background.
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
        // Behind the control, the description and the size of a code.
        var data: [UInt8] = []
        var position = 19
        while bytes[position] > 0 {
            data += bytes[(position + 1)...(position + Int(bytes[position]))]
            position += Int(bytes[position]) + 1
        }
        #expect(position == bytes.count - 1)
        #expect(Self.pixelCount(data, number: 200) == width * height)
    }

    /// The number of pixels that codes of 8-bit numbers stand for; nil where one of them is another number, or no code.
    ///
    /// Source: GIF89a specification, appendix F.
    private static func pixelCount(_ data: [UInt8], number: Int) -> Int? {
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

    @Test("A GIF file that is cut is whole between two blocks, and malformed anywhere else")
    func truncation() throws {
        let parts = [
            Self.head(colours: 1), Self.control, Self.picture(colours: 0), Self.comment,
            Self.picture(data: [[1, 2, 3], [4]]), Self.end,
        ]
        let file = Array(parts.joined())
        // How many pictures lie before each place at which a block ends.
        var pictures: [Int: Int] = [:]
        var (position, count) = (0, 0)
        for part in parts {
            position += part.count
            if part.first == 0x2C { count += 1 }
            pictures[position] = count
        }
        #expect(pictures.count == 6 && position == file.count)
        for length in 1...file.count {
            let cut = Array(file.prefix(length))
            if let count = pictures[length] {
                #expect(try Self.blocks(cut).pictureCount == count, "\(length)")
            } else {
                #expect(try Self.isMalformed(cut), "\(length)")
            }
        }
    }

    /// A picture of as many colours as its size says, of codes of nine bits: the number of each pixel, then the end.
    private static func numbered(_ numbers: [Int], colours size: Int?) -> [UInt8] {
        var (bits, count, bytes): (Int, Int, [UInt8]) = (0, 0, [])
        for code in [256] + numbers + [257] {
            bits |= code << count
            count += 9
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        bytes.append(UInt8(bits))
        let picture = picture(colours: size, data: [bytes])
        let place = picture.count - bytes.count - 3
        return picture[..<place] + [8] + picture[(place + 1)...]
    }

    /// Whether the file is refused as ambiguous.
    private static func isAmbiguous(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try blocks(bytes)
            return false
        } catch {
            return (error as? DecodingFailure)?.reason == .ambiguousRendering
        }
    }

    @Test("A GIF picture without colours, or with pixels of no colour, is ambiguous")
    func noColours() {
        #expect(Self.isAmbiguous(Self.head(colours: nil) + Self.picture() + Self.end))
        #expect(!Self.isAmbiguous(Self.head(colours: nil) + Self.picture(colours: 1) + Self.end))
        for (own, common) in [(2, nil), (nil, 2), (2, 7)] as [(Int?, Int?)] {
            let head = Self.head(colours: common)
            #expect(!Self.isAmbiguous(head + Self.numbered([0, 7, 0, 7], colours: own) + Self.end))
            #expect(Self.isAmbiguous(head + Self.numbered([0, 0, 8, 7], colours: own) + Self.end))
            // A string of two pixels, which was built of the second and the third.
            #expect(Self.isAmbiguous(head + Self.numbered([0, 1, 255, 259], colours: own) + Self.end))
        }
        // A transparent pixel needs no colour.
        let transparent: [UInt8] = [0x21, 0xF9, 4, 1, 10, 0, 9, 0]
        let head = Self.head(colours: nil) + transparent
        #expect(!Self.isAmbiguous(head + Self.numbered([0, 9, 9], colours: 2) + Self.end))
        #expect(Self.isAmbiguous(head + Self.numbered([0, 9, 10], colours: 2) + Self.end))
    }

    @Test("A block of any unknown kind makes a GIF file malformed")
    func unknownBlocks() throws {
        for kind in 1...255 as ClosedRange<UInt8> where ![0x21, 0x2C, 0x3B].contains(kind) {
            #expect(try Self.isMalformed(Self.head() + Self.picture() + [kind] + Self.picture() + Self.end), "\(kind)")
        }
    }

    @Test("Zero bytes between the blocks of a GIF file are passed over, as by viewers")
    func filling() throws {
        let filling: [UInt8] = [0, 0, 0]
        let pictures = filling + Self.picture() + filling + Self.picture() + filling
        #expect(try Self.blocks(Self.head() + pictures + Self.end).pictureCount == 2)
    }

    @Test("Data whose length reaches behind the file, or that has no end, makes a GIF file malformed")
    func lyingLengths() throws {
        let start = Self.head() + Self.picture().dropLast(4)
        for length in 1...255 as ClosedRange<UInt8> {
            let data = [UInt8](repeating: 0, count: Int(length) - 1)
            #expect(try Self.isMalformed(start + [length] + data))
            #expect(try Self.isMalformed(start + [length] + data + [0]))
            #expect(try Self.blocks(start + [length] + data + [0, 0]).pictureCount == 1)
        }
    }

    @Test("A picture that reaches over an edge of the screen is noticed, and one that touches it is not")
    func outside() throws {
        let pictures: [(left: Int, top: Int, width: Int, height: Int, isOutside: Bool)] = [
            (0, 0, 100, 50, false), (90, 40, 10, 10, false), (91, 40, 10, 10, true), (90, 41, 10, 10, true),
            (0, 0, 101, 1, true), (0, 0, 1, 51, true), (100, 50, 0, 0, false), (65_535, 65_535, 65_535, 65_535, true),
        ]
        for picture in pictures {
            let bytes = Self.picture(
                left: picture.left, top: picture.top, width: picture.width, height: picture.height)
            let blocks = try Self.blocks(Self.head() + Self.picture() + bytes + Self.end)
            #expect(blocks.hasPictureOutside == picture.isOutside && blocks.pictureCount == 2, "\(picture)")
        }
        let largest = Self.head(width: 65_535, height: 65_535)
        #expect(try !Self.blocks(largest + Self.picture(width: 65_535, height: 65_535)).hasPictureOutside)
        #expect(try Self.blocks(Self.head(width: 0, height: 0) + Self.picture(width: 1, height: 1)).hasPictureOutside)
    }

    @Test("Pictures are counted in files of any length, and beyond the number that libvips shows")
    func manyPictures() throws {
        let few = Self.picture(data: Array(repeating: [UInt8](repeating: 0x2C, count: 255), count: 300))
        #expect(few.count > 64 << 10)
        #expect(try Self.blocks(Self.head() + few + few + Self.end).pictureCount == 2)
        let many = Array((0..<5000).flatMap { _ in Self.picture() })
        #expect(try Self.blocks(Self.head() + many + Self.end).pictureCount == 5000)
    }
}
