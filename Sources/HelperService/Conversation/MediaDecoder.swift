// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol
package import MediaInspection

/// What a decoder process can do; one library or the other does it.
package protocol MediaDecoder {
    /// The largest block of memory that is kept for the next one which needs as much, in bytes.
    static var largestReusedBlock: Int { get }

    /// The decoding library and its version.
    var library: String { get }

    /// Decodes a file that holds one picture.
    func picture(
        in file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> FileAnswer<RenderedPicture>

    /// Opens a file to look at all of its pictures.
    func openMedia(
        _ file: InputFile, _ format: MediaFormat, _ request: MediaRequest
    ) throws(DecodingFailure) -> FileAnswer<any MediaSession>
}

/// An open file with any number of tracks, of which one is gone through at a time.
package protocol MediaSession: AnyObject {
    var media: MediaReply { get }

    /// Turns to the start of a track.
    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply

    /// Goes on to the next frame that is worth a look, for a fraction of a second.
    func nextFrame() throws(DecodingFailure) -> TrackAnswer

    /// Finds the frame that is shown at a moment, in microseconds, wherever the track is at.
    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer
}

/// What has come of going on.
package enum TrackAnswer {
    case frame(RenderedPicture, TimeSpan)
    case repetition(TimeSpan)
    case progress(TrackProgress)
    case end(TrackEnd)
}

/// A period of work, after which the decoder reports its progress to the host.
package struct WorkSlice {
    private let end = ContinuousClock.now + .milliseconds(150)

    package init() {}

    /// The time that is left.
    package var rest: Duration { max(.zero, end - ContinuousClock.now) }

    package var isOver: Bool { ContinuousClock.now >= end }
}
