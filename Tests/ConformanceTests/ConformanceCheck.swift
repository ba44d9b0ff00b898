// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks that two implementations of the same pipeline differ by less than bounds.
struct ConformanceCheck {
    /// The differences for one picture.
    struct Sample {
        /// The mean and the largest difference of the input tensors, in levels of 0 to 255.
        let tensor: (mean: Double, largest: Double)
        /// The absolute difference between the scores of the two implementations.
        let score: Double
    }

    let samples: [Sample]

    var tensorMean: Double { samples.map(\.tensor.mean).reduce(0, +) / Double(samples.count) }
    var tensorLargest: Double { samples.map(\.tensor.largest).max() ?? .infinity }
    var scoreMean: Double { samples.map(\.score).reduce(0, +) / Double(samples.count) }
    var scoreLargest: Double { samples.map(\.score).max() ?? .infinity }

    /// The exceeded bounds in words; empty if the implementations agree.
    var violations: [String] {
        [
            ("tensor mean", tensorMean, 0.6), ("tensor largest", tensorLargest, 4), ("score mean", scoreMean, 0.003),
            ("score largest", scoreLargest, 0.03),
        ]
        .filter { !($0.1 <= $0.2) }.map { "\($0.0) \($0.1) > \($0.2)" }
    }

    var summary: String {
        func text(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }
        return "\(samples.count) pictures: tensor mean \(text(tensorMean)), largest \(text(tensorLargest));"
            + " score mean \(text(scoreMean)), largest \(text(scoreLargest))"
    }
}
