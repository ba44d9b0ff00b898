// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Everything that the policy of an app depends on, as it was at one moment.
package struct PolicySnapshot: Sendable, Hashable {
    package var app: AppIdentity
    package var accountNumber: UInt32
    /// The login name, or nil where the system does not tell it.
    package var accountName: String?
    package var administratorFile = SettingsFile<AdministratorSettings>.absent
    package var parentalControls: ParentalControlsState
    /// The person's own file; nil where it is not read, since the account is under Communication Safety.
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

    /// What the administrator has set for the account.
    package var account: AdministratorSettings.Account? {
        guard case .read(let settings) = administratorFile else { return nil }
        return settings.account(number: accountNumber, name: accountName)
    }

    /// Whether the account is under Communication Safety: as soon as one of the sources says so, or one is unknown.
    package var communicationSafety: CommunicationSafety {
        if account?.communicationSafety == true { return .on }
        switch administratorFile {
        case .refused: return .unknown
        case .read(let settings) where accountName == nil && !settings.accounts.isEmpty:
            // One of the names in the file may be that of this account.
            return .unknown
        case .absent, .read: break
        }
        switch parentalControls {
        case .notInstalled, .notUsed, .answered(nil): return .off
        case .unanswered: return .unknown
        case .answered(let filter?): return filter.communicationSafety
        }
    }

    /// Whether the person wants to be warned in this app.
    package var contentWarning: ContentWarning {
        switch userFile {
        case nil, .absent: .off
        case .refused: .unknown
        case .read(let settings): settings.contentWarning(in: app)
        }
    }

    /// Whether the test pattern counts because the person's settings say so.
    package var isTestMode: Bool {
        if case .read(let settings) = userFile { settings.isTestMode } else { false }
    }

    /// The policy in force for an app that demands this one of itself.
    package func policy(demand: AnalysisPolicy) -> AnalysisPolicy {
        EffectivePolicy.policy(
            communicationSafety: communicationSafety, contentWarning: contentWarning,
            isEntitled: entitlement.isPresent, demand: demand)
    }
}
