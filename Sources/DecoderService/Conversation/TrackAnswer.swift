// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The result of one step through a video track or through the pictures of a file.
package enum TrackAnswer {
    case frame(RenderedPicture, TimeSpan)
    case repetition(TimeSpan)
    case progress(TrackProgress)
    case end(TrackEnd)
}
