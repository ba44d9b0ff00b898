// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// An open file with any number of tracks, which are decoded one at a time.
package protocol MediaSession: AnyObject {
    var media: MediaReply { get }

    /// Opens the track with an index from 0 on, at its start.
    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply

    /// Continues to the next frame that needs a score, or reports progress after a fraction of a second.
    func nextFrame() throws(DecodingFailure) -> TrackAnswer

    /// Searches for the frame that is shown at a moment in microseconds, or reports progress after a fraction of a
    /// second; the position of `nextFrame` stays as it is.
    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer
}
