// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Writes 8-bit colour pictures as PNG files, without compression.
///
/// The command links no image library, because only decoder processes use one. A dependency would be more code to
/// trust than this writer. Source: PNG specification, third edition; RFC 1950 and 1951 for the stored blocks.
struct PNGPicture {
    let width: Int
    let height: Int
    /// `width` × `height` pixels of red, green and blue, row after row.
    let pixels: [UInt8]

    func encoded() -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let bitDepth: UInt8 = 8
        let colourType: UInt8 = 2
        let header = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [bitDepth, colourType, 0, 0, 0]
        file += Self.chunk("IHDR", header)
        file += Self.chunk("IDAT", Self.stored(scanlines()))
        file += Self.chunk("IEND", [])
        return file
    }

    private func scanlines() -> [UInt8] {
        let rowBytes = width * 3
        var bytes: [UInt8] = []
        bytes.reserveCapacity((rowBytes + 1) * height)
        for row in 0..<height {
            bytes.append(0)
            bytes += pixels[(row * rowBytes)..<((row + 1) * rowBytes)]
        }
        return bytes
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return UInt32(content.count).bigEndianBytes + checked + crc32(checked).bigEndianBytes
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let most = 65_535
        for start in stride(from: 0, to: bytes.count, by: most) {
            let block = bytes[start..<min(start + most, bytes.count)]
            let isLast: UInt8 = start + most >= bytes.count ? 1 : 0
            let size = UInt16(block.count)
            stream += [isLast, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
            stream += block
        }
        return stream + adler32(bytes).bigEndianBytes
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = .max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 {
                remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1
            }
        }
        return ~remainder
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}

extension UInt32 {
    /// The bytes from the highest to the lowest.
    fileprivate var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
