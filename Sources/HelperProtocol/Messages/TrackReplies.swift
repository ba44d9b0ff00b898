// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The reply about a video or a picture sequence that was opened.
package struct MediaReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The number of tracks, all of which have pictures and have to be analysed.
    package var trackCount: UInt16
    /// Whether the file has pictures that only the video decoder can decode.
    package var needsVideoDecoder: Bool

    package init(format: MediaFormat, trackCount: UInt16, needsVideoDecoder: Bool = false) {
        self.format = format
        self.trackCount = trackCount
        self.needsVideoDecoder = needsVideoDecoder
    }
}

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

/// A span of a track, in microseconds from its start.
package struct TimeSpan: Sendable, Hashable {
    package var start: UInt64
    /// The end, which is later than `start`.
    package var end: UInt64

    package init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    func write(to writer: inout ByteWriter) {
        writer.write(start)
        writer.write(end)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        self.init(start: try reader.read(), end: try reader.read())
    }
}

/// A frame, whose views are in the pixel memory.
package struct FrameReply: Sendable, Equatable {
    package var image: ImageReply
    package var shown: TimeSpan

    package init(image: ImageReply, shown: TimeSpan) {
        self.image = image
        self.shown = shown
    }
}

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

/// The final report on a track.
package struct TrackEnd: Sendable, Equatable {
    /// The length of the track in microseconds, up to the end of the last frame that came.
    package var duration: UInt64
    package var decodedFrameCount: UInt64
    /// The longest span of time in the track that should have been decoded but could not be, in microseconds.
    package var longestUnseen: UInt64
    package var reason: Reason

    package init(duration: UInt64, decodedFrameCount: UInt64, longestUnseen: UInt64, reason: Reason = .end) {
        self.duration = duration
        self.decodedFrameCount = decodedFrameCount
        self.longestUnseen = longestUnseen
        self.reason = reason
    }

    package enum Reason: UInt8, Sendable, CaseIterable {
        case end = 1
        /// The file ends before the track ends.
        case truncated = 2
        case tooLong = 3
        case tooManyFrames = 4
        /// A stream without a track has pictures: the stream began after the file was opened.
        case lateStream = 5
        /// The pictures of a track have more than one codec.
        case changedCodec = 6
        /// The file contradicts itself about its tracks, so other programs may show other tracks.
        case contradiction = 7
        /// The file has a stream of pictures that is not a track, because it cannot be decoded.
        case unknownStream = 8
        /// Other programs show colours or a crop of the frame that this decoder cannot reproduce.
        case doubtfulLook = 9
    }
}
