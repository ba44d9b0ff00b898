// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An exact rate of frames.
package struct FrameRate: Sendable, Hashable {
    package let frames: Int
    package let seconds: Int

    /// - Returns: nil for a rate outside of 1:60 to 1000:1.
    package init?(frames: Int, seconds: Int) {
        guard frames > 0, seconds > 0, frames <= 1000 * seconds, seconds <= 60 * frames else { return nil }
        (self.frames, self.seconds) = (frames, seconds)
    }

    /// The time between two frames.
    package var interval: Duration { .seconds(seconds) / frames }
}
