// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The sequence header of AV1 data, read up to its colours.
///
/// Source: AV1 bitstream specification, sections 5.5.1 and 5.5.2.
struct AV1SequenceHeader {
    /// The code points of the colours; nil if the header has none.
    let colours: CodePoints?
    /// The number of operating points, each of which has some of the layers.
    let pointCount: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes)
        let profile = bits.number(3)
        bits.skip(1)
        let isReduced = bits.flag()
        var pointCount = 1
        if isReduced { bits.skip(5) } else { pointCount = Self.skipOperatingPoints(&bits) }
        self.pointCount = pointCount
        let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
        bits.skip(widthBits + heightBits)
        if !isReduced, bits.flag() { bits.skip(7) }
        bits.skip(3)
        if !isReduced { Self.skipTools(&bits) }
        bits.skip(3)
        let isHigh = bits.flag()
        if profile == 2, isHigh { bits.skip(1) }
        if profile != 1 { bits.skip(1) }
        colours =
            bits.flag()
            ? CodePoints(primaries: bits.number(8), transfer: bits.number(8), matrix: bits.number(8)) : nil
        guard !bits.isExhausted else { return nil }
    }

    /// Returns the number of operating points.
    private static func skipOperatingPoints(_ bits: inout BitReader) -> Int {
        var delayBits = 0
        var hasModel = false
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { _ = bits.universal() }
            hasModel = bits.flag()
            if hasModel {
                delayBits = bits.number(5) + 1
                bits.skip(42)
            }
        }
        let hasDelay = bits.flag()
        let count = bits.number(5) + 1
        for _ in 0..<count {
            bits.skip(12)
            if bits.number(5) > 7 { bits.skip(1) }
            if hasModel, bits.flag() { bits.skip(2 * delayBits + 1) }
            if hasDelay, bits.flag() { bits.skip(4) }
        }
        return count
    }

    private static func skipTools(_ bits: inout BitReader) {
        bits.skip(4)
        let hasOrder = bits.flag()
        if hasOrder { bits.skip(2) }
        let screenTools = bits.flag() ? 2 : bits.number(1)
        if screenTools > 0, !bits.flag() { bits.skip(1) }
        if hasOrder { bits.skip(3) }
    }
}
