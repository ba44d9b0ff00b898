// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A person's own settings: Sensitive Content Warning.
package struct UserSettings: Sendable, Hashable {
    /// Whether the person wants to be warned; nil where nothing is said.
    package var contentWarning: Bool?
    /// What differs for single apps, by the name of their executable or by its path.
    package var apps: [String: Bool] = [:]
    /// Whether the test pattern counts as sensitive content.
    package var isTestMode = false
    package var helpLinks: [HelpLink] = []

    package init() {}

    /// - Parameter text: TOML.
    package init(parsing text: String) throws(SettingsError) {
        let table = try SettingsTable(parsing: text)
        try table.requireNoKeys(but: [Key.contentWarning, Key.testMode, Key.apps, "help-links"])
        contentWarning = try table.bool(Key.contentWarning)
        isTestMode = try table.bool(Key.testMode) ?? false
        if let entries = try table.table(Key.apps) {
            for name in entries.keys { apps[name] = try entries.bool(name) }
        }
        helpLinks = try HelpLink.links(in: table)
    }

    /// Whether the person wants to be warned in an app; what is said of the app counts more than what is said of all.
    package func contentWarning(in app: AppIdentity) -> ContentWarning {
        (apps[app.path] ?? apps[app.name] ?? contentWarning ?? false) ? .on : .off
    }

    package enum Key {
        package static let contentWarning = "sensitive-content-warning"
        package static let testMode = "test-mode"
        package static let apps = "apps"
    }
}
