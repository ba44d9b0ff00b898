// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import SensitivityPolicy

extension SCSensitivityAnalyzer {
    /// Returns the samples of the first picture of a local file, for a cover.
    ///
    /// - Throws: ``SensitivityAnalysisError`` as an analysis does, or `CancellationError`.
    package func samples(_ detail: PixelSamples.Detail, ofFileAt fileURL: URL) async throws -> PixelSamples {
        try await backing.samples(detail, ofFileAt: fileURL)
    }

    /// The facts besides the policy and the media on which a verdict depends, such as the model.
    package var verdictConditions: [String] { backing.verdictConditions }

    /// Sends an element once the policy and the conditions are known, and after each possible change of them.
    package func changes() -> AsyncStream<Void> { backing.changes() }

    /// Waits until the sources of the policy have answered, for two seconds at most.
    package func settlePolicy() async { _ = await PolicyMonitor.shared.settledSnapshot() }

    /// The current state of all sources of the policy of this process.
    package static var policySnapshot: PolicySnapshot { PolicyMonitor.shared.snapshot() }
}
