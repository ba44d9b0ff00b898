// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperHost

/// The frames of a track, found by a decoder.
protocol TrackFrames: Sendable {
    /// Goes on to the next frame that is worth a look, for a fraction of a second.
    func next() async throws -> OpenMedia.Event
    /// Finds the frame that is shown at a moment, wherever the track is at.
    func frame(shownAt moment: Duration) async throws -> OpenMedia.Event
}

extension OpenMedia: TrackFrames {}
