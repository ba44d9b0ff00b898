// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Which frames of a segment are to be looked at.
package struct SegmentPlan: Sendable, Equatable {
    /// The positions of the frames in the order of decoding.
    package var wanted: [Int] = []
    /// Whether all frames have to be decoded, for themselves or for the segments that follow.
    package var decodesEverything = false
    /// Those of the wanted frames that are wanted for the sizes of their packets only.
    package var evidence: Set<Int> = []

    package init() {}
}
