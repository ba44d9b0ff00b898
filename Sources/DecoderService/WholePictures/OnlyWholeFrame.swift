// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// The picture of a file that does not move, as its only frame.
package final class OnlyWholeFrame: WholeFrameSession {
    package let description: WholeFramesReply
    private let write: (WholePictureOutput) throws(DecodingFailure) -> Bool
    private var isAtEnd = false

    /// - Parameter write: decodes the picture into the host's memory, and returns whether parts are damaged.
    package init(_ format: MediaFormat, write: @escaping (WholePictureOutput) throws(DecodingFailure) -> Bool) {
        description = WholeFramesReply(format: format, isTimed: false, duration: 0)
        self.write = write
    }

    package func nextFrame(to output: WholePictureOutput) throws(DecodingFailure) -> WholeFrameAnswer {
        guard !isAtEnd else { return .end(TrackEnd(duration: 0, decodedFrameCount: 1, longestUnseen: 0)) }
        isAtEnd = true
        output.shown = TimeSpan(start: 0, end: 1)
        return .written(isDamaged: try write(output))
    }
}
