// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import Foundation

extension SCSensitivityAnalyzer {
    /// The samples of the first picture of a local file, for a cover.
    ///
    /// - Throws: ``SensitivityAnalysisError`` as an analysis does, or `CancellationError`.
    package func samples(_ detail: PixelSamples.Detail, ofFileAt fileURL: URL) async throws -> PixelSamples {
        try await backing.samples(detail, ofFileAt: fileURL)
    }

    /// What decides on a verdict besides the policy and the media.
    package var verdictConditions: [String] { backing.verdictConditions }

    /// Tells when the policy or the conditions may have become others, and once when they are known.
    package func changes() -> AsyncStream<Void> { backing.changes() }
}
