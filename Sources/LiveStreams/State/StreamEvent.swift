// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A change that a stream reports to its listeners.
package enum StreamEvent: Sendable, Hashable {
    /// The stream is harmless now, or something sensitive was found.
    case finding(StreamFinding)
    case failure(AnalysisFailure.Code)
}
