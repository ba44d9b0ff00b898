// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The fields of an HEVC sequence parameter set that are needed to read the header of a slice.
///
/// Source: ITU-T H.265, sections 7.3.2.2, 7.3.3 and 7.3.4.
struct HEVCSequence {
    let identifier: Int
    let hasSeparateColours: Bool
    /// The number of lower bits of a frame's number (picture order count) that a slice header holds.
    let orderBits: Int
    let sets: [HEVCReferenceSet]
    let hasLongTermFrames: Bool
    /// The number of long-term reference frames that the sequence parameter set lists.
    let longTermCount: Int

    /// - Parameter payload: the bytes behind the header of the unit, without emulation prevention bytes.
    init?(_ payload: [UInt8]) {
        var bits = BitReader(payload[...])
        bits.skip(4)
        let layers = bits.number(3)
        bits.skip(1)
        Self.skipProfile(&bits, layers)
        identifier = bits.universal()
        let chroma = bits.universal()
        hasSeparateColours = chroma == 3 && bits.flag()
        for _ in 0..<2 { _ = bits.universal() }
        if bits.flag() { for _ in 0..<4 { _ = bits.universal() } }
        for _ in 0..<2 { _ = bits.universal() }
        orderBits = bits.universal() + 4
        for _ in (bits.flag() ? 0 : layers)...layers { for _ in 0..<3 { _ = bits.universal() } }
        for _ in 0..<6 { _ = bits.universal() }
        if bits.flag(), bits.flag() { Self.skipScaling(&bits) }
        bits.skip(2)
        if bits.flag() {
            bits.skip(8)
            for _ in 0..<2 { _ = bits.universal() }
            bits.skip(1)
        }
        let setCount = bits.universal()
        guard identifier < 16, orderBits <= 16, setCount <= 64 else { return nil }
        var sets: [HEVCReferenceSet] = []
        for _ in 0..<setCount {
            guard let set = HEVCReferenceSet.read(&bits, known: sets, isInSlice: false) else { return nil }
            sets.append(set)
        }
        self.sets = sets
        hasLongTermFrames = bits.flag()
        longTermCount = hasLongTermFrames ? bits.universal() : 0
        guard !bits.isExhausted else { return nil }
    }

    private static func skipProfile(_ bits: inout BitReader, _ layers: Int) {
        bits.skip(96)
        let parts = (0..<layers).map { _ in (hasProfile: bits.flag(), hasLevel: bits.flag()) }
        if layers > 0 { bits.skip(2 * (8 - layers)) }
        for part in parts { bits.skip((part.hasProfile ? 88 : 0) + (part.hasLevel ? 8 : 0)) }
    }

    private static func skipScaling(_ bits: inout BitReader) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard bits.flag() else {
                    _ = bits.universal()
                    continue
                }
                for _ in 0..<(min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0)) { _ = bits.universal() }
            }
        }
    }
}
