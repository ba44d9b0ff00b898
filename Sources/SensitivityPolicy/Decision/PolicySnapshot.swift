// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// All facts on which the policy of an app depends, at one moment.
package struct PolicySnapshot: Sendable, Hashable {
    package var app: AppIdentity
    package var accountNumber: UInt32
    /// The login name of the account, or nil if the system has not reported it.
    package var accountName: String?
    package var administratorFile = SettingsFile<AdministratorSettings>.absent
    package var parentalControls: ParentalControlsState
    /// The person's own file; nil under Communication Safety, because the file is not read then.
    package var userFile: SettingsFile<UserSettings>?
    package var entitlement: Entitlement

    package init(
        app: AppIdentity, accountNumber: UInt32, accountName: String?, parentalControls: ParentalControlsState,
        entitlement: Entitlement
    ) {
        self.app = app
        self.accountNumber = accountNumber
        self.accountName = accountName
        self.parentalControls = parentalControls
        self.entitlement = entitlement
    }

    /// The administrator's settings for the account; nil if the file is not valid or has no entry for the account.
    package var account: AdministratorSettings.Account? {
        guard case .read(let settings) = administratorFile else { return nil }
        return settings.account(number: accountNumber, name: accountName)
    }

    /// The states of all sources of Communication Safety; of the sources that are in force, the last one counts.
    package var sourceStates: [any PolicySourceState] {
        [
            parentalControls,
            AdministratorFileState(file: administratorFile, account: account, isAccountNameKnown: accountName != nil),
        ]
    }

    /// Whether the account is under Communication Safety; one source is enough, and an unknown choice counts as on.
    package var communicationSafety: CommunicationSafety {
        sourceStates.map(\.communicationSafety).last { $0.isInForce } ?? .off
    }

    /// Whether the person asks for warnings in this app.
    package var contentWarning: ContentWarning {
        switch userFile {
        case nil, .absent: .off
        case .refused: .unknown
        case .read(let settings): settings.contentWarning(in: app)
        }
    }

    /// Whether the person's settings make the test pattern count as sensitive.
    package var isTestMode: Bool {
        if case .read(let settings) = userFile { settings.isTestMode } else { false }
    }

    /// The policy in force for an app that demands a policy of itself.
    package func policy(demand: AnalysisPolicy) -> AnalysisPolicy {
        EffectivePolicy.policy(
            communicationSafety: communicationSafety, contentWarning: contentWarning,
            isEntitled: entitlement.isPresent, demand: demand)
    }
}
