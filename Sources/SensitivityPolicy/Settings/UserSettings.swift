// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A person's own settings: where Sensitive Content Warning is on, the test mode, and links to help.
package struct UserSettings: Sendable, Hashable {
    /// Whether the person wants warnings; nil if the file does not set it.
    package var contentWarning: Bool?
    /// Whether the person wants warnings in single apps; a key is the name or the path of an app's executable.
    package var apps: [String: Bool] = [:]
    /// Whether the test pattern counts as sensitive content.
    package var isTestMode = false
    package var helpLinks: [HelpLink] = []

    package init() {}

    /// - Parameter text: the content of the person's settings file, in JSON.
    package init(parsing text: String) throws(SettingsError) {
        let object = try SettingsObject(parsing: text)
        try object.requireNoKeys(but: [Key.contentWarning, Key.testMode, Key.apps, HelpLink.key])
        contentWarning = try object.bool(Key.contentWarning)
        isTestMode = try object.bool(Key.testMode) ?? false
        if let entries = try object.object(Key.apps) {
            for name in entries.keys { apps[name] = try entries.bool(name) }
        }
        helpLinks = try HelpLink.links(in: object)
    }

    /// Whether the person wants warnings in an app; the app's own entry overrides the general choice.
    package func contentWarning(in app: AppIdentity) -> ContentWarning {
        (apps[app.path] ?? apps[app.name] ?? contentWarning ?? false) ? .on : .off
    }

    package enum Key {
        package static let contentWarning = "sensitiveContentWarning"
        package static let testMode = "testMode"
        package static let apps = "apps"
    }
}
