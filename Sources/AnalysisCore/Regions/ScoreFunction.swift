// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The function at the end of a classifier that makes scores of sums.
package enum ScoreFunction: String, Sendable, CaseIterable {
    /// The columns have scores that add up to 1.
    case softmax
    /// Each column has a score of its own.
    case sigmoid
    /// The sums are the scores.
    case identity

    /// Returns the score of a column.
    package func score(of column: Int, in sums: [Float]) -> Float {
        switch self {
        case .softmax:
            let highest = sums.max() ?? 0
            let total = sums.reduce(into: Float(0)) { $0 += exp($1 - highest) }
            return exp(sums[column] - highest) / total
        case .sigmoid: return 1 / (1 + exp(-sums[column]))
        case .identity: return sums[column]
        }
    }
}
