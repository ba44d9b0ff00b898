// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The languages that a person reads, as tags of BCP 47, the preferred language first.
enum LanguageList {
    /// Returns the languages of the process.
    ///
    /// Source: GNU gettext's manual, "Locale Environment Variables": LANGUAGE is a list and precedes LC_ALL,
    /// LC_MESSAGES and LANG, but not in the locale C.
    static func ofProcess(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let language = locale.flatMap(tag(ofLocale:)) else { return [] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(ofLocale: String($0)) }
        return list + [language]
    }

    /// Returns the tag of a locale, for example "de-AT" for "de_AT.UTF-8@euro"; nil for a locale without a language.
    static func tag(ofLocale locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return name.isEmpty || name == "C" || name == "POSIX" ? nil : String(name).replacing("_", with: "-")
    }

    /// Returns a tag in the form in which tags are compared, for example "de-AT" for "DE-at".
    ///
    /// Source: RFC 5646, 2.1.1: tags are case-insensitive.
    static func canonical(_ tag: String) -> String { Locale.identifier(.bcp47, from: tag) }

    /// Returns the tags, each followed by its more general tags: ["de-AT", "fr"] becomes ["de-AT", "de", "fr"].
    static func withBases(_ languages: [String]) -> [String] {
        languages.flatMap { language in
            let parts = canonical(language).split(separator: "-")
            return (0..<parts.count).map { parts.dropLast($0).joined(separator: "-") }
        }
    }
}
