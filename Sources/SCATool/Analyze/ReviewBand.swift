// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine
internal import ArgumentParser

/// A range of scores whose files a person looks at, whatever their verdict is.
struct ReviewBand: Sendable, Hashable {
    let low: Float
    let high: Float

    /// Reads a range such as 0.3-0.7.
    ///
    /// - Throws: `ValidationError` for another text.
    init(argument: String) throws {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Float($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], low >= 0, high <= 1 else {
            throw ValidationError("It is two scores from 0 to 1 with a hyphen between them, such as 0.3-0.7.")
        }
        guard low <= high else { throw ValidationError("The lower score comes first: \(high)-\(low).") }
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
