// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import Glibc

/// The locations of the files and services from which the policy of a process is read.
package struct PolicySources: Sendable {
    package var app: AppIdentity
    package var accountNumber: UInt32
    /// Returns the login name or nil; it may block, because the system may ask a server on the network.
    var accountName: @Sendable () -> String?
    /// The administrator's file: a trusted folder, and the names of the path below it.
    package var administratorFile: (base: String, path: [String])
    /// The account number of the owner of trusted files: 0 for root; only tests use another number.
    var administrator: UInt32
    /// The person's own file; nil for an account without a home.
    package var userFile: String?
    package var entitlementFolder: String
    /// Paths of which at least one exists if AccountsService is installed or may be hidden.
    package var accountsServiceMarkers: [String]
    /// Whether the process is in a user namespace, in which `root` may be no administrator and files may be hidden.
    package var isInUserNamespace: Bool
    var busSocket: String

    /// The sources of the running process.
    ///
    /// Only the path of the person's own settings depends on the environment. Communication Safety ignores that file.
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
        // The first user namespace has the same number on every machine. Source: PROC_USER_INIT_INO of the kernel.
        isInUserNamespace = namespace != "user:[\(0xEFFF_FFFD as UInt32)]"
        busSocket = SystemBus.socket
    }

    /// Makes the source of each state; the administrator's file is the first, because it decides on other sources.
    func makeAll(for snapshot: PolicySnapshot) -> [any PolicySource] {
        snapshot.sourceStates.reversed().map { $0.makeSource(self) }
    }

    /// The path of the administrator's file.
    var administratorPath: String {
        administratorFile.base + "/" + administratorFile.path.joined(separator: "/")
    }

    /// The text of the administrator's file.
    var administratorText: SettingsFile<String> {
        SettingsReader.administrator(administratorFile.path, below: administratorFile.base, owner: administrator)
    }

    /// The names of the folders and of the file on the path of the administrator's file.
    package static let administratorPath = ["etc", "sensitive-content-analysis", "communication-safety.json"]

    package static var administratorFile: String { "/" + administratorPath.joined(separator: "/") }

    private static let markers = [
        "/usr/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/usr/local/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/run/current-system/sw/share/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/etc/dbus-1/system-services/org.freedesktop.Accounts.service",
        "/usr/libexec/accounts-daemon",
        "/usr/lib/accountsservice/accounts-daemon",
        // This file exists in the sandbox of Flatpak, which hides the files of the system.
        "/.flatpak-info",
    ]

    /// Whether AccountsService is installed, or may be installed but hidden.
    var isAccountsServiceInstalled: Bool {
        isInUserNamespace
            || accountsServiceMarkers.contains { unsafe access($0, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR }
    }
}
