// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperHost

/// A source of the frames of a track.
protocol TrackFrames: Sendable {
    /// The time for which the decoder has worked on the file.
    var work: Duration { get }
    /// Searches for the next frame to analyse, for a fraction of a second at most.
    func next() async throws -> OpenMedia.Event
    /// Finds the frame that is shown at a moment, from any position in the track.
    func frame(shownAt moment: Duration) async throws -> OpenMedia.Event
}
