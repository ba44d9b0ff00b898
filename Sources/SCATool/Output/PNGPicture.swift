// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Writes 8-bit colour pictures as PNG files.
///
/// The command links no image library, because only decoder processes use one. Source: PNG specification, third edition.
struct PNGPicture {
    let width: Int
    let height: Int
    /// `width` × `height` pixels of red, green and blue, row after row.
    let pixels: [UInt8]

    func encoded() -> [UInt8] {
        let (bitDepth, colourType): (UInt8, UInt8) = (8, 2)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", Self.bytes(width) + Self.bytes(height) + [bitDepth, colourType, 0, 0, 0])
            + Self.chunk("IDAT", compressedRows()) + Self.chunk("IEND", [])
    }

    /// Returns the rows, each behind the number of its filter, compressed.
    private func compressedRows() -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity((width * 3 + 1) * height)
        for row in 0..<height {
            rows.append(0)
            rows += pixels[(row * width * 3)..<((row + 1) * width * 3)]
        }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(compressBound(uLong(rows.count)))) { target, count in
            var size = uLongf(target.count)
            // The bound leaves no reason to fail but memory, of which the command needs more for everything else.
            guard unsafe compress(target.baseAddress!, &size, rows, uLong(rows.count)) == Z_OK else {
                fatalError("No memory is left for a picture.")
            }
            count = Int(size)
        }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return bytes(content.count) + checked + bytes(Int(unsafe crc32(0, checked, uInt(checked.count))))
    }

    /// Returns the four bytes of a number, from the highest to the lowest.
    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
