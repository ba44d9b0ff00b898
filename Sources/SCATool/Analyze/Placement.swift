// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The outcome of the move of a judged file, or of its copy.
struct Placement: Sendable {
    let action: Action
    let outcome: Outcome
    /// Whether parts of the copied picture are missing, because the file is damaged or incomplete.
    let isDamaged: Bool

    enum Action: Sendable {
        case move
        case copy
    }

    enum Outcome: Sendable {
        case done(InputPath)
        /// Nothing was done, because this is a rehearsal.
        case planned(InputPath)
        /// The file stays in its place or has no copy, for a reason.
        case failed(String)
    }

    init(_ action: Action, _ outcome: Outcome, isDamaged: Bool = false) {
        (self.action, self.outcome, self.isDamaged) = (action, outcome, isDamaged)
    }

    /// The words for a person.
    var words: String {
        let verb = action.verb
        let damage = isDamaged ? "; parts are missing, since the file is damaged" : ""
        return switch outcome {
        case .done(let path): "\(verb) to \(path.text)\(damage)"
        case .planned(let path): "would be \(verb) to \(path.text)\(damage)"
        case .failed(let reason): "not \(verb): \(reason)"
        }
    }
}

extension Placement.Action {
    /// The verb, as in "2 moved".
    var verb: String {
        switch self {
        case .move: "moved"
        case .copy: "copied"
        }
    }
}
