// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reply about a track that was opened: a video track, or the pictures of a file.
package struct TrackReply: Sendable, Equatable {
    /// Whether the pictures follow each other in time; otherwise they are independent pictures, such as pages.
    package var isTimed: Bool
    /// Whether the replies cover everything that the track shows, so that the host need not look up single moments.
    package var isComplete: Bool
    /// The length of the track in microseconds, or 0 if it is unknown.
    package var duration: UInt64

    package init(isTimed: Bool, isComplete: Bool, duration: UInt64) {
        self.isTimed = isTimed
        self.isComplete = isComplete
        self.duration = duration
    }
}
