// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine

/// Collects the scores of a set's files.
struct OutcomeCollector: OutcomeReport {
    /// The scores in the order of the files; nil of unknown files.
    private(set) var scores: [Double?]
    /// Whether a file was left out, because it is no media.
    private(set) var isLeftOut: [Bool]
    /// The codes of the failures of unknown files.
    private(set) var failures: [String: Int] = [:]
    /// The first unknown files, each with the reason.
    private(set) var unknownFiles: [String] = []
    /// The name of the model, once a file has a score.
    private(set) var modelName: String?
    private(set) var cached = 0
    let progress: ProgressBar
    var isInterrupted = false

    init(count: Int, progress: ProgressBar) {
        scores = Array(repeating: nil, count: count)
        isLeftOut = Array(repeating: false, count: count)
        self.progress = progress
    }

    mutating func add(_ outcome: AnalysisOutcome, at position: Int) {
        guard scores.indices.contains(position) else { return }
        switch outcome.finding {
        case .skipped: isLeftOut[position] = true
        case .failure(let failure):
            failures[failure.code.rawValue, default: 0] += 1
            if unknownFiles.count < Self.mostUnknownFiles {
                unknownFiles.append("\(outcome.input.name)  \(failure.description)")
            }
        case .analysis(let analysis):
            scores[position] = Double(analysis.score)
            modelName = analysis.modelName
            if outcome.isCached { cached += 1 }
        }
    }

    private static let mostUnknownFiles = 3

    var isDecided: Bool { false }
    var exitCode: Int32 { 0 }
}
