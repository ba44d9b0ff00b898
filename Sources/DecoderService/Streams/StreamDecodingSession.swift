// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A live stream that is being decoded.
package protocol StreamDecodingSession: AnyObject {
    /// Reads on until the next frame, and writes its planes to the memory.
    ///
    /// - Returns: the description of the frame; nil at the end of the stream.
    func nextFrame(into memory: MappedPixelMemory) throws(DecodingFailure) -> StreamFrameReply?
}
