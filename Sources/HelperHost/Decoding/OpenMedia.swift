// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc
package import HelperProtocol

/// A file that is open in a decoder; its functions check each reply of the decoder.
package struct OpenMedia: Sendable {
    package let format: MediaFormat
    package let trackCount: Int
    /// The place of pictures that only the video decoder can decode; nil if there are none.
    package let sequence: SequencePlace?
    private let conversation: HelperConversation
    private let request: OpenRequest
    private let frameCount = FrameCount()

    init(_ media: MediaReply, _ conversation: HelperConversation, _ request: OpenRequest) throws(HelperLie) {
        guard media.trackCount <= Self.maximumTrackCount else { throw HelperLie() }
        format = media.format
        trackCount = Int(media.trackCount)
        sequence = media.sequence
        self.conversation = conversation
        self.request = request
    }

    /// The time for which the decoder has worked on the file.
    package var work: Duration { conversation.work }

    /// The facts about an opened track: a video track, or the pictures of a file.
    package struct Track: Sendable, Hashable {
        /// Whether the pictures follow each other in time; otherwise they are independent pictures, such as pages.
        package let isTimed: Bool
        /// Whether the steps cover everything that the track shows, so that the host need not look up single moments.
        package let isComplete: Bool
        /// The length of the track, or nil if it is unknown.
        package let duration: Duration?
    }

    /// The result of one step through a video track or through the pictures of a file.
    package enum Event: Sendable {
        case frame(DecodedPicture, start: Duration, end: Duration)
        /// A span in which the track looks like the last frame that was sent.
        case repetition(start: Duration, end: Duration)
        /// The share of the track that is done, from 0 to 1, and the position in the track.
        case progress(Double, Duration)
        case end(End)
    }

    /// The final report on a track.
    package struct End: Sendable, Hashable {
        package let duration: Duration
        package let decodedFrameCount: Int
        /// The longest span of time in the track that should have been decoded but could not be.
        package let longestUnseen: Duration
        package let reason: TrackEnd.Reason
    }

    /// Opens the track with an index from 0 on, at its start.
    package func openTrack(_ index: Int) async throws -> Track {
        switch try await exchange(.openTrack(UInt16(clamping: index))).reply {
        case .track(let track):
            return Track(
                isTimed: track.isTimed, isComplete: track.isComplete,
                duration: track.duration == 0 ? nil : try Self.moment(track.duration))
        case .failure(let failure): throw AnalysisFailure(failure)
        default: throw HelperLie()
        }
    }

    /// Continues to the next frame that needs a score, or reports progress after a fraction of a second.
    package func next() async throws -> Event {
        try event(try await exchange(.nextFrame))
    }

    /// Finds the frame that is shown at a moment, independently of the current position in the track.
    package func frame(shownAt moment: Duration) async throws -> Event {
        try event(try await exchange(.frameShown(at: moment.microseconds)))
    }

    /// Sends a request; if the time runs out, it throws `AnalysisFailure`, so that the caller keeps earlier results.
    private func exchange(_ request: DecoderRequest) async throws -> HelperAnswer {
        do {
            return try await conversation.exchange(request)
        } catch let error as HelperProcessError
            where [.timedOut, .stopped, .ended(.signalled(SIGXCPU))].contains(error)
        {
            try Task.checkCancellation()
            throw conversation.failureOfTimeOut(error)
        }
    }

    private func event(_ answer: HelperAnswer) throws -> Event {
        let event = try unlimitedEvent(answer)
        try frameCount.check(event, within: request)
        return event
    }

    private func unlimitedEvent(_ answer: HelperAnswer) throws -> Event {
        switch answer.reply {
        case .frame(let frame):
            let picture = try DecodedPicture(frame.image, answer.memory, answering: request.picture)
            let (start, end) = try Self.moments(frame.shown)
            return .frame(picture, start: start, end: end)
        case .repetition(let span):
            let (start, end) = try Self.moments(span)
            return .repetition(start: start, end: end)
        case .progress(let progress):
            return .progress(Double(progress.share) / 65_535, try Self.moment(progress.position))
        case .trackEnd(let end): return .end(try End(end))
        case .failure(let failure): throw AnalysisFailure(failure)
        default: throw HelperLie()
        }
    }

    static func moments(_ span: TimeSpan) throws(HelperLie) -> (Duration, Duration) {
        guard span.start < span.end else { throw HelperLie() }
        return (try moment(span.start), try moment(span.end))
    }

    static func moment(_ microseconds: UInt64) throws(HelperLie) -> Duration {
        // 2^52 microseconds are over a hundred years. Sums of such moments do not overflow.
        guard microseconds <= 1 << 52 else { throw HelperLie() }
        return .microseconds(Int64(microseconds))
    }

    private static let maximumTrackCount = 64
    /// More frames than any file has, and so few that sums do not overflow.
    fileprivate static let maximumDecodedFrameCount: UInt64 = 1 << 40
}

extension OpenMedia.End {
    /// Checks the numbers of a decoder.
    init(_ end: TrackEnd) throws(HelperLie) {
        guard end.decodedFrameCount <= OpenMedia.maximumDecodedFrameCount else { throw HelperLie() }
        self.init(
            duration: try OpenMedia.moment(end.duration), decodedFrameCount: Int(end.decodedFrameCount),
            longestUnseen: try OpenMedia.moment(end.longestUnseen), reason: end.reason)
    }
}
