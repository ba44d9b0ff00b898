// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame, whose views are in the pixel memory.
package struct FrameReply: Sendable, Equatable {
    package var image: ImageReply
    package var shown: TimeSpan

    package init(image: ImageReply, shown: TimeSpan) {
        self.image = image
        self.shown = shown
    }
}
