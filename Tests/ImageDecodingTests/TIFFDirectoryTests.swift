// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import HelperService
import Testing

@testable import ImageDecoding

@Suite("The first directory of a TIFF file")
struct TIFFDirectoryTests {
    /// A TIFF file in one of its four shapes.
    struct Shape: Sendable, CustomTestStringConvertible {
        let isLittle: Bool
        let isBig: Bool
        var testDescription: String { (isBig ? "BigTIFF" : "TIFF") + (isLittle ? ", II" : ", MM") }

        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
            return isLittle ? bytes : bytes.reversed()
        }

        /// An entry whose value is written as its type has it, and filled up.
        func entry(_ tag: UInt64, type: UInt64 = 4, count: UInt64 = 1, _ value: UInt64) -> [UInt8] {
            let size = [1: 1, 3: 2, 4: 4, 16: 8][type] ?? 4
            let field = isBig ? 8 : 4
            let padding = [UInt8](repeating: 0, count: max(0, field - size))
            return number(tag, 2) + number(type, 2) + number(count, field)
                + (number(value, min(size, field)) + padding)
        }

        func header(start: UInt64) -> [UInt8] {
            let order: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
            return isBig
                ? order + number(43, 2) + number(8, 2) + number(0, 2) + number(start, 8)
                : order + number(42, 2) + number(start, 4)
        }

        /// A file of one directory, with a width before and a height behind the given entries.
        func file(_ entries: [[UInt8]], count: UInt64? = nil, next: UInt64 = 0) -> [UInt8] {
            let all = [entry(256, 16)] + entries + [entry(257, 16)]
            return header(start: isBig ? 16 : 8) + number(count ?? UInt64(all.count), isBig ? 8 : 2) + all.joined()
                + number(next, isBig ? 8 : 4)
        }
    }

    static let shapes = [
        Shape(isLittle: true, isBig: false), Shape(isLittle: false, isBig: false), Shape(isLittle: true, isBig: true),
        Shape(isLittle: false, isBig: true),
    ]

    private static func directory(_ bytes: [UInt8]) throws -> TIFFDirectory {
        try TIFFDirectory(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    @Test("A directory is a reduced version if the lowest bit of its type says so", arguments: shapes)
    func reducedVersion(shape: Shape) throws {
        #expect(try !Self.directory(shape.file([])).isReducedVersion)
        // Bits 1 and 2 stand for a page of several, and for a mask.
        for (value, isReduced) in [(0, false), (1, true), (2, false), (3, true), (4, false), (5, true)] {
            for type in [3, 4] as [UInt64] {
                let directory = try Self.directory(shape.file([shape.entry(254, type: type, UInt64(value))]))
                #expect(directory.isReducedVersion == isReduced && !directory.hasDirectoriesBelow, "\(value)")
            }
        }
    }

    @Test("Directories below the first are noticed, also if they are the first itself", arguments: shapes)
    func directoriesBelow(shape: Shape) throws {
        #expect(try !Self.directory(shape.file([])).hasDirectoriesBelow)
        for start in [0, 8, 16, 0xFFFF_FFFF] as [UInt64] {
            let directory = try Self.directory(shape.file([shape.entry(330, start)]))
            #expect(directory.hasDirectoriesBelow && !directory.isReducedVersion)
        }
        let several = try Self.directory(shape.file([shape.entry(254, 1), shape.entry(330, type: 13, count: 9, 50)]))
        #expect(several.hasDirectoriesBelow && several.isReducedVersion)
    }

    @Test("A directory that names itself as the next one is read once", arguments: shapes)
    func loop(shape: Shape) throws {
        let file = shape.file([shape.entry(254, 1)], next: shape.isBig ? 16 : 8)
        #expect(try Self.directory(file).isReducedVersion)
    }

    @Test("In a file that is cut, what is said by the entries before the cut is known", arguments: shapes)
    func truncation(shape: Shape) throws {
        let file = shape.file([shape.entry(254, 1), shape.entry(330, 8)])
        let (start, size) = shape.isBig ? (24, 20) : (10, 12)
        for count in 1...file.count {
            // Nil where the place of the directory is cut off, and there is none at the start of the file.
            let directory = try? Self.directory(Array(file.prefix(count)))
            // The second and the third entry.
            #expect((directory?.isReducedVersion == true) == (count >= start + 2 * size), "\(count)")
            #expect((directory?.hasDirectoriesBelow == true) == (count >= start + 3 * size), "\(count)")
        }
    }

    @Test("All of 4,096 entries are looked at, and a directory with more is refused, as by libtiff", arguments: shapes)
    func entryCount(shape: Shape) throws {
        func file(_ count: Int) -> [UInt8] {
            shape.file((0..<(count - 3)).map { _ in shape.entry(1000, 0) } + [shape.entry(330, 8)])
        }
        #expect(try Self.directory(file(4095)).hasDirectoriesBelow)
        #expect(try Self.directory(file(4096)).hasDirectoriesBelow)
        #expect(throws: DecodingFailure.self) { try Self.directory(file(4097)) }
    }

    @Test("A false count of entries is followed as far as the file goes, or refused", arguments: shapes)
    func lyingCount(shape: Shape) throws {
        let entries = [shape.entry(330, 8)]
        let most: UInt64 = shape.isBig ? .max : 0xFFFF
        for (count, isFound) in [(0, false), (1, false), (2, true), (3, true), (4096, true)] {
            #expect(try Self.directory(shape.file(entries, count: UInt64(count))).hasDirectoriesBelow == isFound)
        }
        for count in [4097, most / 2 + 1, most] {
            #expect(throws: DecodingFailure.self) { try Self.directory(shape.file(entries, count: count)) }
        }
    }

    @Test("A directory that lies nowhere in the file says nothing", arguments: shapes)
    func lyingPosition(shape: Shape) throws {
        let file = shape.file([shape.entry(254, 1), shape.entry(330, 8)])
        let most: UInt64 = shape.isBig ? .max : 0xFFFF_FFFF
        let end = UInt64(file.count)
        for start in [0, 1, end - 1, end, end + 1, most / 2, most / 2 + 1, most - 8, most] {
            let length = shape.header(start: 0).count
            // Nil where it is within the header, which is none.
            let directory = try? Self.directory(shape.header(start: start) + file.dropFirst(length))
            #expect(directory?.isReducedVersion != true && directory?.hasDirectoriesBelow != true, "\(start)")
        }
    }

    @Test("A directory is a reduced version if any of its entries says so", arguments: shapes)
    func contradiction(shape: Shape) throws {
        let file = shape.file([shape.entry(254, 1), shape.entry(254, 0)])
        #expect(try Self.directory(file).isReducedVersion)
    }

    @Test("The type of a directory is understood in every size that libtiff accepts", arguments: shapes)
    func otherSizes(shape: Shape) throws {
        for type in [1, 16] as [UInt64] where type == 1 || shape.isBig {
            #expect(try Self.directory(shape.file([shape.entry(254, type: type, 1)])).isReducedVersion)
        }
    }
}
