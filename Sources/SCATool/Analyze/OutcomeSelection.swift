// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The outcomes that are listed or moved: some verdicts, and perhaps all files for review.
struct OutcomeSelection: Sendable, Hashable, ExpressibleByArgument {
    var verdicts: Set<Verdict>
    var includesReview = false

    static let all = OutcomeSelection(verdicts: Set(Verdict.allCases))
    static let sensitive = OutcomeSelection(verdicts: [.sensitive])

    init(verdicts: Set<Verdict>, includesReview: Bool = false) {
        self.verdicts = verdicts
        self.includesReview = includesReview
    }

    /// Reads verdicts and the word review with commas between them; nil for another word.
    init?(argument: String) {
        self.init(verdicts: [])
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            if part == Self.reviewWord {
                includesReview = true
            } else if let verdict = Verdict(argument: String(part)) {
                verdicts.insert(verdict)
            } else {
                return nil
            }
        }
    }

    /// The words that an argument may have.
    static let words = Verdict.allCases.map(\.rawValue) + [reviewWord]
    private static let reviewWord = "review"

    mutating func formUnion(_ other: OutcomeSelection) {
        verdicts.formUnion(other.verdicts)
        includesReview = includesReview || other.includesReview
    }

    /// Whether a judged or unknown file is selected; nil for an entry of a folder that was skipped.
    func contains(_ outcome: AnalysisOutcome) -> Bool? {
        guard let verdict = outcome.verdict else { return nil }
        return verdicts.contains(verdict) || includesReview && outcome.isForReview
    }
}
