// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// An open file whose frames the app displays, which are decoded one after the other.
package protocol WholeFrameSession: AnyObject {
    var description: WholeFramesReply { get }

    /// Decodes the next frame into the host's memory.
    ///
    /// - Parameter output: tells the host the size and the time of the frame, and then has the memory.
    func nextFrame(to output: WholePictureOutput) throws(DecodingFailure) -> WholeFrameAnswer
}
