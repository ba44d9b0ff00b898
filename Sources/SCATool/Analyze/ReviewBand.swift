// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine
internal import ArgumentParser

/// A range of scores whose files a person looks at, whatever their verdict is.
struct ReviewBand: ExpressibleByArgument, Sendable, Hashable {
    let low: Float
    let high: Float

    /// Reads a range such as 0.3-0.7; nil for another text.
    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Float($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], low >= 0, low <= high, high <= 1 else {
            return nil
        }
        (self.low, self.high) = (low, high)
    }

    /// Whether a file is in the range.
    ///
    /// An unknown file has no score, and needs a look in any case.
    func contains(_ outcome: AnalysisOutcome) -> Bool {
        guard case .analysis(let analysis) = outcome.finding else { return false }
        return (low...high).contains(analysis.score)
    }

    /// The range in words.
    var words: String { "score \(low) to \(high)" }
}
