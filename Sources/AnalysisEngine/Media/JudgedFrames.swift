// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import Hashing
package import HelperHost
internal import HelperProtocol

/// The frames of a file that the app displays, all of which were judged or look the same as judged ones.
package struct JudgedFrames: Sendable {
    /// The verdict on all frames together.
    package let analysis: MediaAnalysis
    /// The number of frames.
    package var count: Int { digests.count }
    /// How often an animation is shown; 0 means without end.
    package let loopCount: Int
    /// Whether frames or parts of frames are missing, because the file is damaged or incomplete.
    package let isDamaged: Bool
    /// The size of the first frame as it is given out, in pixels.
    package let size: (width: Int, height: Int)
    /// The hashes of the pixels of all frames, in their order; a frame with other pixels is judged once more.
    let digests: [SHA256Digest]
    /// The frames themselves, if they fit into the memory that is set aside for them.
    let kept: [WholeFrame]?
    /// The decoder that decodes the frames, and the place of the frames in a picture file.
    let place: Place

    /// Takes a frame, its number, and how often the animation is shown.
    package typealias Take = @Sendable (WholeFrame, Int, _ loopCount: Int) async throws -> Void

    enum Place: Sendable, Hashable {
        case pictures
        case video(SequencePlace?)
    }
}
