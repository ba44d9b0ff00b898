// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The selection of the frames of a video that are analysed.
package enum SamplingPreset: UInt8, Sendable, CaseIterable {
    /// Keyframes about two seconds apart; content between them is missed.
    case fast = 1
    /// Keyframes, and frames between them if the sizes of their packets indicate other content.
    case balanced = 2
    /// Every frame that differs from the last analysed frame.
    case thorough = 3
    /// For children: every frame is decoded, and a frame is analysed at scene changes and at least four times a second.
    case protective = 4

    /// Whether every frame has to be decoded.
    package var decodesEverything: Bool { self == .thorough || self == .protective }
}
