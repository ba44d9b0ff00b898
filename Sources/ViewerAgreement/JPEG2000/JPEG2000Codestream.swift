// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The main header and the tile-parts of a JPEG 2000 codestream.
///
/// Source: ISO/IEC 15444-1, annex A.
struct JPEG2000Codestream {
    let width: Int
    let height: Int
    /// The number of samples of a pixel.
    let sampleCount: Int
    /// The position behind the end marker.
    let end: Int
    /// The depth, with the sign as the highest bit, and the distances of the samples of each kind.
    private let samples: [[UInt8]]

    /// The start of a codestream and the marker of its size.
    static let signature: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

    init(_ file: InputFile, in range: Range<Int>) throws(DecodingFailure) {
        let head = try file.bytes(at: range.lowerBound, count: 42)
        guard range.count > 42, head.starts(with: Self.signature), let right: UInt32 = head.bigEndian(at: 8),
            let bottom: UInt32 = head.bigEndian(at: 12), let left: UInt32 = head.bigEndian(at: 16),
            let top: UInt32 = head.bigEndian(at: 20), let tileWidth: UInt32 = head.bigEndian(at: 24),
            let tileHeight: UInt32 = head.bigEndian(at: 28), let tileLeft: UInt32 = head.bigEndian(at: 32),
            let tileTop: UInt32 = head.bigEndian(at: 36), let count: UInt16 = head.bigEndian(at: 40), right > left,
            bottom > top, tileWidth > 0, tileHeight > 0, tileLeft <= left, tileTop <= top
        else { throw JPEG2000Structure.broken("the header is broken") }
        (width, height, sampleCount) = (Int(right - left), Int(bottom - top), Int(count))
        let kinds = try file.bytes(at: range.lowerBound + 42, count: 3 * min(sampleCount, 5))
        samples = stride(from: 0, to: kinds.count, by: 3).map { Array(kinds[$0..<min($0 + 3, kinds.count)]) }
        func tiles(_ last: UInt32, from first: UInt32, size: UInt32) -> Int {
            (Int(last - first) + Int(size) - 1) / Int(size)
        }
        // The standard allows 65,535 tiles.
        let columns = min(tiles(right, from: tileLeft, size: tileWidth), 1 << 16)
        let tileCount = columns * min(tiles(bottom, from: tileTop, size: tileHeight), 1 << 16)
        guard tileCount < 1 << 16 else { throw JPEG2000Structure.broken("too many tiles") }
        let first = try Self.endOfMainHeader(file, in: range)
        end = try Self.endOfTileParts(file, from: first, in: range, tileCount: tileCount)
    }

    /// Returns the number of bits of each sample.
    ///
    /// - Throws: `unsupportedVariant` for samples that libvips does not show as other programs do.
    func depth() throws(DecodingFailure) -> Int {
        guard (1...4).contains(sampleCount), samples.count == sampleCount else {
            throw JPEG2000Structure.unsupported("\(sampleCount) samples of a pixel")
        }
        // The highest bit of the depth means that samples have a sign. Pixels may share samples.
        let depth = samples[0][0] &+ 1
        guard (1...16).contains(depth), samples.allSatisfy({ $0 == [depth - 1, 1, 1] }) else {
            throw JPEG2000Structure.unsupported("samples of several depths or sizes, or with a sign")
        }
        return Int(depth)
    }

    /// Returns the position of the first tile-part.
    private static func endOfMainHeader(_ file: InputFile, in range: Range<Int>) throws(DecodingFailure) -> Int {
        var position = range.lowerBound + 2
        var seen: [UInt16: Int] = [:]
        while position + 4 <= range.upperBound {
            let bytes = try file.bytes(at: position, count: 4)
            guard let marker: UInt16 = bytes.bigEndian(at: 0), let length: UInt16 = bytes.bigEndian(at: 2) else {
                break
            }
            if marker == startOfTilePart {
                // The size, the coding style and the steps of all samples stand once.
                guard [0xFF51, 0xFF52, 0xFF5C].allSatisfy({ seen[$0] == 1 }) else {
                    throw DecodingFailure(.segmentTwice, .jpeg2000)
                }
                return position
            }
            guard marker >= 0xFF50, length >= 2 else { break }
            try checkCoding(file, marker, at: position)
            seen[marker, default: 0] += 1
            position += 2 + Int(length)
        }
        throw JPEG2000Structure.broken("the header is broken")
    }

    /// Checks that blocks are coded as in the first part of the standard.
    ///
    /// OpenJPEG 2.5.0 shows blocks of high throughput (ISO/IEC 15444-15) as grey, without an error.
    private static func checkCoding(_ file: InputFile, _ marker: UInt16, at position: Int) throws(DecodingFailure) {
        let style = marker == 0xFF52 ? try file.bytes(at: position + 12, count: 1).first : 0
        guard ![0xFF50, 0xFF53].contains(marker), let style, style & 0xC0 == 0 else {
            throw JPEG2000Structure.unsupported("blocks of high throughput, or of several kinds")
        }
    }

    /// Checks that the header of a tile-part changes no coding, and ends within its part.
    ///
    /// - Parameter part: the bytes of the part, which begins with a marker of twelve bytes.
    private static func checkHeader(_ file: InputFile, of part: Range<Int>) throws(DecodingFailure) {
        var position = part.lowerBound + 12
        while position < part.upperBound {
            let bytes = try file.bytes(at: position, count: 4)
            guard let marker: UInt16 = bytes.bigEndian(at: 0), marker != 0xFF93 else { return }
            guard ![0xFF50, 0xFF52, 0xFF53].contains(marker), marker >= 0xFF50,
                let length: UInt16 = bytes.bigEndian(at: 2), length >= 2
            else { break }
            position += 2 + Int(length)
        }
        throw JPEG2000Structure.unsupported("a tile with a coding of its own")
    }

    private static func endOfTileParts(
        _ file: InputFile, from start: Int, in range: Range<Int>, tileCount: Int
    ) throws(DecodingFailure) -> Int {
        var position = start
        var parts: [UInt16: UInt8] = [:]
        while position + 2 <= range.upperBound {
            let bytes = try file.bytes(at: position, count: 12)
            if bytes.starts(with: [0xFF, 0xD9]) {
                guard parts.count == tileCount else { throw JPEG2000Structure.broken("tiles are missing") }
                return position + 2
            }
            guard bytes.count == 12, bytes.bigEndian(at: 0, as: UInt16.self) == startOfTilePart,
                let tile: UInt16 = bytes.bigEndian(at: 4), let size: UInt32 = bytes.bigEndian(at: 6)
            else { break }
            // Programs differ about a part that comes twice or out of order.
            guard bytes[10] == parts[tile, default: 0], bytes[10] < 255, Int(tile) < tileCount else {
                throw DecodingFailure(.disorderedCodestream, .jpeg2000)
            }
            parts[tile] = bytes[10] + 1
            // The last part may have no size, and then reaches up to the end marker.
            let next = size == 0 ? range.upperBound - 2 : position + max(12, Int(size))
            try checkHeader(file, of: position..<next)
            position = next
        }
        throw JPEG2000Structure.broken("the end is missing")
    }

    private static let startOfTilePart: UInt16 = 0xFF90
}
