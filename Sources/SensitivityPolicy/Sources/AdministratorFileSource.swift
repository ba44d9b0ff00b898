// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The administrator's file as a policy source.
final class AdministratorFileSource: PolicySource {
    private let sources: PolicySources
    private let answer = Mutex<Answer?>(nil)

    private struct Answer {
        var accountName: String?
        var file: SettingsFile<AdministratorSettings>
    }

    init(_ sources: PolicySources) {
        self.sources = sources
    }

    func isUsed(in snapshot: PolicySnapshot) -> Bool { true }
    func examineMachine() {}

    func follow(_ onAnswer: () -> Void) {
        let accountName = sources.accountName()
        let file = ParsedFile<AdministratorSettings>()
        let watch = FileWatch([sources.administratorPath])
        while true {
            watch.renew()
            let settings = file.parsed(sources.administratorText, AdministratorSettings.init(ofThisMachine:))
            answer.withLock { $0 = Answer(accountName: accountName, file: settings) }
            onAnswer()
            // The pause is longer than for other files: an editor may empty the file first and so weaken the policy.
            watch.wait(settlingTime: 150_000)
        }
    }

    func write(to snapshot: inout PolicySnapshot) {
        guard let answer = answer.withLock({ $0 }) else { return }
        snapshot.accountName = answer.accountName
        snapshot.administratorFile = answer.file
    }
}

/// The content of the administrator's file, the entry for the account, and whether the login name is known.
struct AdministratorFileState: PolicySourceState {
    let file: SettingsFile<AdministratorSettings>
    let account: AdministratorSettings.Account?
    let isAccountNameKnown: Bool

    var title: String { PolicySources.administratorFile }

    var summary: String {
        switch file {
        case .absent: "not there"
        case .refused(let reason): "not obeyed: it \(reason)"
        case .read:
            switch account?.communicationSafety {
            case nil: "says nothing of this account"
            case true?: "on for this account"
            case false?: "off for this account"
            }
        }
    }

    var hasAnswered: Bool { true }

    func makeSource(_ sources: PolicySources) -> any PolicySource { AdministratorFileSource(sources) }

    var communicationSafety: CommunicationSafety {
        switch file {
        case .absent: .off
        case .refused: .unknown
        case .read where account?.communicationSafety == true: .on
        // Without the login name, an entry by name may belong to this account.
        case .read(let settings): !isAccountNameKnown && !settings.accounts.isEmpty ? .unknown : .off
        }
    }
}
