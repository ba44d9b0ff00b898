// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The counts of files that a threshold finds rightly and wrongly.
package struct OperatingCount: Sendable, Hashable {
    /// The lowest score that counts as sensitive.
    package var threshold: Double
    package var truePositives: Int
    package var falsePositives: Int
    /// The number of judged sensitive files.
    package var positives: Int
    /// The number of judged harmless files.
    package var negatives: Int

    /// The share of sensitive files that are found.
    package var sensitivity: Proportion { Proportion(hits: truePositives, of: positives) }
    /// The share of harmless files that are called sensitive.
    package var falseAlarmRate: Proportion { Proportion(hits: falsePositives, of: negatives) }
    /// The share of sensitive files among those that are called sensitive; it depends on the mixture of the set.
    package var precision: Proportion { Proportion(hits: truePositives, of: truePositives + falsePositives) }
}
