// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

/// A decoder and what it is expected to give; it may go on from one segment to the next.
final class SegmentDecoder {
    let decoder: FrameDecoder
    var pending = PendingFrames()
    /// The frame that was decoded last, as far as the one before it is known too.
    var previous: FrameSignature?
    /// The moment of the frame that was looked at last, in microseconds.
    var latestLook: Int64?
    /// Whether a frame was broken, and none has come since that depends on no other.
    ///
    /// What is made up for it differs between programs, and even with the number of their threads; so does all that
    /// depends on it.
    var isTainted = false

    init(_ decoder: FrameDecoder) {
        self.decoder = decoder
    }
}
