// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("The directories of a TIFF file")
struct TIFFDirectoryTests {
    /// A variant of TIFF: byte order, and classic TIFF or BigTIFF.
    struct Shape: Sendable, CustomTestStringConvertible {
        let isLittle: Bool
        let isBig: Bool
        var testDescription: String { (isBig ? "BigTIFF" : "TIFF") + (isLittle ? ", II" : ", MM") }

        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
            return isLittle ? bytes : bytes.reversed()
        }

        /// An entry of a directory; the value is written in its type, and padded.
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

        /// A file with one directory: the given entries, sorted unless told otherwise, between two other entries.
        func file(
            _ entries: [[UInt8]], count: UInt64? = nil, next: UInt64 = 0, isSorted: Bool = true
        ) -> [UInt8] {
            let tag = { (entry: [UInt8]) in isLittle ? [entry[1], entry[0]] : [entry[0], entry[1]] }
            let given = isSorted ? entries.sorted { tag($0).lexicographicallyPrecedes(tag($1)) } : entries
            let all = [entry(250, 16)] + given + [entry(65_000, 16)]
            return header(start: isBig ? 16 : 8) + number(count ?? UInt64(all.count), isBig ? 8 : 2) + all.joined()
                + number(next, isBig ? 8 : 4)
        }
    }

    static let shapes = [
        Shape(isLittle: true, isBig: false), Shape(isLittle: false, isBig: false), Shape(isLittle: true, isBig: true),
        Shape(isLittle: false, isBig: true),
    ]

    static func input(_ bytes: [UInt8]) throws -> InputFile {
        try InputFile(SealedMemory.copying(bytes).descriptor)
    }

    static func directory(_ bytes: [UInt8]) throws -> TIFFDirectory {
        let file = try input(bytes)
        let header = try file.bytes(at: 0, count: 16)
        let numbers = TIFFNumbers(header: header)
        return try TIFFDirectory(
            file, numbers, at: numbers.number(header, at: numbers.startPosition, size: numbers.offsetSize))
    }

    static func starts(_ bytes: [UInt8]) throws -> [Int] {
        try TIFFDirectories.all(in: input(bytes)).map(\.start)
    }

    /// A file with a chain of directories without entries; the last directory leads to `last`.
    static func chain(_ shape: Shape, _ count: Int, last: UInt64 = 0) -> [UInt8] {
        let (start, size) = shape.isBig ? (16, 16) : (8, 6)
        var file = shape.header(start: UInt64(start))
        for index in 1...count {
            let next = index == count ? last : UInt64(start + index * size)
            file += shape.number(0, shape.isBig ? 8 : 2) + shape.number(next, shape.isBig ? 8 : 4)
        }
        return file
    }

    @Test("A directory is a reduced version if the lowest bit of its type says so", arguments: shapes)
    func reducedVersion(shape: Shape) throws {
        #expect(try !Self.directory(shape.file([])).isReducedVersion)
        // Bit 1 marks a page of a document, and bit 2 marks a mask.
        for (value, isReduced) in [(0, false), (1, true), (2, false), (3, true), (4, false), (5, true)] {
            for type in [3, 4] as [UInt64] {
                let directory = try Self.directory(shape.file([shape.entry(254, type: type, UInt64(value))]))
                #expect(directory.isReducedVersion == isReduced && directory.below.isEmpty, "\(value)")
            }
        }
    }

    @Test("An entry that changes pixels and has an unusual type is ambiguous", arguments: shapes)
    func types(shape: Shape) throws {
        for (tag, type, isUsual) in [
            (266, 3, true), (266, 4, true), (266, 5, false), (266, 6, false), (266, 9, false), (266, 11, false),
            (317, 5, false), (320, 3, true), (320, 4, false), (320, 16, false), (273, 16, true), (273, 11, false),
            (282, 5, true), (700, 1, true),
        ] as [(UInt64, UInt64, Bool)] {
            let failure = Self.failure(shape.file([shape.entry(tag, type: type, 1), shape.entry(262, type: 3, 3)]))
            #expect((failure?.reason == .ambiguousRendering) == !isUsual, "\(tag) \(type)")
        }
    }

    static func failure(_ bytes: [UInt8]) -> DecodingFailure? {
        do {
            _ = try directory(bytes)
            return nil
        } catch {
            return error as? DecodingFailure
        }
    }

    @Test(arguments: shapes) func `A further sample of Lab colours is ambiguous`(shape: Shape) throws {
        for photometric in [8, 9, 10] as [UInt64] {
            for (samples, isAmbiguous) in [(1, false), (3, false), (4, true), (5, true)] as [(UInt64, Bool)] {
                let file = shape.file([shape.entry(262, photometric), shape.entry(277, samples)])
                let reason: DecodingFailure.Reason?
                do {
                    _ = try Self.directory(file)
                    reason = nil
                } catch let failure as DecodingFailure {
                    reason = failure.reason
                }
                #expect(reason == (isAmbiguous ? .ambiguousRendering : nil), "\(photometric) \(samples)")
            }
        }
    }

    @Test("What FFmpeg alone makes other levels of is ambiguous", arguments: shapes)
    func otherLevels(shape: Shape) {
        let (grey, palette) = (shape.entry(262, type: 3, 1), shape.entry(262, type: 3, 3))
        let colours = shape.entry(320, type: 3, count: 0, 0)
        let reversed = shape.entry(266, type: 3, 2)
        func isAmbiguous(_ entries: [UInt8]...) -> Bool {
            Self.failure(shape.file(entries))?.reason == .ambiguousRendering
        }
        #expect(isAmbiguous(grey, colours) && !isAmbiguous(palette, colours))
        for (depth, compression, isWrong) in [(4, 1, true), (8, 1, false), (1, 4, false), (1, 32_773, true)]
            as [(
                UInt64, UInt64, Bool
            )]
        {
            let (bits, coding) = (shape.entry(258, type: 3, depth), shape.entry(259, type: 3, compression))
            #expect(isAmbiguous(bits, coding, reversed) == isWrong, "\(depth) \(compression)")
            #expect(!isAmbiguous(bits, coding))
        }
        for tag in [50_712, 50_714, 50_717] as [UInt64] { #expect(isAmbiguous(grey, shape.entry(tag, 0)), "\(tag)") }
        let (version, response) = (shape.entry(50_706, type: 1, 1), shape.entry(291, type: 3, 0))
        #expect(isAmbiguous(grey, version, response))
        #expect(!isAmbiguous(grey, version) && !isAmbiguous(grey, response))
    }

    @Test("Every directory of a chain is found, up to the bound and in its order", arguments: shapes)
    func chains(shape: Shape) throws {
        for count in [1, 2, 4095, 4097, 9_999, TIFFDirectories.mostDirectories] {
            let starts = try Self.starts(Self.chain(shape, count))
            #expect(starts.count == count && starts == starts.sorted())
        }
        #expect(throws: DecodingFailure.self) {
            try Self.starts(Self.chain(shape, TIFFDirectories.mostDirectories + 1))
        }
    }

    @Test("Layers of Photoshop beside the picture are found, and other data of it are passed over", arguments: shapes)
    func layers(shape: Shape) throws {
        func data(_ keys: [String], isLittle: Bool) -> [UInt8] {
            keys.reduce(Array("Adobe Photoshop Document Data Block\0".utf8)) { data, key in
                let names = (["8BIM", key].map { isLittle ? Array($0.utf8.reversed()) : Array($0.utf8) }).joined()
                return data + names + (isLittle ? [6, 0, 0, 0] : [0, 0, 0, 6]) + [UInt8](repeating: 1, count: 8)
            }
        }
        for isLittle in [false, true] {
            for (keys, hasLayers) in [
                (["Layr"], true), (["Patt", "Lr16"], true), (["Mt16", "Lr32"], true), (["Patt", "FMsk"], false),
            ] {
                let content = data(keys, isLittle: isLittle)
                let entry = { (place: UInt64) in
                    shape.entry(37_724, type: shape.isBig ? 16 : 4, count: UInt64(content.count), place)
                }
                let start = UInt64(shape.file([entry(0)]).count)
                let file = shape.file([entry(start)]) + content
                let outside = shape.file([entry(shape.isBig ? .max : 0xFFFF_FFFF)])
                #expect(throws: DecodingFailure.self) { try Self.directory(outside) }
                if hasLayers {
                    #expect(throws: DecodingFailure.self) { try Self.directory(file) }
                } else {
                    #expect(throws: Never.self) { try Self.directory(file) }
                }
            }
        }
    }
}
