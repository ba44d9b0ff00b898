// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A receiver of the outcomes of a run.
protocol OutcomeReport: Sendable {
    var progress: ProgressBar { get }
    /// Whether the person has interrupted the run.
    var isInterrupted: Bool { get set }
    /// Whether further outcomes cannot change anything that the person has chosen.
    var isDecided: Bool { get }
    var exitCode: Int32 { get }

    /// Takes an outcome.
    ///
    /// - Parameter position: the number of inputs before this input, in the order of the arguments and names.
    mutating func add(_ outcome: AnalysisOutcome, at position: Int)
}

extension AnalysisReport: OutcomeReport {}
