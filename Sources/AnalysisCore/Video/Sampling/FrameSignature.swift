// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame as a grid of averages for each of its planes, by which near-identical frames are told apart from others.
package struct FrameSignature: Sendable, Equatable {
    /// The averages of all planes, one grid after the other, in 1/64 of a level of 8 bits.
    package let averages: [UInt16]
    /// The mean differences between neighbouring samples in the same blocks: a mosaic has the averages of what it hides.
    package let details: [UInt16]

    package init(averages: [UInt16], details: [UInt16] = []) {
        self.averages = averages
        self.details = details
    }

    /// The number of blocks along each edge of a plane.
    package static let side = 32
    /// The number of blocks of a plane.
    package static let blockCount = side * side

    /// How far two frames are apart.
    package struct Difference: Sendable, Equatable {
        /// The largest difference of a block, in levels of 8 bits.
        package var largest: Double
        /// The mean difference of all blocks, in levels of 8 bits.
        package var mean: Double
        /// The share of blocks that differ by `change` or more.
        package var changedShare: Double

        /// Whether a score would be the same.
        ///
        /// Encoders move the blocks of a still picture by a level or less; a picture laid over another at an opacity of
        /// a few in a hundred moves some by more.
        package var isNegligible: Bool { largest < 2 }
        /// Whether any block shows something else.
        package var hasChangedBlock: Bool { largest >= Self.change }
        /// Whether something else is shown, and not the same moved a little.
        package var isAnotherScene: Bool { mean > 10 }
        /// Whether something else is shown in a part of the picture: in about an eighth, where only light differs.
        package var isAnotherPart: Bool { changedShare >= 1.0 / 24 }

        /// The least difference of a block that shows something else, in levels of 8 bits.
        fileprivate static let change = 24.0
    }

    /// The difference, or nil where the frames have different planes and so cannot be compared.
    package func difference(to other: FrameSignature) -> Difference? {
        guard averages.count == other.averages.count, details.count == other.details.count, !averages.isEmpty else {
            return nil
        }
        var largest = 0
        for index in details.indices { largest = max(largest, abs(Int(details[index]) - Int(other.details[index]))) }
        let change = Int(Difference.change * 64)
        var (sum, changedCount) = (0, 0)
        for index in averages.indices {
            let distance = abs(Int(averages[index]) - Int(other.averages[index]))
            largest = max(largest, distance)
            sum += distance
            if distance >= change { changedCount += 1 }
        }
        let count = Double(averages.count)
        return Difference(
            largest: Double(largest) / 64, mean: Double(sum) / count / 64, changedShare: Double(changedCount) / count)
    }
}
