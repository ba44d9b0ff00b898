// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Reads numbers of any number of bits, the upper bit first; beyond the end, all bits are 0.
package struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Whether more bits were read than there are.
    package var isExhausted: Bool { position > bytes.count * 8 }

    package mutating func skip(_ count: Int) { position += count }

    package mutating func flag() -> Bool { number(1) == 1 }

    package mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let byte = bytes.startIndex + position / 8
            value = value << 1 | (byte < bytes.endIndex ? Int(bytes[byte] >> (7 - UInt8(position % 8)) & 1) : 0)
            position += 1
        }
        return value
    }

    /// Reads a number whose leading zeros give its number of bits: ue(v) in ITU-T H.264 and H.265, uvlc() in AV1.
    package mutating func universal() -> Int {
        var zeros = 0
        while zeros < 32, !isExhausted, !flag() { zeros += 1 }
        return 1 << zeros - 1 + number(zeros)
    }
}
