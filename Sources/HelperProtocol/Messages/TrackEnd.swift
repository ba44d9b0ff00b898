// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

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
        case otherLook = 9

        package init(_ kind: Disagreement.Kind) {
            self =
                switch kind {
                case .contradiction: .contradiction
                case .otherLook: .otherLook
                case .changedCodec: .changedCodec
                case .unknownStream: .unknownStream
                }
        }
    }
}
