// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Reads the header of a VP8 frame, up to the fields that replace reference frames.
///
/// Source: RFC 6386, sections 7, 9 and 19.2.
struct VP8Header {
    private var bytes: ArraySlice<UInt8>
    private var (value, range, bitCount) = (0, 255, 0)

    /// Whether a frame swaps the golden and alternate reference frames; libvpx replaces one after the other instead.
    ///
    /// - Parameter bytes: the first `mostBytes` bytes of the frame, or all of it.
    static func exchangesReferences(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 3, bytes[0] & 1 == 1 else { return false }
        var header = VP8Header(bytes: bytes[3...])
        return header.exchangesReferences()
    }

    /// The most bytes that are read; all fields up to the replaced reference frames have fewer.
    static let mostBytes = 128

    private init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        value = next() << 8 | next()
    }

    private mutating func exchangesReferences() -> Bool {
        skipSegments()
        // The kind of the loop filter, its level, and its sharpness.
        _ = number(10)
        if number(1) == 1, number(1) == 1 { for _ in 0..<8 { skipOptional(7) } }
        // The number of partitions, and an index of quantizers.
        _ = number(9)
        for _ in 0..<5 { skipOptional(5) }
        let (refreshesGolden, refreshesAlternate) = (number(1) == 1, number(1) == 1)
        let golden = refreshesGolden ? 0 : number(2)
        let alternate = refreshesAlternate ? 0 : number(2)
        return golden == 2 && alternate == 2
    }

    private mutating func skipSegments() {
        guard number(1) == 1 else { return }
        let (hasMap, hasData) = (number(1) == 1, number(1) == 1)
        if hasData {
            _ = number(1)
            for _ in 0..<4 { skipOptional(8) }
            for _ in 0..<4 { skipOptional(7) }
        }
        if hasMap { for _ in 0..<3 { skipOptional(8) } }
    }

    /// Skips a number of so many bits, if the bit before it is set.
    private mutating func skipOptional(_ count: Int) {
        if number(1) == 1 { _ = number(count) }
    }

    private mutating func number(_ count: Int) -> Int {
        (0..<count).reduce(0) { number, _ in number << 1 | bit() }
    }

    /// Returns the next bit, for which 0 and 1 are equally likely.
    private mutating func bit() -> Int {
        let split = 1 + ((range - 1) * 128) >> 8
        let isOne = value >= split << 8
        if isOne {
            range -= split
            value -= split << 8
        } else {
            range = split
        }
        while range < 128 {
            value <<= 1
            range <<= 1
            bitCount += 1
            if bitCount == 8 {
                bitCount = 0
                value |= next()
            }
        }
        return isOne ? 1 : 0
    }

    /// Returns the next byte, or 0 behind the end of the partition.
    private mutating func next() -> Int { bytes.popFirst().map { Int($0) } ?? 0 }
}
