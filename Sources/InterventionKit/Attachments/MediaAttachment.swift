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
        /// The file that the last check was about; nil as long as none has ended.
        var checked: CheckedMedia?
        var error: (any Error)?
        /// The check under way or to come.
        var work: SharedTask<MediaJudgement>?
        /// Of the work that counts; what older work still says is of no interest.
        var workNumber = 0
        var listeners: [Int: AsyncStream<InterventionFlow>.Continuation] = [:]
        var lastListener = 0
        /// The watch over the policy, and the check, for those who follow.
        var policyTask: Task<Void, Never>?
        var checkTask: Task<Void, Never>?

        /// What was begun is nobody's any more.
        mutating func forgetWork() {
            work = nil
            workNumber += 1
        }
    }

    /// What a check was about: the version of a file, or that there was none.
    private struct CheckedMedia: Hashable {
        let version: FileVersion?
    }

    /// Creates an attachment, of which nothing is known yet.
    ///
    /// - Parameters:
    ///   - id: tells the attachment from others.
    ///   - kind: `image` or `video`; a stream is not an attachment, and is judged as a video.
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
    /// What opens the file by its name may meet another one, where others can write to its folder. Who has the file open
    /// for writing already can still change it: media belongs where only the app writes.
    ///
    /// - Returns: nil where the media is covered and may not be sent, or is not on this machine.
    /// - Throws: `SensitivityAnalysisError` with `inputUnreadable` where the file cannot be opened.
    public func openUncoveredFile() throws -> FileHandle? {
        let flow = self.flow
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard flow.presentation.isUncovered || flow.presentation.maySend, let file else { return nil }
        guard let opened = OpenedFile(path: file.path), let handle = opened.handle() else {
            throw SensitivityAnalysisError(
                .inputUnreadable, message: "The file could not be opened. Check that it is still there.")
        }
        // Where nobody wants a check, none has ended.
        guard checked.map({ $0.version != nil && $0.version == opened.version }) ?? (flow.verdict == nil) else {
            return nil
        }
        // Opened first and asked then, so that nothing has changed in between.
        let isStillSo = self.flow.isSame(as: flow) && state.withLock { $0.checked == checked }
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
            let samples = try await samples(of: file(), cover)
            if let samples, flow.presentation.cover <= cover { return samples }
        }
    }

    /// - Returns: nil where the file is not the one about which the person has decided.
    private func samples(of file: URL, _ cover: InterventionPresentation.Cover) async throws -> CoverSamples? {
        if cover == .full { return try await checker.samples(of: file, cover) }
        guard let opened = OpenedFile(path: file.path), let version = opened.version,
            state.withLock({ $0.checked?.version == version })
        else {
            // The next look at the flow finds it replaced; what is gone has no cover.
            guard FileVersion(path: file.path) != nil else { return try await checker.samples(of: file, .full) }
            return nil
        }
        let samples = try await checker.samples(of: opened.url, cover)
        return opened.version == version ? samples : nil
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
        return handle(.chosen(action), seen: flow)
    }

    /// Takes that the person has closed the pane of a flow, which means no.
    public func close(_ flow: InterventionFlow) {
        _ = handle(.closed, seen: flow)
    }

    private func handle(_ event: InterventionEvent, seen flow: InterventionFlow) -> InterventionRequest? {
        update { state in
            _ = state.flow.handle(.policyChanged(checker.policy))
            guard state.flow.isSame(as: flow) else { return nil }
            let before = state.flow
            let request = state.flow.handle(event)
            if case .remote = source, case .chosen(.tryAgain) = event, state.flow != before {
                // What could not be read may not have come whole.
                (state.localFile, state.download) = (nil, nil)
            }
            return request
        }
    }

    /// Has the file checked anew that is no longer the one that was judged.
    private func noticeReplacement() {
        let (file, checked) = state.withLock { ($0.localFile, $0.checked) }
        guard let file, let checked, let present = FileVersion(path: file.path), present != checked.version else {
            return
        }
        _ = update { state in
            guard state.checked == checked, state.localFile == file else { return nil }
            state.checked = nil
            state.forgetWork()
            // As if a check had begun, which nobody has yet: what was found and decided is void.
            _ = state.flow.handle(.checkBegan)
            return state.flow.handle(.checkAbandoned)
        }
    }

    /// Reads the policy, and takes it before anybody else can; a value from before could be a laxer one.
    private func obeyPolicy() {
        _ = update { $0.flow.handle(.policyChanged(checker.policy)) }
    }

    /// Changes the state in one step, tells those who follow, and begins the check that is needed then.
    private func update(_ change: (inout State) -> InterventionRequest?) -> InterventionRequest? {
        let (request, old) = state.withLock { state -> (InterventionRequest?, Task<Void, Never>?) in
            let before = state.flow
            let request = change(&state)
            if state.flow != before || request != nil {
                for listener in state.listeners.values { listener.yield(state.flow) }
            }
            guard state.flow.needsCheck, !before.needsCheck else { return (request, nil) }
            // It was begun under another policy, or before the person asked for a new check.
            state.forgetWork()
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
                let number = state.workNumber
                let work =
                    state.work ?? SharedTask { [weak self] in try await self.orCancelled().performCheck(number) }
                state.work = work
                return work
            }
            let judgement = try await work.value()
            if judgement.verdict != .notSensitive || judgement.policy.isAtLeastAsStrict(as: checker.policy) {
                return judgement
            }
            state.withLock { state in
                if state.work === work { state.forgetWork() }
            }
        }
        let error = SensitivityAnalysisError(
            .internalFailure,
            message:
                "The media was judged under a laxer policy than the one in force, again and again. Please report it."
        )
        _ = update { state in
            state.error = error
            return state.flow.handle(.checkEnded(.unknown, policy: checker.policy))
        }
        throw error
    }

    /// How often media is judged whose policy becomes stricter meanwhile.
    private static let maximumAttempts = 4

    /// - Parameter number: of the work; it says nothing any more when that is nobody's.
    private func performCheck(_ number: Int) async throws -> MediaJudgement {
        // It may have been given up before it could begin, and begun anew.
        try Task.checkCancellation()
        @Sendable func tell(_ attachment: MediaAttachment?, _ change: (inout State) -> Void) {
            _ = attachment?.update { state in
                if state.workNumber == number { change(&state) }
                return nil
            }
        }
        var version: FileVersion?
        do {
            let file = try await file()
            version = FileVersion(path: file.path)
            let checked = try await checker.judge(
                file, as: kind,
                begins: { [weak self] in
                    tell(self) { state in
                        state.checked = nil
                        _ = state.flow.handle(.checkBegan)
                    }
                }, report: { [weak self] share in tell(self) { _ = $0.flow.handle(.checkAdvanced(share)) } })
            tell(self) { state in
                (state.error, state.checked) = (nil, CheckedMedia(version: checked.version))
                _ = state.flow.handle(.policyChanged(checker.policy))
                _ = state.flow.handle(.checkEnded(checked.judgement.verdict, policy: checked.judgement.policy))
            }
            return checked.judgement
        } catch  where Task.isCancelled {
            tell(self) { _ = $0.flow.handle(.checkAbandoned) }
            throw CancellationError()
        } catch {
            let version = version
            tell(self) { state in
                let policy = checker.policy
                (state.error, state.checked) = (error, CheckedMedia(version: version))
                _ = state.flow.handle(.policyChanged(policy))
                // Where nobody wants analysis, nothing has been found out, also for when somebody does.
                let isDisabled = (error as? SensitivityAnalysisError)?.code == .analysisDisabled && policy == .disabled
                _ = state.flow.handle(isDisabled ? .checkAbandoned : .checkEnded(.unknown, policy: policy))
                if isDisabled { state.checked = nil }
            }
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
