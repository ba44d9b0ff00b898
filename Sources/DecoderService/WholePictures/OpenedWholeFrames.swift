// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The content of a file whose frames the app displays.
package enum OpenedWholeFrames {
    case session(any WholeFrameSession)
    /// The video decoder decodes the frames.
    case elsewhere(MediaReply)
}
