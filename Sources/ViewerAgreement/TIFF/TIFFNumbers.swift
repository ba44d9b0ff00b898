// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The number format of a TIFF file: the byte order, and the size of counts and offsets.
package struct TIFFNumbers {
    let isBig: Bool
    private let isLittle: Bool

    init(header: [UInt8]) {
        isLittle = header.first == 0x49
        isBig = header.count > 3 && (isLittle ? header[2] : header[3]) == 43
    }

    var countSize: Int { isBig ? 8 : 2 }
    var offsetSize: Int { isBig ? 8 : 4 }
    /// The position in the file, in bytes, of the offset of the first image file directory.
    var startPosition: Int { isBig ? 8 : 4 }

    /// Returns the number in some bytes; 0 if the bytes are missing, and the largest `Int` if the number is larger.
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

    /// Returns the size in bytes of each whole number in an entry; nil if its values are no whole numbers.
    func valueSize(of entries: [UInt8], at entry: Int) -> Int? {
        [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8][number(entries, at: entry + 2, size: 2)]
    }

    /// Returns the whole numbers of an entry, which lie in the entry or elsewhere in the file.
    ///
    /// - Throws: `tooManyPictures` for more than `most`, `malformed` if values are missing or not whole numbers.
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

    /// Returns the fractions of an entry; nil for values of another type, for more than `most`, and for missing ones.
    func fractions(
        of entries: [UInt8], at entry: Int, in file: InputFile, most: Int
    ) throws(DecodingFailure) -> [Double]? {
        let count = number(entries, at: entry + 4, size: offsetSize)
        // A fraction has two numbers of 32 bits.
        guard number(entries, at: entry + 2, size: 2) == 5, (1...most).contains(count), count * 8 > offsetSize else {
            return nil
        }
        let bytes = try file.bytes(at: number(entries, at: entry + 4 + offsetSize, size: offsetSize), count: count * 8)
        guard bytes.count == count * 8 else { return nil }
        return (0..<count).map { index in
            Double(number(bytes, at: index * 8, size: 4)) / Double(number(bytes, at: index * 8 + 4, size: 4))
        }
    }
}
