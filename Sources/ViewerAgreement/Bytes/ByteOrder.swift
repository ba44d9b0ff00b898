// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension Array where Element == UInt8 {
    /// Returns the little-endian number at a position, or nil if the bytes end before it.
    package func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        at offset: Int, as _: Value.Type = Value.self
    ) -> Value? {
        number(at: offset) { $0 * 8 }
    }

    /// Returns the big-endian number at a position, or nil if the bytes end before it.
    package func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(
        at offset: Int, as _: Value.Type = Value.self
    ) -> Value? {
        number(at: offset) { Value.bitWidth - 8 - $0 * 8 }
    }

    private func number<Value: FixedWidthInteger & UnsignedInteger>(
        at offset: Int, shift: (Int) -> Int
    ) -> Value? {
        let size = Value.bitWidth / 8
        guard offset >= 0, count >= size, offset <= count - size else { return nil }
        return (0..<size).reduce(Value(0)) { $0 | Value(self[offset + $1]) << Value(shift($1)) }
    }

    /// Returns whether the ASCII text stands at a position.
    package func hasText(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= text.utf8CodeUnitCount else { return false }
        return unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            .elementsEqual(self[offset..<(offset + text.utf8CodeUnitCount)])
    }
}

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

/// The check sum of a PNG chunk.
///
/// Source: "Portable Network Graphics (PNG) Specification (Third Edition)", annex D.
package enum PNGChecksum {
    /// - Parameter bytes: the name and the content of the chunk.
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}
