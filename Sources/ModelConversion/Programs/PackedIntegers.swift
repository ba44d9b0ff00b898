// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Integers of a few bits each, which are packed without gaps from the lowest bit of each byte on.
struct PackedIntegers {
    private let bytes: ArraySlice<UInt8>
    private let bitCount: Int

    /// - Parameter bitCount: the number of bits of an integer, from 1 to 8.
    init(_ bytes: ArraySlice<UInt8>, bitCount: Int) {
        (self.bytes, self.bitCount) = (bytes, bitCount)
    }

    /// - Parameter isSigned: whether the highest bit is a sign.
    func value(_ index: Int, isSigned: Bool = false) -> Int {
        let place = index * bitCount
        let first = bytes.startIndex + place / 8
        let next = first + 1 < bytes.endIndex ? Int(bytes[first + 1]) : 0
        let value = (Int(bytes[first]) | next << 8) >> (place % 8) & (1 << bitCount - 1)
        return isSigned && value >= 1 << (bitCount - 1) ? value - 1 << bitCount : value
    }
}
