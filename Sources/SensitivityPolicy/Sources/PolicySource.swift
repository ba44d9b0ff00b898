// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A source that can put an account under Communication Safety.
///
/// A new source is a type that conforms to this protocol, with its state in ``PolicySnapshot/sourceStates``.
package protocol PolicySource: Sendable {
    /// Follows the source without end, and calls the closure after each answer; it needs a thread of its own.
    func follow(_ onAnswer: () -> Void)

    /// Looks up facts that ``write(to:)`` needs, such as installed files; it may block, and holds no lock of the monitor.
    func examineMachine()

    /// Writes the state of the source into a snapshot that contains the states of the sources before it.
    func write(to snapshot: inout PolicySnapshot)

    /// Whether the source has to be followed; the administrator's choices in the snapshot decide.
    func isUsed(in snapshot: PolicySnapshot) -> Bool
}

/// The last known state of a policy source.
package protocol PolicySourceState {
    /// The name of the source, for people.
    var title: String { get }
    /// The state in words; it may quote text from outside.
    var summary: String { get }
    /// Whether the source has answered, so no request has to wait for it.
    var hasAnswered: Bool { get }
    /// The choice that follows from the state.
    var communicationSafety: CommunicationSafety { get }

    /// Makes the source that gives this kind of state.
    func makeSource(_ sources: PolicySources) -> any PolicySource
}
