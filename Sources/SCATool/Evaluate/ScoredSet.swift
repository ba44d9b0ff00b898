// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation

/// The scores of a set's files by one model or setting.
struct ScoredSet: Sendable {
    /// The name of the model, or of the file with the scores.
    let name: String
    /// The scores in the order of the files; nil of unknown files.
    var scores: [Double?]
    /// The numbers of unknown files by the codes of their failures.
    var failures: [String: Int] = [:]
    /// The first unknown files, each with the reason.
    var unknownFiles: [String] = []
    /// The number of scores that an earlier evaluation has kept.
    var cached = 0
    /// The thresholds of the model's manifest with their names, and those that the person gave.
    var thresholds: [NamedThreshold] = []

    /// Returns the scores of some of the files.
    func keeping(_ places: [Int]) -> ScoredSet {
        var kept = self
        kept.scores = places.map { scores[$0] }
        return kept
    }

    /// Returns the labelled scores of some files.
    func labelled(_ files: [EvaluatedFile], _ places: [Int]) -> [LabelledScore] {
        places.map { place in
            LabelledScore(isPositive: files[place].isPositive, score: scores[place], source: files[place].source)
        }
    }
}
