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
    private let source: Source
    private let checker: AttachmentChecker
    private let state: Mutex<State>

    /// Where media comes from.
    public enum Source: Sendable {
        /// A file on this machine.
        case local(URL)
        /// Media elsewhere, and how the app makes a local file of it; an analyzer fetches nothing.
        case remote(URL, download: @Sendable (URL) async throws -> URL)
    }

    private struct State {
        var flow: InterventionFlow
        var localFile: URL?
        var error: (any Error)?
        /// The check under way or to come.
        var work: SharedTask<MediaJudgement>?
        /// The number of checks that were begun; what older ones still say is of no interest.
        var runCount = 0
        var listeners: [Int: AsyncStream<InterventionFlow>.Continuation] = [:]
        var lastListener = 0
        /// The watch over the policy, and the check, for those who follow.
        var policyTask: Task<Void, Never>?
        var checkTask: Task<Void, Never>?
    }

    /// Creates an attachment, of which nothing is known yet.
    ///
    /// - Parameters:
    ///   - id: tells the attachment from others.
    ///   - kind: `image` or `video`; a stream is not an attachment, and is judged as a video.
    ///   - source: where the media comes from.
    ///   - direction: whether it has come or is to be sent.
    ///   - abilities: what the app can do if the person asks for it.
    ///   - checker: the app's one.
    public init(
        id: UUID = UUID(), kind: MediaKind, source: Source, direction: MediaDirection = .receiving,
        abilities: Set<InterventionAbility> = [], checker: AttachmentChecker
    ) {
        self.id = id
        self.kind = kind
        self.source = source
        self.checker = checker
        let flow = InterventionFlow(policy: checker.policy, direction: direction, abilities: abilities)
        state = Mutex(State(flow: flow))
        if case .local(let file) = source { state.withLock { $0.localFile = file } }
    }

    deinit {
        state.withLock { state in
            state.policyTask?.cancel()
            state.checkTask?.cancel()
            for listener in state.listeners.values { listener.finish() }
        }
    }

    /// Where the attachment stands now, under the policy that is now in force.
    public var flow: InterventionFlow {
        handle(.policyChanged(checker.policy))
        return state.withLock(\.flow)
    }

    /// The file to show when nothing covers it; nil as long as it has not been downloaded.
    public var localFile: URL? { state.withLock(\.localFile) }

    /// The reason why the last check failed, for the app's own messages; nil where it did not.
    public var checkError: (any Error)? { state.withLock(\.error) }

    /// Whether the media is likely to be sensitive; downloads and checks it, where that has not been done.
    ///
    /// - Throws: what the download throws; `SensitivityAnalysisError` if the media could not be analysed, for example
    ///   with `analysisDisabled`; or `CancellationError`.
    public var isSensitive: Bool {
        get async throws { try await judgement().verdict != .notSensitive }
    }

    /// The flow now, and then each time that it changes or the app is asked for something; has the media checked as long
    /// as somebody follows.
    ///
    /// Who is slow gets the newest only.
    public var flows: AsyncStream<InterventionFlow> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            handle(.policyChanged(checker.policy))
            let identifier = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                continuation.yield(state.flow)
                if state.listeners.count == 1 { follow(&state) }
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in self?.stopListening(identifier) }
        }
    }

    /// Takes what the person has chosen.
    ///
    /// - Returns: what the app is to do now, or nil.
    @discardableResult
    public func choose(_ action: InterventionAction) -> InterventionRequest? { handle(.chosen(action)) }

    /// Takes that the person has closed the pane, which means no.
    public func close() { handle(.closed) }

    @discardableResult
    private func handle(_ event: InterventionEvent) -> InterventionRequest? {
        state.withLock { state in
            let before = state.flow
            let request = state.flow.handle(event)
            if state.flow != before || request != nil {
                for listener in state.listeners.values { listener.yield(state.flow) }
            }
            if state.flow.needsCheck, !before.needsCheck {
                // What was begun under another policy, or before the person asked for a new check, is nobody's any more.
                state.work = nil
                if !state.listeners.isEmpty { check(&state) }
            }
            return request
        }
    }

    // MARK: Following

    /// Begins what goes on as long as somebody follows.
    private func follow(_ state: inout State) {
        let changes = checker.policyChanges()
        state.policyTask = Task { [weak self] in
            for await policy in changes { self?.handle(.policyChanged(policy)) }
        }
        if state.flow.needsCheck { check(&state) }
    }

    /// Checks for those who follow, to whom the outcome comes as a flow.
    private func check(_ state: inout State) {
        state.checkTask?.cancel()
        state.checkTask = Task { [weak self] in _ = try? await self?.judgement() }
    }

    private func stopListening(_ identifier: Int) {
        let tasks = state.withLock { state -> [Task<Void, Never>?] in
            state.listeners[identifier] = nil
            return state.listeners.isEmpty ? [state.policyTask, state.checkTask] : []
        }
        for task in tasks { task?.cancel() }
    }

    // MARK: Checking

    /// The judgement under the policy in force, or under one whose thresholds say more.
    private func judgement() async throws -> MediaJudgement {
        while true {
            let work = state.withLock { state in
                let work = state.work ?? SharedTask { [weak self] in try await self.orCancelled().performCheck() }
                state.work = work
                return work
            }
            let judgement = try await work.value()
            if judgement.verdict != .notSensitive || judgement.policy.isAtLeastAsStrict(as: checker.policy) {
                return judgement
            }
            state.withLock { state in
                if state.work === work { state.work = nil }
            }
        }
    }

    private func performCheck() async throws -> MediaJudgement {
        let run = state.withLock { state in
            state.runCount += 1
            return state.runCount
        }
        @Sendable func handle(_ attachment: MediaAttachment?, _ event: InterventionEvent) {
            guard let attachment, attachment.state.withLock({ $0.runCount == run }) else { return }
            attachment.handle(event)
        }
        do {
            let file = try await downloadedFile()
            let judgement = try await checker.judge(
                file, as: kind, begins: { [weak self] in handle(self, .checkBegan) },
                report: { [weak self] in handle(self, .checkAdvanced($0)) })
            state.withLock { $0.error = nil }
            handle(self, .checkEnded(judgement.verdict, policy: judgement.policy))
            return judgement
        } catch  where Task.isCancelled {
            handle(self, .checkAbandoned)
            throw CancellationError()
        } catch {
            state.withLock { $0.error = error }
            handle(self, .checkEnded(.unknown, policy: checker.policy))
            throw error
        }
    }

    private func downloadedFile() async throws -> URL {
        if let file = localFile { return file }
        guard case .remote(let address, let download) = source else { throw CancellationError() }
        let file = try await download(address)
        state.withLock { $0.localFile = file }
        return file
    }
}

extension Optional where Wrapped == MediaAttachment {
    /// The attachment, where it is still there.
    fileprivate func orCancelled() throws -> MediaAttachment {
        guard let self else { throw CancellationError() }
        return self
    }
}
