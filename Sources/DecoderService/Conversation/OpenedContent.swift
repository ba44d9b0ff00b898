// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The content of a file that a decoder has opened.
package enum OpenedContent {
    /// The only picture of the file.
    case picture(RenderedPicture)
    /// The tracks of a video, or the pictures of an animation or of pages.
    case session(any MediaSession)
}
