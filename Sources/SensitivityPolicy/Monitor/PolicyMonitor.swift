// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Knows the policy of a process at every moment, from the first question on.
///
/// Two threads keep it up to date: one waits for changes of the files, the other, where AccountsService is installed,
/// for its word. Whoever asks reads a value in memory.
package final class PolicyMonitor: Sendable {
    package static let shared = PolicyMonitor(PolicySources())

    private let sources: PolicySources
    private let state: Mutex<State>
    /// What the threads work on; held while they read files, so never by those who ask.
    private let draft: Mutex<Draft>
    /// Left as soon as every source has answered once.
    private let answers = DispatchGroup()

    private struct State {
        var snapshot: PolicySnapshot
        var start: ContinuousClock.Instant?
        var isSettled = false
        var listeners: [Int: AsyncStream<PolicySnapshot>.Continuation] = [:]
        var lastListener = 0
    }

    private struct Draft {
        var snapshot: PolicySnapshot
        /// What AccountsService has said last.
        var lastAnswer: ParentalControlsState
        var isWatchingAccountsService = false
    }

    package init(_ sources: PolicySources) {
        self.sources = sources
        // Before anything is known, everything counts as switched on.
        let unknown = ParentalControlsState.unanswered("It has not been asked yet.")
        let snapshot = PolicySnapshot(
            app: sources.app, accountNumber: sources.accountNumber, accountName: nil, parentalControls: unknown,
            entitlement: .missing("It has not been looked for yet."))
        state = Mutex(State(snapshot: snapshot))
        draft = Mutex(Draft(snapshot: snapshot, lastAnswer: unknown))
        answers.enter()
    }

    /// What is known now; the first question waits, at most a quarter of a second, until everything is known.
    package func snapshot() -> PolicySnapshot {
        let (snapshot, wait) = state.withLock { (state: inout State) -> (PolicySnapshot, Duration?) in
            if state.isSettled { return (state.snapshot, nil) }
            let begin = start(&state)
            return (state.snapshot, Self.longestWait - begin.duration(to: .now))
        }
        guard let wait, wait > .zero else { return snapshot }
        _ = answers.wait(timeout: .now() + .nanoseconds(Int(wait / .nanoseconds(1))))
        return state.withLock { $0.snapshot }
    }

    /// What is known once everything is, or after two seconds; for those who are about to act on it and must not block.
    package func settledSnapshot() async -> PolicySnapshot {
        let begin = state.withLock { state -> ContinuousClock.Instant? in
            state.isSettled ? nil : start(&state)
        }
        guard let begin else { return state.withLock { $0.snapshot } }
        while begin.duration(to: .now) < Self.longestAsynchronousWait, !state.withLock({ $0.isSettled }) {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
        }
        return state.withLock { $0.snapshot }
    }

    /// What is known, whenever something has changed.
    package func changes() -> AsyncStream<PolicySnapshot> {
        // Only the newest counts for those who are slow.
        let (stream, continuation) = AsyncStream.makeStream(
            of: PolicySnapshot.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            _ = start(&state)
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Starts the threads, once.
    private func start(_ state: inout State) -> ContinuousClock.Instant {
        if let start = state.start { return start }
        let now = ContinuousClock.now
        state.start = now
        WorkerThread().run { [self] in watchFiles() }
        return now
    }

    private func watchFiles() {
        Self.blockSignals()
        let accountName = sources.accountName()
        let administratorPath =
            sources.administratorFile.base + "/" + sources.administratorFile.path.joined(separator: "/")
        let paths = [administratorPath, sources.userFile].compactMap { $0 }
        while true {
            let watch = FileWatch(paths)
            readFiles(accountName: accountName)
            watch.wait()
        }
    }

    private func readFiles(accountName: String?) {
        let administratorFile = SettingsReader.administrator(
            sources.administratorFile.path, below: sources.administratorFile.base, owner: sources.administrator
        ).parsed { text throws(SettingsError) in try AdministratorSettings(parsing: text) }
        let entitlement = Entitlement.of(sources.app, administratorFolder: sources.entitlementFolder)
        let isInstalled = sources.isAccountsServiceInstalled
        update { draft in
            draft.snapshot.accountName = accountName
            draft.snapshot.administratorFile = administratorFile
            draft.snapshot.entitlement = entitlement
            if case .read(let settings) = administratorFile, !settings.usesAccountsService {
                draft.snapshot.parentalControls = .notUsed
            } else if !isInstalled {
                draft.snapshot.parentalControls = .notInstalled
            } else {
                draft.snapshot.parentalControls = draft.lastAnswer
                if !draft.isWatchingAccountsService {
                    draft.isWatchingAccountsService = true
                    WorkerThread().run { [self] in watchAccountsService() }
                }
            }
        }
    }

    private func watchAccountsService() {
        Self.blockSignals()
        var watch = AccountsServiceWatch(socket: sources.busSocket, accountNumber: sources.accountNumber)
        while true {
            let answer = watch.next()
            update { draft in
                // Silence takes back nothing that was said before.
                if case .unanswered = answer, case .answered = draft.lastAnswer { return }
                draft.lastAnswer = answer
                switch draft.snapshot.parentalControls {
                case .notUsed, .notInstalled: break
                case .unanswered, .answered: draft.snapshot.parentalControls = answer
                }
            }
        }
    }

    /// Changes what is known, and tells those who listen.
    private func update(_ change: (inout Draft) -> Void) {
        draft.withLock { draft in
            change(&draft)
            draft.snapshot.userFile = readUserFile(under: draft.snapshot.communicationSafety)
            publish(draft.snapshot)
        }
    }

    private func publish(_ snapshot: PolicySnapshot) {
        let listeners = state.withLock { state in
            let wasSettled = state.isSettled
            if case .unanswered = snapshot.parentalControls {} else { state.isSettled = true }
            if state.isSettled && !wasSettled { answers.leave() }
            let isNew = state.snapshot != snapshot || state.isSettled != wasSettled
            state.snapshot = snapshot
            return isNew ? Array(state.listeners.values) : []
        }
        for listener in listeners { listener.yield(snapshot) }
    }

    private func readUserFile(under communicationSafety: CommunicationSafety) -> SettingsFile<UserSettings>? {
        guard communicationSafety == .off else { return nil }
        guard let path = sources.userFile else { return .absent }
        return SettingsReader.personal(path).parsed { text throws(SettingsError) in try UserSettings(parsing: text) }
    }

    /// The app's signals are for the app's threads.
    private static func blockSignals() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static let longestWait = Duration.milliseconds(250)
    private static let longestAsynchronousWait = Duration.seconds(2)
}
