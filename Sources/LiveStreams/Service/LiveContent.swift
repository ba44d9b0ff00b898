// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

/// The pixels of a frame that are analysed.
package enum LiveContent: Sendable {
    /// A frame in memory of the app.
    case pixels(VideoPixels)
    /// A frame that a decoder has reduced.
    case views(DecodedPicture)
}
