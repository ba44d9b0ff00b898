// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The result of one step through the frames that the app displays.
package enum WholeFrameAnswer {
    /// The pixels are in the memory of the output.
    case written(isDamaged: Bool)
    case end(TrackEnd)
}
