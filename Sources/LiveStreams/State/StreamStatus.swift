// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The certainty about the newest frames of a stream.
package enum StreamStatus: Sendable, Hashable {
    /// The frames are judged, and nothing sensitive is found.
    case judged
    /// The frames were not judged in time.
    case unknown(UnknownReason)
    /// Something sensitive was found, or is suspected.
    case covered(StreamFinding)

    package enum UnknownReason: Sendable, Hashable {
        /// No frame has been judged under the policy in force.
        case notYetJudged
        /// Frames arrive faster than they can be judged.
        case late
        /// The analysis failed.
        case failed(AnalysisFailure.Code)
        /// No policy asks for analysis.
        case disabled
    }
}
