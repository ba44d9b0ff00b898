// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// The numbers of a TIFF file: their order of bytes, and the size of counts and offsets.
struct TIFFNumbers {
    let isBig: Bool
    private let isLittle: Bool

    init(header: [UInt8]) {
        isLittle = header.first == 0x49
        isBig = header.count > 3 && (isLittle ? header[2] : header[3]) == 43
    }

    var countSize: Int { isBig ? 8 : 2 }
    var offsetSize: Int { isBig ? 8 : 4 }
    /// Where the header says where the first directory begins.
    var startPosition: Int { isBig ? 8 : 4 }

    /// The number of some bytes; 0 where they are not there, and the largest one where it is larger.
    func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        var value: UInt64 = 0
        for place in 0..<size {
            value = value << 8 | UInt64(bytes[offset + (isLittle ? size - 1 - place : place)])
        }
        return Int(clamping: value)
    }

    func bytes(_ number: Int, count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// How many bytes each whole number of an entry has; nil for a type that is none.
    func valueSize(of entries: [UInt8], at entry: Int) -> Int? {
        [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8][number(entries, at: entry + 2, size: 2)]
    }

    /// The whole numbers of an entry, which lie in it or elsewhere in the file.
    ///
    /// - Throws: `tooManyPictures` for more than `most`, `malformed` for values that are no numbers or not there.
    func values(
        of entries: [UInt8], at entry: Int, in file: InputFile, most: Int
    ) throws(DecodingFailure) -> [Int] {
        let size = valueSize(of: entries, at: entry)
        let count = number(entries, at: entry + 4, size: offsetSize)
        guard let size else { throw TIFFDirectory.malformed("an entry of an unusual type") }
        guard count <= most else {
            throw DecodingFailure(.tooManyPictures, format: .tiff, value: UInt64(count), bound: UInt64(most))
        }
        let field = entry + 4 + offsetSize
        if count * size <= offsetSize {
            return (0..<count).map { number(entries, at: field + $0 * size, size: size) }
        }
        let bytes = try file.bytes(at: number(entries, at: field, size: offsetSize), count: count * size)
        guard bytes.count == count * size else { throw TIFFDirectory.malformed("an entry outside of the file") }
        return (0..<count).map { number(bytes, at: $0 * size, size: size) }
    }
}
