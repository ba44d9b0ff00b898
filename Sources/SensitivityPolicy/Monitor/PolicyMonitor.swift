// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc
internal import Synchronization

/// The policy of a process, which is kept up to date from the first request on.
///
/// Each policy source has a thread, and the person's own files have a thread. A request reads a value in memory.
/// Communication Safety is known once its sources have answered. Only its absence requires the person's own settings.
package final class PolicyMonitor: Sendable {
    /// The monitor of this process, with the policy sources of the machine or of `setSharedSources`.
    package static let shared = PolicyMonitor(
        sharedSources.withLock { shared in
            shared.isInUse = true
            return shared.sources ?? PolicySources()
        })

    /// The sources of `shared`, if code of this package set them before the first use of `shared`.
    private static let sharedSources = Mutex<(sources: PolicySources?, isInUse: Bool)>((nil, false))

    /// Gives `shared` other sources, so a test does not read the policy of the machine.
    ///
    /// Only code of this package can call it. No file, variable or message leads here, so the account cannot call it.
    ///
    /// - Returns: false if `shared` is in use already. It then keeps its sources.
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
    private let state: ConditionLock<State>
    private let draft: Mutex<Draft>
    private let published = Broadcast<PolicySnapshot>()
    private let personalSignal = WakeSignal()

    private struct State {
        var snapshot: PolicySnapshot
        var start: ContinuousClock.Instant?
        /// Whether all sources that the policy depends on have answered once.
        var isSettled = false
    }

    /// The snapshot that the threads write; it is never locked during a read of a source.
    private struct Draft {
        var snapshot: PolicySnapshot
        /// The indices in `PolicySources.makeAll` of the sources that have a thread.
        var followed: Set<Int> = [0]
    }

    package init(_ sources: PolicySources) {
        self.sources = sources
        // Before the first answers, Communication Safety counts as on.
        unknown = PolicySnapshot(
            app: sources.app, accountNumber: sources.accountNumber, accountName: nil, parentalControls: .notAsked,
            entitlement: .missing("It has not been looked for yet."))
        state = ConditionLock(State(snapshot: unknown))
        draft = Mutex(Draft(snapshot: unknown))
    }

    /// Returns the current snapshot; the first request waits for all sources, at most a quarter of a second.
    package func snapshot() -> PolicySnapshot {
        // A forked process lacks the threads, and a missing thread may hold the lock.
        guard getpid() == processNumber else { return unknown }
        let (snapshot, wait) = state.withLock { (state: inout State) -> (PolicySnapshot, Duration) in
            if state.isSettled { return (state.snapshot, .zero) }
            let begin = start(&state)
            return (state.snapshot, Self.longestWait - begin.duration(to: .now))
        }
        guard wait > .zero else { return snapshot }
        return state.wait(within: wait) { $0.isSettled ? $0.snapshot : nil } ?? state.withLock { $0.snapshot }
    }

    /// Returns the snapshot once all sources have answered, or after two seconds, without blocking a thread.
    package func settledSnapshot() async -> PolicySnapshot {
        guard getpid() == processNumber else { return unknown }
        if let settled = state.withLock({ $0.isSettled ? $0.snapshot : nil }) { return settled }
        // The subscription precedes the check of the state, so no answer between the two is missed.
        let answers = published.values()
        let begin = state.withLock { state in state.isSettled ? nil : start(&state) }
        if let begin {
            let end = begin + Self.longestAsynchronousWait
            await withTaskGroup { group in
                group.addTask { for await _ in answers where self.state.withLock({ $0.isSettled }) { return } }
                group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
                await group.next()
                group.cancelAll()
            }
        }
        return state.withLock { $0.snapshot }
    }

    /// Returns the snapshots of all changes from now on.
    package func changes() -> AsyncStream<PolicySnapshot> {
        // The subscription precedes the start of the threads, so no answer is missed.
        let snapshots = published.values()
        state.withLock { _ = start(&$0) }
        return snapshots
    }

    /// Starts the first threads, once; the policy stays unknown if the system creates no thread.
    private func start(_ state: inout State) -> ContinuousClock.Instant {
        if let start = state.start { return start }
        let now = ContinuousClock.now
        state.start = now
        let all = sources.makeAll(for: unknown)
        follow(all[0], among: all)
        BackgroundThread.start(blocksSignals: true) { [self] in watchPersonalFiles() }
        return now
    }

    private func follow(_ source: any PolicySource, among all: [any PolicySource]) {
        BackgroundThread.start(blocksSignals: true) { [self] in source.follow { update(from: all) } }
    }

    /// Writes the states of all sources into the snapshot, and follows the sources that are now used.
    private func update(from all: [any PolicySource]) {
        for source in all { source.examineMachine() }
        draft.withLock { draft in
            for source in all { source.write(to: &draft.snapshot) }
            for (position, source) in all.enumerated() where source.isUsed(in: draft.snapshot) {
                if draft.followed.insert(position).inserted { follow(source, among: all) }
            }
            if draft.snapshot.communicationSafety.isInForce {
                // The person's own file does not count, so the snapshot does not wait for it.
                draft.snapshot.userFile = nil
                publish(draft.snapshot)
            }
        }
        personalSignal.send()
    }

    private func watchPersonalFiles() {
        let file = ParsedFile<UserSettings>()
        let watch = FileWatch([sources.userFile].compactMap { $0 })
        while true {
            watch.renew()
            readPersonalFiles(file)
            watch.wait(settlingTime: 20_000, wakingFor: personalSignal)
        }
    }

    private func readPersonalFiles(_ file: ParsedFile<UserSettings>) {
        guard draft.withLock({ $0.snapshot.communicationSafety == .off }) else { return }
        let text = sources.userFile.map { SettingsReader.personal($0) } ?? .absent
        let settings = file.parsed(text, UserSettings.init(parsing:))
        let entitlement = Entitlement.of(sources.app, administratorFolder: sources.entitlementFolder)
        draft.withLock { draft in
            // Communication Safety may have come into force during the read.
            guard !draft.snapshot.communicationSafety.isInForce else { return }
            draft.snapshot.userFile = settings
            draft.snapshot.entitlement = entitlement
            publish(draft.snapshot)
        }
    }

    private func publish(_ snapshot: PolicySnapshot) {
        let isNews = state.withLock { state in
            let wasSettled = state.isSettled
            if snapshot.sourceStates.allSatisfy(\.hasAnswered) { state.isSettled = true }
            defer { state.snapshot = snapshot }
            return state.snapshot != snapshot || state.isSettled != wasSettled
        }
        if isNews { published.send(snapshot) }
    }

    private static let longestWait = Duration.milliseconds(250)
    private static let longestAsynchronousWait = Duration.seconds(2)
}
