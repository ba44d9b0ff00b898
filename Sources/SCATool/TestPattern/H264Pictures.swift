// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Grey pictures as H.264 without compression, and pictures that repeat the previous picture.
///
/// The command links no encoder, because test patterns need none. A macroblock may hold its samples uncompressed
/// (I_PCM), and a picture may consist of skipped macroblocks. Source: Recommendation ITU-T H.264, clauses 7.3 and 9.1.
struct H264Pictures {
    /// The width in pixels; the width and the height are multiples of 16.
    let width: Int
    let height: Int

    /// The sequence parameter set, which a decoder needs first, without a start code.
    var sequenceParameters: [UInt8] {
        var bits = MostSignificantBits()
        bits.append(66, count: 8)  // Constrained Baseline
        bits.append(0xC0, count: 8)
        bits.append(30, count: 8)
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(0)  // frame numbers of four bits
        bits.appendExpGolomb(2)  // pictures are shown in the order in which they are decoded
        bits.appendExpGolomb(1)
        bits.append(0, count: 1)
        bits.appendExpGolomb(width / 16 - 1)
        bits.appendExpGolomb(height / 16 - 1)
        bits.append(0b1100, count: 4)
        return Self.unit(header: 0x67, bits)
    }

    var pictureParameters: [UInt8] {
        var bits = MostSignificantBits()
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(0)
        bits.append(0, count: 2)
        for _ in 0..<3 { bits.appendExpGolomb(0) }
        bits.append(0, count: 3)
        for _ in 0..<3 { bits.appendExpGolomb(0) }
        bits.append(0b100, count: 3)
        return Self.unit(header: 0x68, bits)
    }

    /// Returns a picture that depends on no other picture.
    ///
    /// - Parameter levels: `width` × `height` levels from 0 to 255, which become levels of video from 16 to 235.
    func keyPicture(_ levels: [UInt8]) -> [UInt8] {
        var bits = MostSignificantBits()
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(7)  // I
        bits.appendExpGolomb(0)
        bits.append(0, count: 4)
        bits.appendExpGolomb(0)
        bits.append(0, count: 2)
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(1)  // no deblocking
        for top in stride(from: 0, to: height, by: 16) {
            for left in stride(from: 0, to: width, by: 16) {
                bits.appendExpGolomb(25)  // I_PCM
                bits.align()
                for row in top..<(top + 16) {
                    for column in left..<(left + 16) {
                        bits.append(16 + Int(levels[row * width + column]) * 219 / 255, count: 8)
                    }
                }
                for _ in 0..<128 { bits.append(128, count: 8) }
            }
        }
        return Self.unit(header: 0x65, bits)
    }

    /// Returns a picture that looks like the previous picture.
    ///
    /// - Parameter number: the number of pictures since the last key picture, from 1 on.
    func repeatedPicture(number: Int) -> [UInt8] {
        var bits = MostSignificantBits()
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(5)  // P
        bits.appendExpGolomb(0)
        bits.append(number % 16, count: 4)
        bits.append(0, count: 3)
        bits.appendExpGolomb(0)
        bits.appendExpGolomb(1)
        bits.appendExpGolomb(width / 16 * height / 16)  // all macroblocks are skipped
        return Self.unit(header: 0x41, bits)
    }

    /// Returns a unit of the stream, with escape bytes so that none of its bytes look like a start code.
    private static func unit(header: UInt8, _ content: MostSignificantBits) -> [UInt8] {
        var content = content
        content.append(1, count: 1)
        content.align()
        var unit = [header]
        var zeros = 0
        for byte in content.bytes {
            if zeros == 2, byte <= 3 {
                unit.append(3)
                zeros = 0
            }
            unit.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return unit
    }
}

/// Bits that fill bytes from the highest bit on.
private struct MostSignificantBits {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func append(_ value: Int, count: Int) {
        if free == 0, count == 8 { return bytes.append(UInt8(value)) }
        for place in (0..<count).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(free)
        }
    }

    mutating func appendExpGolomb(_ value: Int) {
        let code = value + 1
        let length = Int.bitWidth - code.leadingZeroBitCount
        append(code, count: 2 * length - 1)
    }

    mutating func align() {
        free = 0
    }
}
