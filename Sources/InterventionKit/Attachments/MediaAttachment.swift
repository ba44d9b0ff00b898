// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
internal import SensitiveContentAnalysis
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
        /// The download that brings the file, or has brought it.
        var download: DownloadUnderWay?
        /// Of the file, what was judged; nil as long as nothing was.
        var version: FileVersion?
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
        obeyPolicy()
        noticeReplacement()
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
            obeyPolicy()
            noticeReplacement()
            let (identifier, old) = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                continuation.yield(state.flow)
                return (state.lastListener, state.listeners.count == 1 ? follow(&state) : nil)
            }
            old?.cancel()
            continuation.onTermination = { [weak self] _ in self?.stopListening(identifier) }
        }
    }

    /// The file on this machine; downloads it, where that has not been done.
    ///
    /// - Throws: what the download throws, or `CancellationError`.
    public func file() async throws -> URL {
        while true {
            if let file = localFile { return file }
            guard case .remote(let address, let download) = source else { throw CancellationError() }
            let work = state.withLock { state in
                let work = state.download ?? DownloadUnderWay { try await download(address) }
                state.download = work
                return work
            }
            do {
                let file = try await work.file()
                // Not where another try was asked for meanwhile.
                state.withLock { if $0.download === work { $0.localFile = file } }
                return file
            } catch {
                try Task.checkCancellation()
                state.withLock { if $0.download === work { $0.download = nil } }
                guard work.isAbandoned else { throw error }
            }
        }
    }

    /// Opens the file that may be seen or sent now: the one that was judged, and no other under its name.
    ///
    /// What opens the file by its name may meet another one, where others can write to its folder.
    ///
    /// - Returns: nil where the media is covered and may not be sent, or is not on this machine.
    /// - Throws: `SensitivityAnalysisError` with `inputUnreadable` where the file cannot be opened.
    public func openUncoveredFile() throws -> FileHandle? {
        let flow = self.flow
        let (file, version) = state.withLock { ($0.localFile, $0.version) }
        guard flow.presentation.isUncovered || flow.presentation.maySend, let file else { return nil }
        guard let opened = OpenedFile(path: file.path), let handle = opened.handle() else {
            throw SensitivityAnalysisError(
                .inputUnreadable, message: "The file could not be opened. Check that it is still there.")
        }
        guard version == nil || opened.version == version else { return nil }
        // Opened first and asked then, so that nothing has changed in between.
        let isStillSo = self.flow.presentation == flow.presentation && state.withLock { $0.version == version }
        return isStillSo ? handle : nil
    }

    /// What covers the media now, made of its first picture in a process of its own; downloads it, where that has not
    /// been done.
    ///
    /// - Returns: samples that tell no more than the flow allows at the end; nil where nothing covers the media.
    /// - Throws: what the download throws; `SensitivityAnalysisError` where no picture can be decoded, for which an app
    ///   shows a plain cover; or `CancellationError`.
    public func coverSamples() async throws -> CoverSamples? {
        while true {
            let cover = flow.presentation.cover
            guard cover != .none else { return nil }
            let samples = try await checker.samples(of: file(), cover)
            if flow.presentation.cover <= cover { return samples }
        }
    }

    /// Takes what the person has chosen.
    ///
    /// - Parameters:
    ///   - action: one of the actions that the flow offers.
    ///   - flow: the flow that the person has seen. Where it is no longer so, for example because something else was
    ///     found meanwhile, the choice is ignored.
    /// - Returns: what the app is to do now, or nil.
    public func choose(_ action: InterventionAction, in flow: InterventionFlow) -> InterventionRequest? {
        noticeReplacement()
        return handle {
            .chosen(action)
        } where: {
            $0.isSame(as: flow)
        }
    }

    /// Takes that the person has closed the pane of a flow, which means no.
    public func close(_ flow: InterventionFlow) {
        _ = handle {
            .closed
        } where: {
            $0.isSame(as: flow)
        }
    }

    /// Has the file checked anew that is no longer the one that was judged.
    private func noticeReplacement() {
        let (file, version) = state.withLock { ($0.localFile, $0.version) }
        guard let file, let version, let present = FileVersion(path: file.path), present != version else { return }
        let isStillSo = state.withLock { state in
            guard state.version == version else { return false }
            state.version = nil
            return true
        }
        guard isStillSo else { return }
        // As if a check had begun, which nobody has yet: what was found and decided is void.
        _ = handle { .checkBegan }
        _ = handle { .checkAbandoned }
    }

    /// Reads the policy, and takes it before anybody else can; a value from before could be a laxer one.
    private func obeyPolicy() {
        _ = handle { .policyChanged(self.checker.policy) }
    }

    private func handle(
        _ event: () -> InterventionEvent, where holds: (InterventionFlow) -> Bool = { _ in true }, run: Int? = nil
    ) -> InterventionRequest? {
        let (request, old) = state.withLock { state -> (InterventionRequest?, Task<Void, Never>?) in
            guard holds(state.flow), run == nil || run == state.runCount else { return (nil, nil) }
            let before = state.flow
            let event = event()
            let request = state.flow.handle(event)
            if case .remote = source, case .chosen(.tryAgain) = event, state.flow != before {
                // What could not be read may not have come whole.
                (state.localFile, state.download) = (nil, nil)
            }
            if state.flow != before || request != nil {
                for listener in state.listeners.values { listener.yield(state.flow) }
            }
            guard state.flow.needsCheck, !before.needsCheck else { return (request, nil) }
            // What was begun under another policy, or before the person asked for a new check, is nobody's any more.
            state.work = nil
            return (request, state.listeners.isEmpty ? nil : check(&state))
        }
        // Not under the lock: cancelling runs code of the app's.
        old?.cancel()
        return request
    }

    // MARK: Following

    /// Begins what goes on as long as somebody follows.
    ///
    /// - Returns: what is to be cancelled, after the lock.
    private func follow(_ state: inout State) -> Task<Void, Never>? {
        let changes = checker.policyChanges()
        state.policyTask = Task { [weak self] in
            for await _ in changes { self?.obeyPolicy() }
        }
        return state.flow.needsCheck ? check(&state) : nil
    }

    /// Checks for those who follow, to whom the outcome comes as a flow.
    ///
    /// - Returns: what is to be cancelled, after the lock.
    private func check(_ state: inout State) -> Task<Void, Never>? {
        defer { state.checkTask = Task { [weak self] in _ = try? await self?.judgement() } }
        return state.checkTask
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
        noticeReplacement()
        // Who has decided about what cannot be checked is not asked again because the app asks.
        let known = state.withLock {
            Stage.decided.contains($0.flow.stage) && $0.flow.verdict == .unknown ? $0.error : nil
        }
        if let known { throw known }
        for _ in 0..<Self.maximumAttempts {
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
        let error = SensitivityAnalysisError(
            .internalFailure,
            message:
                "The media was judged under a laxer policy than the one in force, again and again. Please report it."
        )
        state.withLock { $0.error = error }
        _ = handle { .checkEnded(.unknown, policy: self.checker.policy) }
        throw error
    }

    /// How often media is judged whose policy becomes stricter meanwhile.
    private static let maximumAttempts = 4

    private func performCheck() async throws -> MediaJudgement {
        let run = state.withLock { state in
            state.runCount += 1
            state.version = nil
            return state.runCount
        }
        var version: FileVersion?
        @Sendable func tell(_ attachment: MediaAttachment?, _ event: InterventionEvent) {
            _ = attachment?.handle({ event }, run: run)
        }
        do {
            let file = try await file()
            version = FileVersion(path: file.path)
            let checked = try await checker.judge(
                file, as: kind, begins: { [weak self] in tell(self, .checkBegan) },
                report: { [weak self] in tell(self, .checkAdvanced($0)) })
            state.withLock { if $0.runCount == run { ($0.error, $0.version) = (nil, checked.version) } }
            tell(self, .checkEnded(checked.judgement.verdict, policy: checked.judgement.policy))
            return checked.judgement
        } catch  where Task.isCancelled {
            tell(self, .checkAbandoned)
            throw CancellationError()
        } catch {
            state.withLock { if $0.runCount == run { ($0.error, $0.version) = (error, version) } }
            obeyPolicy()
            // Where nobody wants analysis, nothing has been found out, also for when somebody does.
            let isDisabled =
                (error as? SensitivityAnalysisError)?.code == .analysisDisabled && checker.policy == .disabled
            tell(self, isDisabled ? .checkAbandoned : .checkEnded(.unknown, policy: checker.policy))
            throw error
        }
    }
}

extension InterventionFlow {
    /// Whether a person who has seen one has seen the other.
    fileprivate func isSame(as other: InterventionFlow) -> Bool {
        presentation == other.presentation && verdict == other.verdict && policy == other.policy
    }
}

extension Optional where Wrapped == MediaAttachment {
    /// The attachment, where it is still there.
    fileprivate func orCancelled() throws -> MediaAttachment {
        guard let self else { throw CancellationError() }
        return self
    }
}
