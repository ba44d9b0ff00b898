// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How much of a video is looked at.
package enum SamplingPreset: UInt8, Sendable, CaseIterable {
    /// Key frames about two seconds apart; misses what is shown between them.
    case fast = 1
    /// Key frames, and what the sizes of the packets between them give away.
    case balanced = 2
    /// Every frame that differs from the last one that was looked at.
    case thorough = 3
    /// Every frame is decoded, and looked at when the scene changes and at least four times a second: for children.
    case protective = 4

    /// Whether every frame has to be decoded.
    package var decodesEverything: Bool { self == .thorough || self == .protective }
}
