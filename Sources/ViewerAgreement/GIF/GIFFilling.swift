// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a GIF picture of one colour that fills the screen.
///
/// Source: GIF89a specification, sections 20 and 23, and appendix F.
struct GIFFilling {
    private(set) var bytes: [UInt8]
    private var (bits, bitCount) = (0, 0)
    private var data: [UInt8] = []

    /// - Parameters:
    ///   - width: the width of the screen in pixels, from 1 to 65,535; `height` likewise.
    ///   - number: the number of the colour in the common table.
    init(width: Int, height: Int, number: UInt8) {
        // The control keeps the picture in place and makes all of it opaque.
        bytes = [0x21, 0xF9, 4, 0x04, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0]
        for length in [width, height] { bytes += [UInt8(length & 255), UInt8(length >> 8)] }
        bytes += [0, UInt8(Self.codeSize)]
        encode(width * height, number)
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes += [UInt8(block.count)] + block
        }
        bytes.append(0)
    }

    private mutating func encode(_ count: Int, _ number: UInt8) {
        var rest = count
        var size = Self.codeSize + 1
        while rest > 0 {
            put(Self.clear, size)
            size = Self.codeSize + 1
            put(Int(number), size)
            rest -= 1
            // Each new code stands for a run that is one pixel longer than the run of the code before it.
            var next = Self.end + 1
            while rest > 0, next < Self.mostCodes {
                if next == 1 << size { size += 1 }
                let length = min(next - Self.end + 1, rest)
                put(length == 1 ? Int(number) : Self.end + length - 1, size)
                rest -= length
                next += 1
            }
            if next == 1 << size, size < 12 { size += 1 }
        }
        put(Self.end, size)
        if bitCount > 0 { data.append(UInt8(bits & 255)) }
    }

    private mutating func put(_ code: Int, _ size: Int) {
        bits |= code << bitCount
        bitCount += size
        while bitCount >= 8 {
            data.append(UInt8(bits & 255))
            bits >>= 8
            bitCount -= 8
        }
    }

    private static let codeSize = 8
    private static let clear = 256
    private static let end = 257
    private static let mostCodes = 4096
}
