// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The outcome of the move of a judged file.
enum MoveOutcome: Sendable {
    case moved(InputPath)
    case wouldMove(InputPath)
    /// The file stays in its place, for a reason.
    case failed(String)

    /// The words for a person.
    var words: String {
        switch self {
        case .moved(let path): "moved to \(path.text)"
        case .wouldMove(let path): "would be moved to \(path.text)"
        case .failed(let reason): "not moved: \(reason)"
        }
    }
}
