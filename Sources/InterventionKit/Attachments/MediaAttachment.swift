// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
internal import Synchronization

/// One picture or video of an app: its source, its verdict and the person's decision.
///
/// ```swift
/// let attachment = MediaAttachment(kind: .image, source: .local(fileURL), checker: checker)
/// for await flow in attachment.flows {
///     view.draw(flow)
///     do {
///         guard flow.presentation.isUncovered, let file = try attachment.openUncoveredFile() else { continue }
///         view.show(file)
///     } catch {
///         view.cover(error.localizedDescription)
///     }
/// }
/// ```
///
/// ``flows`` sends the flow after each change. While it has a listener, the media is checked, also again under a
/// stricter policy. Without listeners the check is cancelled, unless a caller of ``isSensitive`` waits for it. The
/// design follows the model in Cory D. Wiles's "Implementing SensitiveContentAnalysis in SwiftUI".
public final class MediaAttachment: Sendable, Identifiable {
    /// The identity of the attachment; two attachments may have the same content.
    public let id: UUID
    /// The kind of the media, for the words to the person and for the check.
    public let kind: MediaKind
    let source: Source
    let checker: AttachmentChecker
    let state: Mutex<AttachmentState>

    /// The place of media: a local file, or an address from which the app downloads it.
    public enum Source: Sendable {
        /// A file on this machine.
        case local(URL)
        /// An address, and the app's function that downloads the media to a local file; an analyzer downloads nothing.
        case remote(URL, download: @Sendable (URL) async throws -> URL)
    }

    /// Creates an attachment that was not checked yet.
    ///
    /// - Parameters:
    ///   - id: the identity of the attachment.
    ///   - kind: `image` or `video`; a recorded stream is judged as a video.
    ///   - source: the local file, or the address and the app's function that downloads the media.
    ///   - direction: `receiving` or `sending`, but not `live`.
    ///   - abilities: the abilities of the app, on which some actions depend.
    ///   - checker: the app's checker.
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

    /// The local file; nil while remote media is not downloaded.
    ///
    /// Show and send only the file that ``openUncoveredFile()`` opens.
    public var localFile: URL? { state.withLock(\.localFile) }

    /// The error of the last check, for the app's own messages; nil if it succeeded or there was none.
    public var checkError: (any Error)? { state.withLock(\.error) }

    /// Handles a choice of the person.
    ///
    /// ```swift
    /// func tapped(_ action: InterventionAction, in seen: InterventionFlow) {
    ///     switch attachment.choose(action, in: seen) {
    ///     case .contactGrownUp: view.write(words.message(for: seen))
    ///     case .blockContact: contact.block()
    ///     // The app sends when the flow's presentation says `maySend`.
    ///     case .send, .leaveStream, nil: break
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - action: one of the actions that the flow offers.
    ///   - flow: the flow that the person has seen. If it has changed since, for example after a new finding, a choice
    ///     to see or to send is ignored.
    /// - Returns: the request to the app, or nil.
    public func choose(_ action: InterventionAction, in flow: InterventionFlow) -> InterventionRequest? {
        noticeReplacement()
        return update { state in
            let before = state.flow
            let request = state.flow.choose(action, in: flow)
            if case .remote = source, action == .tryAgain, state.flow != before {
                // A file that cannot be judged may be incomplete, so it is downloaded again.
                (state.localFile, state.download) = (nil, nil)
            }
            return request
        }
    }

    /// Handles the closing of the pane, which stands for ``InterventionPresentation/closingAction``.
    public func close() {
        _ = update { $0.flow.handle(.closed) }
    }

    /// Applies the policy and a change in one step, notifies the listeners, and starts the check that is then needed.
    ///
    /// - Parameters:
    ///   - keepsWork: whether an existing check may serve as the needed check; if false, its results are ignored.
    ///   - change: the change, made under the policy in force.
    func update(
        keepsWork: Bool = false, _ change: (inout AttachmentState) -> InterventionRequest? = { _ in nil }
    ) -> InterventionRequest? {
        while true {
            let look = state.withLock { $0.beginLook() }
            // Not under the lock, because this can be the app's code. A newer policy meanwhile repeats the loop.
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
            // Not under the lock, because cancelling runs code of the app.
            outcome.old?.cancel()
            return outcome.request
        }
    }
}
