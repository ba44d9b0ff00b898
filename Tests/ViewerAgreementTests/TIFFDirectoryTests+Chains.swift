// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

extension TIFFDirectoryTests {
    @Test("A chain that leads back into itself ends there", arguments: shapes)
    func loops(shape: Shape) throws {
        let start: UInt64 = shape.isBig ? 16 : 8
        #expect(try Self.starts(Self.chain(shape, 3, last: start)).count == 3)
        #expect(try Self.starts(shape.file([shape.entry(254, 1)], next: start)).count == 1)
    }

    @Test("A chain that leads out of the file is refused", arguments: shapes)
    func outside(shape: Shape) throws {
        let file = Self.chain(shape, 3)
        let most: UInt64 = shape.isBig ? .max : 0xFFFF_FFFF
        for last in [UInt64(file.count), UInt64(file.count) - 1, most / 2, most - 8, most] {
            #expect(throws: DecodingFailure.self) { try Self.starts(Self.chain(shape, 3, last: last)) }
        }
    }

    @Test("Directories below others are found too", arguments: shapes)
    func directoriesBelow(shape: Shape) throws {
        let start: UInt64 = shape.isBig ? 16 : 8
        // A file whose chain has one directory; another directory lies behind it.
        let plain = shape.file([shape.entry(330, 0)])
        let file = shape.file([shape.entry(330, UInt64(plain.count))]) + Array(shape.file([]).dropFirst(Int(start)))
        #expect(try Self.starts(file) == [Int(start), plain.count])
        // A directory that refers to itself is listed once.
        #expect(try Self.starts(shape.file([shape.entry(330, type: 13, start)])) == [Int(start)])
        #expect(throws: DecodingFailure.self) { try Self.starts(shape.file([shape.entry(330, 0xFFFF_FFFF)])) }
    }

    @Test("Many directories below one are found, and more than the bound are refused", arguments: shapes)
    func manyBelow(shape: Shape) throws {
        let size = shape.isBig ? 8 : 4
        let type: UInt64 = shape.isBig ? 16 : 4
        func file(_ count: UInt64) -> [UInt8] {
            let length = shape.file([shape.entry(330, 0)]).count
            let start: UInt64 = shape.isBig ? 16 : 8
            // The entry's values lie behind the directory, and all are equal.
            let entry =
                shape.number(330, 2) + shape.number(type, 2) + shape.number(count, size)
                + shape.number(UInt64(length), size)
            return shape.file([entry]) + (0..<min(count, 5000)).flatMap { _ in shape.number(start, size) }
        }
        #expect(try Self.directory(file(9)).below.count == 9)
        #expect(try Self.directory(file(4096)).below.count == 4096)
        for count in [4097, 0xFFFF_FFFF] as [UInt64] {
            #expect(throws: DecodingFailure.self) { try Self.directory(file(count)) }
        }
    }

    @Test("A file that is cut within a directory is refused", arguments: shapes)
    func truncation(shape: Shape) throws {
        let file = shape.file([shape.entry(254, 1)])
        let offsetSize = shape.isBig ? 8 : 4
        for count in 1..<(file.count - offsetSize) {
            #expect(throws: DecodingFailure.self, "\(count)") { try Self.starts(Array(file.prefix(count))) }
        }
        // The position of the next directory is missing, so there is no next directory.
        #expect(try Self.starts(Array(file.dropLast(offsetSize))).count == 1)
    }

    @Test("All of 4,096 entries are looked at, and a directory with more is refused, as by libtiff", arguments: shapes)
    func entryCount(shape: Shape) throws {
        func file(_ count: Int, last: UInt64) -> [UInt8] {
            shape.file(
                (0..<(count - 3)).map { shape.entry(1000 + UInt64($0), 0) } + [shape.entry(last, 8)], isSorted: false)
        }
        for (count, last, reason) in [
            (4096, 64_000, nil), (4096, 330, .ambiguousRendering), (4097, 64_000, .malformed),
        ] as [(Int, UInt64, DecodingFailure.Reason?)] {
            let found: DecodingFailure.Reason?
            do {
                _ = try Self.directory(file(count, last: last))
                found = nil
            } catch let failure as DecodingFailure {
                found = failure.reason
            }
            #expect(found == reason, "\(count) \(last)")
        }
    }

    @Test("A false count of entries is refused where the file does not have as many", arguments: shapes)
    func lyingCount(shape: Shape) throws {
        let entries = [shape.entry(330, 8)]
        let most: UInt64 = shape.isBig ? .max : 0xFFFF
        for (count, isFound) in [(0, false), (1, false), (2, true), (3, true)] {
            #expect(try Self.directory(shape.file(entries, count: UInt64(count))).below.isEmpty != isFound)
        }
        for count in [4096, 4097, most / 2 + 1, most] {
            #expect(throws: DecodingFailure.self) { try Self.directory(shape.file(entries, count: count)) }
        }
    }

    @Test("Entries out of order, and two of a kind, are ambiguous wherever they are", arguments: shapes)
    func order(shape: Shape) throws {
        let ordered = (1000..<1020).map { shape.entry($0, 0) }
        #expect(throws: Never.self) { try Self.directory(shape.file(ordered)) }
        for index in 1..<ordered.count {
            var swapped = ordered
            swapped.swapAt(index - 1, index)
            var doubled = ordered
            doubled[index] = doubled[index - 1]
            for entries in [swapped, doubled] {
                #expect(
                    performing: {
                        try Self.directory(shape.file(entries, isSorted: false))
                    },
                    throws: {
                        ($0 as? DecodingFailure)?.reason == .ambiguousRendering
                    })
            }
        }
    }

    @Test("The type of a directory is understood in every size that libtiff accepts", arguments: shapes)
    func otherSizes(shape: Shape) throws {
        for type in [1, 16] as [UInt64] where type == 1 || shape.isBig {
            #expect(try Self.directory(shape.file([shape.entry(254, type: type, 1)])).isReducedVersion)
        }
    }
}
