// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
internal import Synchronization

/// One picture or video in an app: where it comes from, what is known of it, and what the person has decided.
///
/// ``flows`` publishes the flow each time that it changes. Following it has the media checked, also anew when the
/// policy becomes stricter; who no longer follows ends the check. In the manner of the model in Cory D. Wiles's
/// "Implementing SensitiveContentAnalysis in SwiftUI".
public final class MediaAttachment: Sendable, Identifiable {
    /// Tells attachments apart; two may have the same content.
    public let id: UUID
    /// What the media is called to the person, and how it is judged.
    public let kind: MediaKind
    let source: Source
    let checker: AttachmentChecker
    let state: Mutex<AttachmentState>

    /// Where media comes from.
    public enum Source: Sendable {
        /// A file on this machine.
        case local(URL)
        /// Media elsewhere, and how the app makes a local file of it; an analyzer fetches nothing.
        case remote(URL, download: @Sendable (URL) async throws -> URL)
    }

    /// Creates an attachment, of which nothing is known yet.
    ///
    /// - Parameters:
    ///   - id: tells the attachment from others.
    ///   - kind: `image` or `video`; a recorded stream is judged as a video.
    ///   - source: where the media comes from.
    ///   - direction: whether it has come or is to be sent; not `live`.
    ///   - abilities: what the app can do if the person asks for it.
    ///   - checker: the app's one.
    public init(
        id: UUID = UUID(), kind: MediaKind, source: Source, direction: MediaDirection = .receiving,
        abilities: Set<InterventionAbility> = [], checker: AttachmentChecker
    ) {
        self.id = id
        self.kind = kind
        precondition(
            direction != .live, "A stream is no attachment: drive an InterventionFlow with what its analysis says.")
        self.source = source
        self.checker = checker
        let flow = InterventionFlow(policy: checker.policy, direction: direction, abilities: abilities)
        let localFile = if case .local(let file) = source { Optional(file) } else { URL?.none }
        state = Mutex(AttachmentState(flow: flow, localFile: localFile))
    }

    deinit {
        state.withLock { state in
            state.policyTask?.cancel()
            state.checkTask?.cancel()
            for listener in state.listeners.all { listener.finish() }
        }
    }

    /// The state of the intervention, under the policy now in force.
    public var flow: InterventionFlow {
        _ = update()
        noticeReplacement()
        return state.withLock(\.flow)
    }

    /// The local file; nil until it is downloaded.
    ///
    /// Show and send only the file that ``openUncoveredFile()`` opens.
    public var localFile: URL? { state.withLock(\.localFile) }

    /// The error of the last check, for the app's own messages; nil where the check succeeded.
    public var checkError: (any Error)? { state.withLock(\.error) }

    /// Handles a choice of the person.
    ///
    /// - Parameters:
    ///   - action: one of the actions that the flow offers.
    ///   - flow: the flow that the person has seen. If it has changed since, for example after a new finding, a choice to
    ///     see or to send is ignored.
    /// - Returns: the request to the app, or nil.
    public func choose(_ action: InterventionAction, in flow: InterventionFlow) -> InterventionRequest? {
        noticeReplacement()
        return update { state in
            let before = state.flow
            let request = state.flow.choose(action, in: flow)
            if case .remote = source, action == .tryAgain, state.flow != before {
                // An unreadable file may be incomplete.
                (state.localFile, state.download) = (nil, nil)
            }
            return request
        }
    }

    /// Handles the closing of the pane, which declines whatever the pane offered.
    public func close() {
        _ = update { $0.flow.handle(.closed) }
    }

    /// Applies the policy and a change in one step, notifies the listeners, and starts the check that is then needed.
    ///
    /// - Parameters:
    ///   - keepsWork: whether an existing check may serve as the needed check.
    ///   - change: the change, made under the policy in force.
    func update(
        keepsWork: Bool = false, _ change: (inout AttachmentState) -> InterventionRequest? = { _ in nil }
    ) -> InterventionRequest? {
        while true {
            let look = state.withLock { $0.beginLook() }
            // Not under the lock, since it can be the app's code. A look that was overtaken is repeated.
            let policy = checker.policy
            let outcome = state.withLock { state -> (request: InterventionRequest?, old: Task<Void, Never>?)? in
                let before = state.flow
                guard state.obey(policy, look: look) else { return nil }
                let request = change(&state)
                if state.flow != before || request != nil {
                    for listener in state.listeners.all { listener.yield(state.flow) }
                }
                guard state.flow.needsCheck, !before.needsCheck else { return (request, nil) }
                // The work began under another policy, or before the person asked for a new check.
                if !keepsWork || state.flow.policy != before.policy { state.forgetWork() }
                return (request, state.listeners.isEmpty ? nil : check(&state))
            }
            guard let outcome else { continue }
            // Not under the lock: cancelling runs code of the app's.
            outcome.old?.cancel()
            return outcome.request
        }
    }
}
