// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Knows the policy of a process at every moment, from the first question on.
///
/// Three threads keep it up to date: one for the administrator's file, one for what is the person's own, and, where
/// AccountsService is installed, one for its word. Whoever asks reads a value in memory. What restricts is known at once;
/// what leaves free is known when the person's own settings have been read, which nobody else waits for.
package final class PolicyMonitor: Sendable {
    /// The monitor of this process, over the process's own sources.
    package static let shared = PolicyMonitor(
        sharedSources.withLock { shared in
            shared.isInUse = true
            return shared.sources ?? PolicySources()
        })

    /// The sources of `shared`, where code of this package has set them before its first use.
    private static let sharedSources = Mutex<(sources: PolicySources?, isInUse: Bool)>((nil, false))

    /// Gives `shared` other sources, so that a test does not read the policy of the machine.
    ///
    /// Only code of this package can call it. No file, variable or message leads here, so the account cannot.
    ///
    /// - Returns: false where `shared` is in use already. It then keeps its sources.
    package static func setSharedSources(_ sources: PolicySources) -> Bool {
        sharedSources.withLock { shared in
            guard !shared.isInUse else { return false }
            shared.sources = sources
            return true
        }
    }

    private let sources: PolicySources
    private let processNumber = getpid()
    private let unknown: PolicySnapshot
    private let state: Mutex<State>
    private let draft: Mutex<Draft>
    private let published = Broadcast<PolicySnapshot>()
    private let personalSignal = WakeSignal()
    /// Left as soon as every source has answered once.
    private let answers = DispatchGroup()

    private struct State {
        var snapshot: PolicySnapshot
        var start: ContinuousClock.Instant?
        var isSettled = false
    }

    /// What the threads know; never locked while something is read.
    private struct Draft {
        var snapshot: PolicySnapshot
        /// What AccountsService has said last.
        var lastAnswer: ParentalControlsState
        var isWatchingAccountsService = false
    }

    package init(_ sources: PolicySources) {
        self.sources = sources
        // Before anything is known, everything counts as switched on.
        let silence = ParentalControlsState.unanswered("It has not been asked yet.")
        unknown = PolicySnapshot(
            app: sources.app, accountNumber: sources.accountNumber, accountName: nil, parentalControls: silence,
            entitlement: .missing("It has not been looked for yet."))
        state = Mutex(State(snapshot: unknown))
        draft = Mutex(Draft(snapshot: unknown, lastAnswer: silence))
        answers.enter()
    }

    /// What is known now; the first question waits, at most a quarter of a second, until everything is known.
    package func snapshot() -> PolicySnapshot {
        // In a forked process nobody keeps anything up to date, and a lock may be held by a thread that is not there.
        guard getpid() == processNumber else { return unknown }
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
        guard getpid() == processNumber else { return unknown }
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
        // Before the threads are there, so that nothing is missed that they say.
        let snapshots = published.values()
        state.withLock { _ = start(&$0) }
        return snapshots
    }

    /// Starts the threads, once; where the system gives none, everything stays unknown.
    private func start(_ state: inout State) -> ContinuousClock.Instant {
        if let start = state.start { return start }
        let now = ContinuousClock.now
        state.start = now
        BackgroundThread.start(blocksSignals: true) { [self] in watchAdministratorFile() }
        BackgroundThread.start(blocksSignals: true) { [self] in watchPersonalFiles() }
        return now
    }

    private func watchAdministratorFile() {
        let accountName = sources.accountName()
        let path = sources.administratorPath
        let file = ParsedFile<AdministratorSettings>()
        while true { followAdministratorFile(path, file, accountName) }
    }

    private func followAdministratorFile(
        _ path: String, _ file: ParsedFile<AdministratorSettings>, _ accountName: String?
    ) {
        let watch = FileWatch([path])
        readAdministratorFile(file, accountName)
        // Longer than others: an editor that empties the file first must not switch anything off in between.
        watch.wait(settlingTime: 150_000)
    }

    private func readAdministratorFile(_ file: ParsedFile<AdministratorSettings>, _ accountName: String?) {
        let text = sources.administratorText
        let settings = file.parsed(text, AdministratorSettings.init(ofThisMachine:))
        let isInstalled = sources.isAccountsServiceInstalled
        update { draft in
            draft.snapshot.accountName = accountName
            draft.snapshot.administratorFile = settings
            if case .read(let settings) = settings, !settings.usesAccountsService {
                draft.snapshot.parentalControls = .notUsed
            } else if !isInstalled {
                draft.snapshot.parentalControls = .notInstalled
            } else {
                draft.snapshot.parentalControls = draft.lastAnswer
                if !draft.isWatchingAccountsService {
                    draft.isWatchingAccountsService = true
                    BackgroundThread.start(blocksSignals: true) { [self] in watchAccountsService() }
                }
            }
        }
    }

    private func watchAccountsService() {
        var watch = AccountsServiceWatch(socket: sources.busSocket, accountNumber: sources.accountNumber)
        while true {
            let answer = watch.next()
            update { draft in
                draft.lastAnswer = answer
                switch draft.snapshot.parentalControls {
                case .notUsed, .notInstalled: break
                case .unanswered, .answered: draft.snapshot.parentalControls = answer
                }
            }
        }
    }

    /// Changes what is known of the parent's choice.
    private func update(_ change: (inout Draft) -> Void) {
        draft.withLock { draft in
            change(&draft)
            if draft.snapshot.communicationSafety.isInForce {
                // The person's own file does not count, and nobody waits for it.
                draft.snapshot.userFile = nil
                publish(draft.snapshot)
            }
        }
        personalSignal.send()
    }

    private func watchPersonalFiles() {
        let file = ParsedFile<UserSettings>()
        while true { followPersonalFiles(file) }
    }

    private func followPersonalFiles(_ file: ParsedFile<UserSettings>) {
        let watch = FileWatch([sources.userFile].compactMap { $0 })
        readPersonalFiles(file)
        watch.wait(settlingTime: 20_000, wakingFor: personalSignal)
    }

    private func readPersonalFiles(_ file: ParsedFile<UserSettings>) {
        guard draft.withLock({ $0.snapshot.communicationSafety == .off }) else { return }
        let text = sources.userFile.map { SettingsReader.personal($0) } ?? .absent
        let settings = file.parsed(text, UserSettings.init(parsing:))
        let entitlement = Entitlement.of(sources.app, administratorFolder: sources.entitlementFolder)
        draft.withLock { draft in
            // A parent may have come in between.
            guard !draft.snapshot.communicationSafety.isInForce else { return }
            draft.snapshot.userFile = settings
            draft.snapshot.entitlement = entitlement
            publish(draft.snapshot)
        }
    }

    private func publish(_ snapshot: PolicySnapshot) {
        let isNews = state.withLock { state in
            let wasSettled = state.isSettled
            if case .unanswered = snapshot.parentalControls {} else { state.isSettled = true }
            if state.isSettled && !wasSettled { answers.leave() }
            defer { state.snapshot = snapshot }
            return state.snapshot != snapshot || state.isSettled != wasSettled
        }
        if isNews { published.send(snapshot) }
    }

    private static let longestWait = Duration.milliseconds(250)
    private static let longestAsynchronousWait = Duration.seconds(2)
}

/// Settings that are parsed anew only when their text has changed.
private final class ParsedFile<Settings: Sendable & Hashable> {
    private var text: SettingsFile<String>?
    private var settings = SettingsFile<Settings>.absent

    func parsed(
        _ text: SettingsFile<String>, _ parse: (String) throws(SettingsError) -> Settings
    ) -> SettingsFile<Settings> {
        if text != self.text { settings = text.parsed(parse) }
        self.text = text
        return settings
    }
}
