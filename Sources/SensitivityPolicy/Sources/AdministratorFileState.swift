// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
