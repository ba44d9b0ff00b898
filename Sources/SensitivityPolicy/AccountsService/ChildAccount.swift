// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An account that an administrator puts under Communication Safety, or takes out of it.
package struct ChildAccount: Sendable {
    package let name: String
    package let number: UInt32
    private let sources: PolicySources

    /// The reason why the account could not be read or changed, in words for the administrator.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The store of the choice whether the account is under Communication Safety.
    package enum Place: Sendable, Hashable {
        case accountsService
        /// The administrator's file, if AccountsService is not installed or not used.
        case file
    }

    package init(name: String) throws(Failure) {
        guard let account = Account(name: name) else {
            throw Failure(description: "There is no account of the name \(name).")
        }
        self.name = account.name
        number = account.number
        sources = PolicySources()
    }

    package var place: Place {
        get throws(Failure) {
            switch administratorFile {
            case .refused(let reason): throw Failure(description: "\(PolicySources.administratorFile) \(reason).")
            case .read(let settings) where !settings.usesAccountsService: return .file
            case .read, .absent: return sources.isAccountsServiceInstalled ? .accountsService : .file
            }
        }
    }

    private var administratorFile: SettingsFile<AdministratorSettings> {
        sources.administratorText.parsed(AdministratorSettings.init(ofThisMachine:))
    }

    /// Whether the administrator's file puts the account under Communication Safety, or nil if it has no valid entry.
    package var fileSetting: Bool? {
        guard case .read(let settings) = administratorFile else { return nil }
        return settings.account(number: number, name: name)?.communicationSafety
    }

    /// Returns the filter in AccountsService, or nil if AccountsService has no parental controls.
    package func filter() throws(Failure) -> OARSFilter? {
        try withService { service, object throws(BusFailure) in try service.filter(of: object) }
    }

    /// Puts the account under Communication Safety, or takes it out.
    ///
    /// In AccountsService, only the section `sex-nudity` of the filter changes. Other data of malcontent stay.
    package func setCommunicationSafety(_ isOn: Bool) throws(Failure) {
        switch try place {
        case .accountsService:
            guard var filter = try filter() else {
                throw Failure(
                    description: "AccountsService knows of no parental controls here. Install malcontent"
                        + " (apt install malcontent), or set \"usesAccountsService\": false in"
                        + " \(PolicySources.administratorFile).")
            }
            guard ["oars-1.0", "oars-1.1"].contains(filter.scheme) else {
                throw Failure(
                    description:
                        "The filter of the account has the scheme \(filter.scheme), which this version does not"
                        + " understand, so it was left as it is.")
            }
            // An existing value with the same meaning (`mild` for on, `moderate` for off) is kept.
            if filter.communicationSafety != (isOn ? .on : .off) {
                filter.sections[OARSFilter.nudity] = isOn ? "none" : nil
                try withService { service, object throws(BusFailure) in try service.setFilter(filter, of: object) }
            }
            if !isOn, fileSetting == true { try setFile(false) }
        case .file: try setFile(isOn)
        }
    }

    private func setFile(_ isOn: Bool) throws(Failure) {
        do throws(SettingsWriteFailure) {
            let fault = try SettingsWriter.changeAdministrator { settings throws(SettingsError) in
                typealias Key = AdministratorSettings.Key
                // The file may also have an entry by number. It is switched off too, because the stricter entry counts.
                if !isOn, settings.hasValue(at: [Key.accounts, String(number)]) {
                    try settings.set(Key.communicationSafety, to: false, in: [Key.accounts, String(number)])
                }
                try settings.set(Key.communicationSafety, to: isOn, in: [Key.accounts, name])
            }
            if let fault {
                throw SettingsWriteFailure(
                    description: "The change was written, but \(PolicySources.administratorFile) is not obeyed: it"
                        + " \(fault).")
            }
        } catch {
            let command = "sudo sca policy child -- \(name) \(isOn ? "on" : "off")"
            throw Failure(description: error.isForbidden ? "\(error) An administrator may: \(command)" : "\(error)")
        }
    }

    private func withService<Value>(
        _ body: (AccountsService, String) throws(BusFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(BusFailure) {
            let service = AccountsService(try SystemBus(socket: sources.busSocket))
            return try body(service, try service.object(ofAccount: number))
        } catch {
            let isRefused = ["PermissionDenied", "AccessDenied", "NotAuthorized", "InteractiveAuthorizationRequired"]
                .contains(where: error.name.hasSuffix)
            throw Failure(
                description: isRefused
                    ? "Only an administrator may do this: run it with sudo. (\(error.message))"
                    : "AccountsService could not be asked: \(error.message) (\(error.name)).")
        }
    }
}
