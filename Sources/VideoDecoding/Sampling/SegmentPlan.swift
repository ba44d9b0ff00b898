// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The frames of a segment that are to be looked at.
struct SegmentPlan: Sendable, Equatable {
    /// The positions of the frames in decoding order.
    var wanted: [Int] = []
    /// Whether all frames have to be decoded, for their own sake or for the segments that follow.
    var decodesEverything = false
    /// The positions of wanted frames that were chosen only by the sizes of their packets.
    var evidence: Set<Int> = []

    init() {}
}
