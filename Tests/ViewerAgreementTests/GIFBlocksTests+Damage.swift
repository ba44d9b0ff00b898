// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

extension GIFBlocksTests {
    @Test("A GIF file that is cut is whole between two blocks, and malformed anywhere else")
    func truncation() throws {
        let parts = [
            Self.head(colours: 1), Self.control, Self.picture(colours: 0), Self.comment,
            Self.picture(data: [[1, 2, 3], [4]]), Self.end,
        ]
        let file = Array(parts.joined())
        // The number of pictures before each position at which a block ends.
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

    /// A picture with a table of the given size, in codes of nine bits: one for each pixel, then the end code.
    static func numbered(_ numbers: [Int], colours size: Int?) -> [UInt8] {
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

    /// Whether the decoder refuses the file as ambiguous.
    static func isAmbiguous(_ bytes: [UInt8]) -> Bool {
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
            // The code 259 is a string of two pixels: the second and the third.
            #expect(Self.isAmbiguous(head + Self.numbered([0, 1, 255, 259], colours: own) + Self.end))
        }
        // A transparent pixel needs no entry in a table of colours.
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
            (0, 0, 101, 1, true), (0, 0, 1, 51, true), (99, 49, 1, 1, false), (65_535, 65_535, 65_535, 65_535, true),
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
