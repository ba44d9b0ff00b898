// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The short-term reference frames that an HEVC frame lists, by their distances from it in the order of showing.
///
/// Source: ITU-T H.265, sections 7.3.7 and 7.4.8.
struct HEVCReferenceSet: Equatable {
    /// The distances of frames that are shown before this frame, all negative, the nearest first.
    var before: [Int] = []
    /// The distances of frames that are shown after this frame, all positive, the nearest first.
    var behind: [Int] = []

    /// Reads a set from a sequence parameter set or a slice header.
    ///
    /// - Parameters:
    ///   - known: the sets of the sequence that were read before.
    ///   - isInSlice: whether the set is part of a slice, and may be derived from any known set, not only the last.
    /// - Returns: nil if the bits hold no valid set.
    static func read(_ bits: inout BitReader, known: [HEVCReferenceSet], isInSlice: Bool) -> HEVCReferenceSet? {
        if !known.isEmpty, bits.flag() {
            let back = isInSlice ? bits.universal() + 1 : 1
            guard back <= known.count else { return nil }
            let set = known[known.count - back].altered(&bits)
            return set.before.count + set.behind.count <= mostFrames ? set : nil
        }
        let (beforeCount, behindCount) = (bits.universal(), bits.universal())
        guard beforeCount + behindCount <= mostFrames else { return nil }
        let before = distances(beforeCount, &bits).map { -$0 }
        return HEVCReferenceSet(before: before, behind: distances(behindCount, &bits))
    }

    private static func distances(_ count: Int, _ bits: inout BitReader) -> [Int] {
        var distance = 0
        return (0..<count).map { _ in
            distance += bits.universal() + 1
            bits.skip(1)
            return distance
        }
    }

    /// Returns a set derived from this set: all distances are shifted, and each frame is kept or left out.
    private func altered(_ bits: inout BitReader) -> HEVCReferenceSet {
        let sign = bits.flag() ? -1 : 1
        let shift = (bits.universal() + 1) * sign
        func kept(_ distances: [Int]) -> [Int?] {
            distances.map { distance in bits.flag() || bits.flag() ? distance + shift : nil }
        }
        let (before, behind, own) = (kept(before), kept(behind), kept([0]))
        return HEVCReferenceSet(
            before: (behind.reversed() + own + before).compactMap(\.self).filter { $0 < 0 },
            behind: (before.reversed() + own + behind).compactMap(\.self).filter { $0 > 0 })
    }

    /// The most frames that a set may list, because a decoder keeps no more.
    private static let mostFrames = 16
}

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

/// The fields of an HEVC picture parameter set that are needed to read the header of a slice.
///
/// Source: ITU-T H.265, section 7.3.2.3.
struct HEVCPicture {
    let identifier: Int
    let sequence: Int
    let hasOutputFlag: Bool
    let extraBitCount: Int

    /// - Parameter payload: the bytes behind the header of the unit, without emulation prevention bytes.
    init?(_ payload: [UInt8]) {
        var bits = BitReader(payload[...])
        (identifier, sequence) = (bits.universal(), bits.universal())
        bits.skip(1)
        hasOutputFlag = bits.flag()
        extraBitCount = bits.number(3)
        guard identifier < 64, sequence < 16, !bits.isExhausted else { return nil }
    }
}
