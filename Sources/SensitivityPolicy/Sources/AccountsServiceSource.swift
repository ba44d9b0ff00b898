// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The parental controls that the desktop keeps in AccountsService, as a policy source.
final class AccountsServiceSource: PolicySource {
    private let sources: PolicySources
    private let lastAnswer: Mutex<ParentalControlsState>
    private let isInstalled = Mutex(true)

    init(_ sources: PolicySources) {
        self.sources = sources
        lastAnswer = Mutex(.notAsked)
    }

    func isUsed(in snapshot: PolicySnapshot) -> Bool {
        switch snapshot.parentalControls {
        case .notInstalled, .notUsed: false
        case .unanswered, .answered: true
        }
    }

    func follow(_ onAnswer: () -> Void) {
        var watch = AccountsServiceWatch(socket: sources.busSocket, accountNumber: sources.accountNumber)
        while true {
            let answer = watch.next()
            lastAnswer.withLock { $0 = answer }
            onAnswer()
        }
    }

    func examineMachine() {
        let isFound = sources.isAccountsServiceInstalled
        isInstalled.withLock { $0 = isFound }
    }

    func write(to snapshot: inout PolicySnapshot) {
        if case .read(let settings) = snapshot.administratorFile, !settings.usesAccountsService {
            snapshot.parentalControls = .notUsed
        } else if !isInstalled.withLock({ $0 }) {
            snapshot.parentalControls = .notInstalled
        } else {
            snapshot.parentalControls = lastAnswer.withLock { $0 }
        }
    }
}
