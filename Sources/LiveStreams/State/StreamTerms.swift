// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The conditions under which a frame is judged; a judgement under other conditions does not release a frame.
package struct StreamTerms: Sendable, Hashable {
    package var policy: AnalysisPolicy
    /// A number that grows when anything else changes on which a verdict depends, such as the model.
    package var revision: Int

    package init(policy: AnalysisPolicy, revision: Int = 0) {
        self.policy = policy
        self.revision = revision
    }
}
