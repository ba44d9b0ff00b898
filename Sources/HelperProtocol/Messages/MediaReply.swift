// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The reply about a video or a picture sequence that was opened.
package struct MediaReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The number of tracks, all of which have pictures and have to be analysed.
    package var trackCount: UInt16
    /// Whether the file has pictures that only the video decoder can decode.
    package var sequence: SequencePlace?

    package init(format: MediaFormat, trackCount: UInt16, sequence: SequencePlace? = nil) {
        self.format = format
        self.trackCount = trackCount
        self.sequence = sequence
    }
}
