// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The size and the rate of frames that a caller wishes from a device.
package struct CaptureWish: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// The number of frames in a second.
    package var rate: Double

    package init(width: Int = 1280, height: Int = 720, rate: Double = 30) {
        self.width = width
        self.height = height
        self.rate = rate
    }

    /// - Throws: `invalidArgument` for a size or a rate that no device has.
    package func check() throws(AnalysisFailure) {
        let edges = 1...VideoPixels.maximumEdge
        guard edges.contains(width), edges.contains(height), (1...1000).contains(rate) else {
            throw AnalysisFailure(
                .invalidArgument,
                "A device has frames of 1 to \(VideoPixels.maximumEdge) pixels along each edge, and 1 to 1,000 in a second."
            )
        }
    }
}
