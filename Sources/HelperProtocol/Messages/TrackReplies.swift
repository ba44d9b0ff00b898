// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A file that was opened to look at all of its pictures.
package struct MediaReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The number of tracks; each has pictures, and all have to be looked at.
    package var trackCount: UInt16
    /// Whether the file has pictures that only the video decoder can show.
    package var needsVideoDecoder: Bool

    package init(format: MediaFormat, trackCount: UInt16, needsVideoDecoder: Bool = false) {
        self.format = format
        self.trackCount = trackCount
        self.needsVideoDecoder = needsVideoDecoder
    }
}

/// A track that was opened.
package struct TrackReply: Sendable, Equatable {
    /// Whether its pictures follow each other in time; otherwise each is a picture of its own.
    package var isTimed: Bool
    /// Whether of everything that is shown something will be said, so that nothing has to be looked up meanwhile.
    package var isComplete: Bool
    /// In microseconds; 0 where it is not known.
    package var duration: UInt64

    package init(isTimed: Bool, isComplete: Bool, duration: UInt64) {
        self.isTimed = isTimed
        self.isComplete = isComplete
        self.duration = duration
    }
}

/// When something is shown, in microseconds from the start of the track.
package struct TimeSpan: Sendable, Hashable {
    package var start: UInt64
    /// Later than `start`.
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

/// How far the decoder is in a track; it is sent when no frame has come for a while.
package struct TrackProgress: Sendable, Equatable {
    /// The share of the track that has been gone through, in 1/65535.
    package var share: UInt16
    /// In microseconds.
    package var position: UInt64

    package init(share: UInt16, position: UInt64) {
        self.share = share
        self.position = position
    }
}

/// What is to be said of a track when all of it has been gone through.
package struct TrackEnd: Sendable, Equatable {
    /// In microseconds, as far as frames have come.
    package var duration: UInt64
    package var decodedFrameCount: UInt64
    /// The longest stretch that should have been looked at and could not, in microseconds.
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
        /// The file ends before the track does.
        case truncated = 2
        case tooLong = 3
        case tooManyFrames = 4
        /// Pictures began in a stream that was not there at the start, and that is no track.
        case lateStream = 5
        /// The pictures of a track have more than one codec.
        case changedCodec = 6
        /// The file says of its tracks what cannot all be true, so that programs may show different ones.
        case contradiction = 7
        /// The file has a stream of pictures that is no track, since it cannot be decoded.
        case unknownStream = 8
        /// Programs show other colours, or another part of the frame, than can be made here.
        case doubtfulLook = 9
    }
}
