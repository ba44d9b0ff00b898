// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The decoder's progress in a track, sent when no frame has come for a while.
package struct TrackProgress: Sendable, Equatable {
    /// The share of the track that is done, from 0 to 65,535 for the whole track.
    package var share: UInt16
    /// The position in the track, in microseconds.
    package var position: UInt64

    package init(share: UInt16, position: UInt64) {
        self.share = share
        self.position = position
    }
}
