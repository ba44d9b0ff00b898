// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc
package import HelperProtocol
internal import Synchronization

/// A file that a decoder has open, whose answers are checked one by one.
package struct OpenMedia: Sendable {
    package let format: MediaFormat
    package let trackCount: Int
    /// Whether the file has pictures that only the video decoder can show.
    package let needsVideoDecoder: Bool
    private let conversation: HelperConversation
    private let request: MediaRequest
    private let frameCount = FrameCount()

    init(_ media: MediaReply, _ conversation: HelperConversation, _ request: MediaRequest) throws(HelperLie) {
        guard media.trackCount <= Self.maximumTrackCount else { throw HelperLie() }
        format = media.format
        trackCount = Int(media.trackCount)
        needsVideoDecoder = media.needsVideoDecoder
        self.conversation = conversation
        self.request = request
    }

    /// A track that was opened.
    package struct Track: Sendable, Hashable {
        /// Whether its pictures follow each other in time; otherwise each is a picture of its own.
        package let isTimed: Bool
        /// Whether of everything that is shown something will be said.
        package let isComplete: Bool
        /// Nil where it is not known.
        package let duration: Duration?
    }

    /// What has come of going on.
    package enum Event: Sendable {
        case frame(DecodedPicture, start: Duration, end: Duration)
        /// What is shown looks like the frame that came last.
        case repetition(start: Duration, end: Duration)
        /// The share of the track that has been gone through, from 0 to 1, and the moment.
        case progress(Double, Duration)
        case end(End)
    }

    /// What is to be said of a track when all of it has been gone through.
    package struct End: Sendable, Hashable {
        package let duration: Duration
        package let decodedFrameCount: Int
        /// The longest stretch that should have been looked at and could not.
        package let longestUnseen: Duration
        package let reason: TrackEnd.Reason
    }

    /// Turns to the start of a track.
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

    /// Goes on to the next frame that is worth a look, for a fraction of a second.
    package func next() async throws -> Event {
        try event(try await exchange(.nextFrame))
    }

    /// Finds the frame that is shown at a moment, wherever the track is at.
    package func frame(shownAt moment: Duration) async throws -> Event {
        try event(try await exchange(.frameShown(at: moment.microseconds)))
    }

    /// - Throws: `AnalysisFailure` where time has run out, so that a user keeps what was found before.
    private func exchange(_ request: HelperRequest) async throws -> HelperAnswer {
        do {
            return try await conversation.exchange(request)
        } catch HelperProcessError.timedOut, HelperProcessError.ended(.signalled(SIGXCPU)) {
            try Task.checkCancellation()
            throw conversation.failureOfTimeOut()
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
        case .trackEnd(let end):
            guard end.decodedFrameCount <= Self.maximumDecodedFrameCount else { throw HelperLie() }
            return .end(
                End(
                    duration: try Self.moment(end.duration), decodedFrameCount: Int(end.decodedFrameCount),
                    longestUnseen: try Self.moment(end.longestUnseen), reason: end.reason))
        case .failure(let failure): throw AnalysisFailure(failure)
        default: throw HelperLie()
        }
    }

    private static func moments(_ span: TimeSpan) throws(HelperLie) -> (Duration, Duration) {
        guard span.start < span.end else { throw HelperLie() }
        return (try moment(span.start), try moment(span.end))
    }

    private static func moment(_ microseconds: UInt64) throws(HelperLie) -> Duration {
        // A hundred years; sums of such moments are far from overflowing.
        guard microseconds <= 1 << 52 else { throw HelperLie() }
        return .microseconds(Int64(microseconds))
    }

    private static let maximumTrackCount = 64
    /// More than any file has, and far from what sums of them could overflow.
    private static let maximumDecodedFrameCount: UInt64 = 1 << 40
}

/// Whether what a decoder says of a file is no more than it may be.
///
/// A decoder keeps the limits itself; one that was taken over must not keep the host at work by not doing so. The order
/// of frames means nothing: a decoder goes back where it could not decode at first.
final class FrameCount: Sendable {
    /// In all tracks together, as the limit is meant.
    private let count = Mutex(0)

    /// - Throws: where there are more frames than were allowed, or one behind the last moment that was.
    func check(_ event: OpenMedia.Event, within request: MediaRequest) throws(HelperLie) {
        switch event {
        case .frame(_, let start, _), .repetition(let start, _):
            let isTooMany = count.withLock { count in
                count += 1
                return count > request.limits.maximumFrameCount
            }
            guard !isTooMany, start <= request.limits.maximumDuration else { throw HelperLie() }
        case .progress, .end: break
        }
    }
}
