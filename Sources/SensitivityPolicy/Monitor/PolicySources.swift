// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import Glibc

/// Where the policy of a process comes from.
package struct PolicySources: Sendable {
    package var app: AppIdentity
    package var accountNumber: UInt32
    /// The login name, or nil where the system does not tell it; may take a while.
    var accountName: @Sendable () -> String?
    /// The administrator's file, by the folder that is trusted and the names that lead on.
    package var administratorFile: (base: String, path: [String])
    /// Anyone but root is for tests.
    var administrator: UInt32
    /// The person's own file, or nil for somebody without a home.
    package var userFile: String?
    package var entitlementFolder: String
    /// Where one of these is, AccountsService is installed.
    package var accountsServiceMarkers: [String]
    /// Whether the process lives in a container of an account without rights, where nobody sees what is installed outside,
    /// and `root` need not be the administrator.
    package var isInUserNamespace: Bool
    var busSocket: String

    /// The sources of the running process.
    ///
    /// Of the environment, only where the person's own settings are is taken; under Communication Safety they are not
    /// read.
    package init() {
        self.init(environment: ProcessInfo.processInfo.environment)
    }

    init(environment: [String: String]) {
        app = .ofThisProcess
        let number = getuid()
        accountNumber = number
        accountName = { Account(number: number)?.name }
        administratorFile = ("/", Self.administratorPath)
        administrator = 0
        userFile =
            (environment.absolutePath("XDG_CONFIG_HOME") ?? environment.absolutePath("HOME").map { "\($0)/.config" })
            .map { "\($0)/sensitive-content-analysis/settings.json" }
        entitlementFolder = "/etc/sensitive-content-analysis/entitlements"
        accountsServiceMarkers = Self.markers
        let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/user")
        // Source: PROC_USER_INIT_INO of the kernel, the same everywhere.
        isInUserNamespace = namespace != "user:[\(0xEFFF_FFFD as UInt32)]"
        busSocket = SystemBus.socket
    }

    /// Where the administrator's file is.
    var administratorPath: String {
        administratorFile.base + "/" + administratorFile.path.joined(separator: "/")
    }

    /// The text of the administrator's file.
    var administratorText: SettingsFile<String> {
        SettingsReader.administrator(administratorFile.path, below: administratorFile.base, owner: administrator)
    }

    /// The name of the administrator's file.
    package static let administratorPath = ["etc", "sensitive-content-analysis", "communication-safety.json"]

    package static var administratorFile: String { "/" + administratorPath.joined(separator: "/") }

    private static let markers = [
        "/usr/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/usr/local/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/run/current-system/sw/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/etc/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/usr/libexec/accounts-daemon",
        "/usr/lib/accountsservice/accounts-daemon",
        // In the sandboxes of these, nobody sees what is installed outside.
        "/.flatpak-info",
    ]

    /// Whether AccountsService is installed, or that cannot be seen from here.
    var isAccountsServiceInstalled: Bool {
        isInUserNamespace
            || accountsServiceMarkers.contains { unsafe access($0, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR }
    }
}
