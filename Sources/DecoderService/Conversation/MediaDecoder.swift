// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
package import HelperProtocol
package import ViewerAgreement

/// The decoding functions of a decoder process; the image decoder and the video decoder each have a library for them.
package protocol MediaDecoder {
    /// The size of the largest freed block of memory that is kept for reuse, in bytes.
    static var largestReusedBlock: Int { get }

    /// The decoding library and its version.
    var library: String { get }

    /// Decodes a file that holds one picture.
    func picture(
        in file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> FileAnswer<RenderedPicture>

    /// Opens a video or a picture sequence.
    func openMedia(
        _ file: InputFile, _ format: MediaFormat, _ request: MediaRequest
    ) throws(DecodingFailure) -> FileAnswer<any MediaSession>

    /// Opens a live stream, without waiting for its first bytes.
    ///
    /// - Parameters:
    ///   - pipe: the reading end of a pipe.
    ///   - readsOn: called while the stream is read, at least every 50 ms; false means that the stream is given up.
    func openStream(
        _ pipe: OwnedDescriptor, _ request: StreamRequest, readsOn: @escaping () -> Bool
    ) throws(DecodingFailure) -> any StreamSession
}

extension MediaDecoder {
    package func openStream(
        _ pipe: OwnedDescriptor, _ request: StreamRequest, readsOn: @escaping () -> Bool
    ) throws(DecodingFailure) -> any StreamSession {
        throw DecodingFailure(.unsupportedContainer)
    }
}

/// A live stream that is being decoded.
package protocol StreamSession: AnyObject {
    /// Reads on until the next frame, and writes its planes to the memory.
    ///
    /// - Returns: the description of the frame; nil at the end of the stream.
    func nextFrame(into memory: MappedPixelMemory) throws(DecodingFailure) -> StreamFrameReply?
}

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

/// The result of one step through a video track or through the pictures of a file.
package enum TrackAnswer {
    case frame(RenderedPicture, TimeSpan)
    case repetition(TimeSpan)
    case progress(TrackProgress)
    case end(TrackEnd)
}

/// A period of work of 150 ms, after which the decoder reports its progress to the host.
package struct WorkSlice {
    private let end = ContinuousClock.now + .milliseconds(150)

    package init() {}

    /// The time until the end of the period; zero after its end.
    package var rest: Duration { max(.zero, end - ContinuousClock.now) }

    package var isOver: Bool { ContinuousClock.now >= end }
}
