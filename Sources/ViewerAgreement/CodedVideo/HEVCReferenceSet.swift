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
