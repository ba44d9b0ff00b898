// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess

/// The outcome for one input.
struct AnalysisOutcome: Sendable {
    let input: FoundInput
    let finding: Finding
    /// Whether the analysis comes from the cache.
    var isCached = false
    /// The state of the file before its analysis; nil if it was not requested.
    var state: FileState?
    /// Whether the score is in the range that a person wants to look at.
    var isForReview = false
    /// The outcome of the file's copy; nil if none was to be made, or if there is none of a sensitive or unknown file.
    var copy: Placement?

    enum Finding: Sendable {
        case analysis(MediaAnalysis)
        case failure(AnalysisFailure)
        case skipped(SkipReason)
    }

    /// The verdict; nil for a skipped entry of a folder.
    var verdict: Verdict? {
        switch finding {
        case .analysis(let analysis): analysis.isSensitive ? .sensitive : .notSensitive
        case .failure: .unknown
        case .skipped: nil
        }
    }
}
