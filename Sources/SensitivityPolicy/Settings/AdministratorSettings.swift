// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The settings of an administrator for the accounts of the machine.
package struct AdministratorSettings: Sendable, Hashable {
    /// Whether a filter in AccountsService can put an account under Communication Safety.
    package var usesAccountsService = true
    /// The settings for single accounts; a key is an account's name, or its number in decimal digits.
    package var accounts: [String: Account] = [:]
    /// The account number for each key of `accounts`, without keys of accounts that the machine does not have.
    package private(set) var numbers: [String: UInt32] = [:]

    package struct Account: Sendable, Hashable {
        package var communicationSafety: Bool?
        package var trustedGrownUp: TrustedGrownUp?
        package var helpLinks: [HelpLink] = []
    }

    /// The person whom a child can turn to.
    package struct TrustedGrownUp: Sendable, Hashable {
        package let name: String
        /// A way to reach the person, for example a telephone number.
        package let contact: String?
    }

    package init() {}

    /// - Parameter text: the content of the administrator's file, in JSON.
    /// - Throws: `SettingsError`. The reader of the file then uses the strictest value for every account.
    package init(parsing text: String) throws(SettingsError) {
        let object = try SettingsObject(parsing: text)
        try object.requireNoKeys(but: [Key.usesAccountsService, Key.accounts])
        usesAccountsService = try object.bool(Key.usesAccountsService) ?? true
        guard let entries = try object.object(Key.accounts) else { return }
        for name in entries.keys {
            if let entry = try entries.object(name) { accounts[name] = try Account(entry) }
        }
    }

    /// Returns the settings for an account, merged from all of its entries; nil if it has none.
    ///
    /// - Parameter name: the login name, or nil if the system does not report it.
    package func account(number: UInt32, name: String?) -> Account? {
        let keys = accounts.keys.filter { $0 == name || $0 == String(number) || numbers[$0] == number }
        // The entry by login name comes first, then entries by number and by other names.
        let entries = keys.sorted { ($0 != name ? 1 : 0, $0) < ($1 != name ? 1 : 0, $1) }.compactMap { accounts[$0] }
        guard var account = entries.first else { return nil }
        // The strictest value of all entries for one account counts.
        for other in entries.dropFirst() {
            if other.communicationSafety == true || account.communicationSafety == nil {
                account.communicationSafety = other.communicationSafety
            }
            account.trustedGrownUp = account.trustedGrownUp ?? other.trustedGrownUp
            account.helpLinks += other.helpLinks
        }
        return account
    }

    /// Fills `numbers`, because one account may have several names, and a name may be misspelt.
    ///
    /// - Parameter look: returns the account number for a key of `accounts`; nil if there is no such account.
    package mutating func resolveAccounts(_ look: (String) -> UInt32?) {
        for name in accounts.keys { numbers[name] = look(name) }
    }

    /// The names in the file without an account on the machine, in alphabetical order; known after `resolveAccounts`.
    package var unknownNames: [String] {
        accounts.keys.filter { numbers[$0] == nil }.sorted()
    }

    package enum Key {
        package static let usesAccountsService = "usesAccountsService"
        package static let accounts = "accounts"
        package static let communicationSafety = "communicationSafety"
        static let trustedGrownUp = "trustedGrownUp"
    }
}

extension AdministratorSettings.Account {
    init(_ object: SettingsObject) throws(SettingsError) {
        typealias Key = AdministratorSettings.Key
        try object.requireNoKeys(but: [Key.communicationSafety, Key.trustedGrownUp, HelpLink.key])
        communicationSafety = try object.bool(Key.communicationSafety)
        if let person = try object.object(Key.trustedGrownUp) {
            try person.requireNoKeys(but: ["name", "contact"])
            trustedGrownUp = AdministratorSettings.TrustedGrownUp(
                name: try person.requiredString("name"), contact: try person.string("contact"))
        }
        helpLinks = try HelpLink.links(in: object)
    }
}
