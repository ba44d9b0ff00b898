// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderProtocol

/// A decoder and what it is expected to give; it may go on from one segment to the next.
final class SegmentDecoder {
    let decoder: FrameDecoder
    var pending = PendingFrames()
    /// The frame that was decoded last, as far as the one before it is known too.
    var previous: FrameSignature?

    init(_ decoder: FrameDecoder) {
        self.decoder = decoder
    }
}
