// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A frame of a device.
package struct CapturedFrame: Sendable {
    package var content: Content
    /// The time since the first frame.
    package var moment: Duration

    package enum Content: Sendable {
        /// Planes of luma and of both colours, without padding.
        case planes(VideoPixels, AnonymousMemory)
        /// A JPEG picture, which is decoded in a closed process.
        case jpeg([UInt8])
    }
}
