// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The languages that a person reads, the preferred one first, as tags of BCP 47.
enum LanguageList {
    /// The languages of the process.
    ///
    /// Source: GNU gettext's manual, "Locale Environment Variables": LANGUAGE is a list and counts before LC_ALL,
    /// LC_MESSAGES and LANG, but not in the locale C.
    static func ofProcess(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let language = locale.flatMap(tag(ofLocale:)) else { return [] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(ofLocale: String($0)) }
        return list + [language]
    }

    /// For example "de-AT" for "de_AT.UTF-8@euro"; nil for the locale that has no language.
    static func tag(ofLocale locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return name.isEmpty || name == "C" || name == "POSIX" ? nil : String(name).replacing("_", with: "-")
    }

    /// A tag in the one form in which tags are compared, for example "de-AT" for "DE-at".
    ///
    /// Source: RFC 5646, 2.1.1: case means nothing in a tag.
    static func canonical(_ tag: String) -> String { Locale.identifier(.bcp47, from: tag) }

    /// The languages, each followed by what it is a variety of: "de-AT" by "de".
    static func withBases(_ languages: [String]) -> [String] {
        languages.flatMap { language in
            let parts = canonical(language).split(separator: "-")
            return (0..<parts.count).map { parts.dropLast($0).joined(separator: "-") }
        }
    }
}

/// A class of numbers that take the same form of a text.
///
/// Source: Unicode CLDR, plural rules for cardinal numbers (TR35, part 3).
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero
    case one
    case two
    case few
    case many
    case other

    /// The category of a number of things in a language, by the rules of the languages of this package's catalogue.
    ///
    /// In any other language one thing is `one` and all else `other`, which is the commonest rule.
    package init(of count: Int, in language: String) {
        switch language.prefix(2) {
        case "es" where count != 0 && count.isMultiple(of: 1_000_000): self = .many
        default: self = count == 1 ? .one : .other
        }
    }
}
