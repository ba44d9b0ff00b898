// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How the judged frames of an animation or a video are encoded.
package struct SequenceEncoding: Sendable, Hashable {
    package var format: Format
    /// The quality, from 1 to 100.
    package var quality: Int
    /// The colour over which transparent pixels are laid in a format without opacity.
    package var background: PictureEncoding.Background
    /// How often an animation is shown; 0 means without end.
    package var loopCount: Int

    package init(
        format: Format, quality: Int = 90, background: PictureEncoding.Background = .white, loopCount: Int = 0
    ) {
        (self.format, self.quality, self.background) = (format, quality, background)
        self.loopCount = loopCount
    }

    package enum Format: UInt8, Sendable, Hashable, CaseIterable {
        /// An animated WebP.
        case webp = 1
        /// H.264 in MP4, without sound.
        case mp4 = 2
    }
}
