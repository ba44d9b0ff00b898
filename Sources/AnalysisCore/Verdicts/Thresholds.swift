// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The scores from which on content counts as sensitive, each above 0 and at most 1.
package struct Thresholds: Sendable, Hashable, Codable {
    /// The threshold under the policy for adults.
    package var simple: Float
    /// The threshold under the policy for children, which is the lowest.
    package var descriptive: Float
    /// The score from which on a single brief frame of a video counts.
    package var strong: Float

    package init(simple: Float, descriptive: Float, strong: Float) {
        self.simple = simple
        self.descriptive = descriptive
        self.strong = strong
    }

    /// Returns the threshold for a still picture; no score reaches the threshold of a disabled policy.
    package func threshold(under policy: AnalysisPolicy) -> Float {
        switch policy {
        case .disabled: .infinity
        case .simple: simple
        case .descriptive: descriptive
        }
    }

    /// Whether all thresholds are above 0 and at most 1, and do not fall from `descriptive` over `simple` to `strong`.
    package var areValid: Bool {
        [simple, descriptive, strong].allSatisfy { $0 > 0 && $0 <= 1 }
            && descriptive <= simple && simple <= strong
    }
}
