// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The form of a copy that shows what was judged.
package struct CopyEncoding: Sendable, Hashable {
    /// The format; nil for the format that keeps the media most like its file.
    package var format: Format?
    /// The quality of lossy formats, from 1 to 100.
    package var quality: Int
    /// The colour behind transparent pixels in a format without opacity.
    package var background: PictureEncoding.Background

    package init(format: Format?, quality: Int = 90, background: PictureEncoding.Background = .white) {
        (self.format, self.quality, self.background) = (format, quality, background)
    }

    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// The picture without loss; the first or the primary one of several.
        case png
        /// The picture with loss and without opacity; the first or the primary one of several.
        case jpeg
        /// The picture or the animation with loss.
        case webp
        /// The animation or the video with loss, without opacity and without sound.
        case mp4
    }
}
