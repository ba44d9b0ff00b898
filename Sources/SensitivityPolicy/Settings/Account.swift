// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An account of the machine.
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
        // Processes of the account look it up by its number, so the name of that entry counts.
        self.init(number: first.number)
    }

    /// - Parameter text: a name, or a number as it is usually written.
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
    /// Reads the settings, and looks up the numbers of the accounts in them.
    ///
    /// - Parameter text: JSON.
    /// - Throws: `SettingsError`, as `init(parsing:)` does.
    init(ofThisMachine text: String) throws(SettingsError) {
        try self.init(parsing: text)
        resolveAccounts(Self.number(ofAccount:))
    }

    private static func number(ofAccount name: String) -> UInt32? {
        SensitivityPolicy.Account(nameOrNumber: name)?.number
    }
}
