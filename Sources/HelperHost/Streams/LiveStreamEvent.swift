// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A piece of news of a live stream.
package enum LiveStreamEvent: Sendable {
    case frame(LiveStreamFrame)
    /// The stream has ended, and all of its frames were delivered.
    case end
    case failure(AnalysisFailure)
}
