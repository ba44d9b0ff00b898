// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The content that an analysis found in one frame.
package struct StreamFinding: Sendable, Hashable {
    /// The significance of a frame's scores.
    package enum Level: Sendable, Hashable, Comparable {
        /// No score reaches a threshold.
        case harmless
        /// A score reaches the threshold of the policy; the next analysed frame has to confirm it.
        case suspected
        /// A score reaches the strong threshold, which needs no confirmation.
        case strong
    }

    package var level: Level
    /// The types whose scores reach a threshold.
    package var types: Set<ContentType>
    /// The highest score, from 0 to 1.
    package var score: Float
    package var modelName: String
    package var policy: AnalysisPolicy

    package init(
        level: Level, types: Set<ContentType>, score: Float, modelName: String, policy: AnalysisPolicy
    ) {
        self.level = level
        self.types = types
        self.score = score
        self.modelName = modelName
        self.policy = policy
    }

    package var isHarmless: Bool { level == .harmless }

    /// Returns the finding with the types and the score of an earlier one.
    func joined(with earlier: StreamFinding) -> StreamFinding {
        var joined = self
        joined.types.formUnion(earlier.types)
        joined.score = max(score, earlier.score)
        return joined
    }
}
