// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A file of a labelled set.
struct EvaluatedFile: Sendable {
    let path: InputPath
    /// The label as it stands in the set.
    let label: String
    /// Whether the label stands for sensitive content.
    let isPositive: Bool
    /// The parts of the set to which the file belongs, such as "indoors".
    var slices: [String] = []
    var source: String?
    /// The score that the set gives; nil if the file is to be judged.
    var given: GivenScore?
    /// The score of another model or program, with which the first is compared; nil if the set gives none.
    var givenAgainst: GivenScore?
}
