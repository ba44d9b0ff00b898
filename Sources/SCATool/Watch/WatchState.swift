// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import LiveStreams

/// The state of a watched stream, in the words of the command.
struct WatchState: Sendable, Equatable {
    /// A state by its name in JSON lines.
    enum Name: String, Sendable, CaseIterable {
        case waiting
        case notSensitive
        case sensitive
        case unknown
        case ended
    }

    var name: Name
    var types: [ContentType] = []
    var score: Float?
    var model: String?
    /// The reason of an unknown state, in words.
    var reason: String?

    /// The state in words, for a person or a command.
    var words: String {
        switch name {
        case .waiting: "waiting"
        case .notSensitive: "not sensitive"
        case .sensitive: "sensitive"
        case .unknown: "unknown"
        case .ended: "ended"
        }
    }

    /// Creates the state that follows from a status; nil if the state before remains.
    init?(_ status: StreamStatus, after before: WatchState?) {
        switch status {
        case .judged: self.init(name: .notSensitive)
        case .covered(let finding):
            // One frame is a suspicion, which the next frame confirms or dismisses.
            self.init(
                name: .sensitive, types: finding.types.sorted(), score: finding.score, model: finding.modelName)
        case .unknown(.notYetJudged):
            // A finding lasts until the stream is judged again.
            guard before == nil else { return nil }
            self.init(name: .waiting)
        case .unknown(.late): self.init(name: .unknown, reason: "the machine is too busy to judge it in time")
        case .unknown(.failed(let code)): self.init(name: .unknown, reason: code.rawValue)
        case .unknown(.disabled): self.init(name: .unknown, reason: "analysisDisabled")
        }
    }

    init(
        name: Name, types: [ContentType] = [], score: Float? = nil, model: String? = nil, reason: String? = nil
    ) {
        (self.name, self.types, self.score, self.model, self.reason) = (name, types, score, model, reason)
    }

    /// Whether both states say the same; scores alone are no change.
    func isSame(as other: WatchState) -> Bool {
        name == other.name && types == other.types && reason == other.reason
    }
}
