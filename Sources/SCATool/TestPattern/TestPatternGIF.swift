// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Writes an animation of grey pictures as a GIF file that repeats without end.
///
/// Source: GIF89a specification.
struct TestPatternGIF {
    /// The pictures, all of the same size, each with its display time in hundredths of a second.
    let frames: [(picture: TestPatternPicture, delay: UInt16)]

    func encoded() -> [UInt8] {
        guard let first = frames.first?.picture else { return [] }
        let size = UInt16(first.width).littleEndianBytes + UInt16(first.height).littleEndianBytes
        // A palette of four colours; the last colour is not used.
        var file = Array("GIF89a".utf8) + size + [0b1000_0001, 0, 0]
        for level in Self.palette { file += [level, level, level] }
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for (picture, delay) in frames {
            file += [0x21, 0xF9, 4, 0] + delay.littleEndianBytes + [0, 0]
            file += [0x2C, 0, 0, 0, 0] + size + [0]
            file += Self.compressed(picture.levels.map { UInt8(Self.palette.firstIndex(of: $0) ?? 0) })
        }
        return file + [0x3B]
    }

    private static let palette = [
        TestPatternPicture.dark, TestPatternPicture.background, TestPatternPicture.light, 128,
    ]

    /// Returns the image data of a picture: LZW codes in blocks of at most 255 bytes.
    private static func compressed(_ indices: [UInt8]) -> [UInt8] {
        let minimumSize = 2
        let (clear, end) = (1 << minimumSize, 1 << minimumSize + 1)
        var bits = LeastSignificantBits()
        var table: [Int: Int] = [:]
        var (next, size) = (end + 1, minimumSize + 1)
        bits.append(clear, count: size)
        var prefix = -1
        for index in indices {
            guard prefix >= 0 else {
                prefix = Int(index)
                continue
            }
            let key = prefix << 8 | Int(index)
            if let code = table[key] {
                prefix = code
                continue
            }
            bits.append(prefix, count: size)
            prefix = Int(index)
            if next < 4096 {
                table[key] = next
                next += 1
                if next > 1 << size, size < 12 { size += 1 }
            } else {
                bits.append(clear, count: size)
                (table, next, size) = ([:], end + 1, minimumSize + 1)
            }
        }
        bits.append(prefix, count: size)
        bits.append(end, count: size)
        var data = [UInt8(minimumSize)]
        for start in stride(from: 0, to: bits.bytes.count, by: 255) {
            let block = bits.bytes[start..<min(start + 255, bits.bytes.count)]
            data.append(UInt8(block.count))
            data += block
        }
        return data + [0]
    }
}

/// Bits that fill bytes from the lowest bit on.
private struct LeastSignificantBits {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func append(_ value: Int, count: Int) {
        for place in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(used)
            used += 1
        }
    }
}
