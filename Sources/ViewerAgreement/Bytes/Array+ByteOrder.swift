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
