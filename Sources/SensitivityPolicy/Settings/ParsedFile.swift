// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Parsed settings with their text, which are parsed anew only when the text has changed.
final class ParsedFile<Settings: Sendable & Hashable> {
    private var text: SettingsFile<String>?
    private var settings = SettingsFile<Settings>.absent

    func parsed(
        _ text: SettingsFile<String>, _ parse: (String) throws(SettingsError) -> Settings
    ) -> SettingsFile<Settings> {
        if text != self.text { settings = text.parsed(parse) }
        self.text = text
        return settings
    }
}
