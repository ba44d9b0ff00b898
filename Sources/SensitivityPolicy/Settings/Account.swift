// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An entry of the system's list of accounts.
struct Account: Sendable, Hashable {
    let number: UInt32
    let name: String

    init?(number: UInt32) {
        unsafe self.init { entry, buffer, size, found in unsafe getpwuid_r(number, entry, buffer, size, found) }
    }

    /// - Parameter name: a login name, or another name that the system knows for the same account.
    init?(name: String) {
        let first = unsafe Account { entry, buffer, size, found in unsafe getpwnam_r(name, entry, buffer, size, found) }
        guard let first else { return nil }
        // A process finds its account by number, so the name in the entry for the number is used.
        self.init(number: first.number)
    }

    /// - Parameter text: the account's name, or its number in decimal digits without leading zeros.
    init?(nameOrNumber text: String) {
        if let number = UInt32(text), String(number) == text {
            self.init(number: number)
        } else {
            self.init(name: text)
        }
    }

    private init?(
        _ look: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) {
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        let size = buffer.count
        guard unsafe look(&entry, &buffer, size, &found) == 0, unsafe found != nil else { return nil }
        number = unsafe entry.pw_uid
        name = unsafe String(cString: entry.pw_name)
    }
}

extension AdministratorSettings {
    /// Parses the administrator's settings, and looks up the number of each account in them on this machine.
    ///
    /// - Parameter text: the content of the administrator's file, in JSON.
    /// - Throws: `SettingsError`, as `init(parsing:)` does.
    init(ofThisMachine text: String) throws(SettingsError) {
        try self.init(parsing: text)
        resolveAccounts(Self.number(ofAccount:))
    }

    private static func number(ofAccount name: String) -> UInt32? {
        SensitivityPolicy.Account(nameOrNumber: name)?.number
    }
}
