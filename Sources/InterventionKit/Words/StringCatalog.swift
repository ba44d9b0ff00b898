// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CInterventionFiles
public import Foundation

/// Texts by key and language, in the format of Xcode's String Catalogs (`.xcstrings`).
///
/// ```swift
/// var catalog = StringCatalog.standard
/// do {
///     catalog = catalog.replacingTexts(by: try StringCatalog(parsing: data))
/// } catch {
///     print("The standard words are used: \(error)")
/// }
/// let words = InterventionWords(languages: ["de-AT", "en"], catalog: catalog)
/// ```
///
/// This package has its own reader, because Foundation on Linux has none. A text that is empty, or lacks the plural
/// form `other`, counts as missing. Of the format's variations, only plurals are read. Their categories are those of
/// Unicode's CLDR for English, German and Spanish. In other languages 1 is `one`, and any other number is `other`.
public struct StringCatalog: Sendable, Hashable {
    /// The original language of the texts, and the fallback for a text that is missing in other languages.
    public let sourceLanguage: String
    package private(set) var entries: [String: Entry]

    package struct Entry: Sendable, Hashable {
        package var comment: String?
        package var texts: [String: Text]
    }

    package enum Text: Sendable, Hashable {
        case plain(String)
        case plural([PluralCategory: String])
    }

    /// Reads a catalogue.
    ///
    /// - Parameter data: the content of a `.xcstrings` file.
    /// - Throws: ``FormatError`` if the data is no String Catalog.
    public init(parsing data: Data) throws {
        let file: CatalogFile
        do {
            file = try JSONDecoder().decode(CatalogFile.self, from: data)
        } catch {
            throw FormatError(reason: "The catalogue is no String Catalog: \(error)")
        }
        sourceLanguage = LanguageList.canonical(file.sourceLanguage)
        entries = file.strings.mapValues { string in
            let texts = (string.localizations ?? [:]).compactMapValues(\.text)
            return Entry(
                comment: string.comment,
                texts: Dictionary(texts.map { (LanguageList.canonical($0.key), $0.value) }) { first, _ in first })
        }
    }

    /// The reason why data is no String Catalog.
    public struct FormatError: Error, Sendable, CustomStringConvertible {
        let reason: String
        /// The description of the fault.
        public var description: String { reason }
    }

    /// Returns this catalogue plus the texts of another catalogue, which replace texts of the same key and language.
    public func replacingTexts(by other: StringCatalog) -> StringCatalog {
        var result = self
        for (key, entry) in other.entries {
            result.entries[key, default: Entry(comment: entry.comment, texts: [:])].texts
                .merge(entry.texts) { $1 }
        }
        return result
    }

    /// The languages that have any text.
    public var languages: Set<String> { Set(entries.values.flatMap(\.texts.keys)) }

    /// Returns the text of a key in the first of the languages that has it, or else in the source language.
    ///
    /// - Returns: the text and its language; nil without such a key or text.
    func text(_ key: String, in languages: [String], count: Int?) -> (text: String, language: String)? {
        guard let texts = entries[key]?.texts else { return nil }
        for language in languages + [sourceLanguage] {
            switch texts[language] {
            case .plain(let text): return (text, language)
            case .plural(let forms):
                let category = PluralCategory(of: count ?? 0, in: language)
                if let text = forms[category] ?? forms[.other] { return (text, language) }
            case nil: continue
            }
        }
        return nil
    }
}

/// The fields that are read of a `.xcstrings` file.
private struct CatalogFile: Decodable {
    let sourceLanguage: String
    let strings: [String: Entry]

    struct Entry: Decodable {
        let comment: String?
        let localizations: [String: Localization]?
    }

    struct Localization: Decodable {
        let stringUnit: Unit?
        let variations: Variations?

        var text: StringCatalog.Text? {
            if let stringUnit { return stringUnit.value.isEmpty ? nil : .plain(stringUnit.value) }
            guard let plural = variations?.plural else { return nil }
            let forms = plural.compactMap { name, form -> (PluralCategory, String)? in
                guard let category = PluralCategory(rawValue: name), let text = form.stringUnit?.value else {
                    return nil
                }
                return text.isEmpty ? nil : (category, text)
            }
            // The form `other` makes sure that every number has a form.
            guard forms.contains(where: { $0.0 == .other }) else { return nil }
            return .plural(Dictionary(uniqueKeysWithValues: forms))
        }
    }

    struct Variations: Decodable {
        let plural: [String: Form]?
    }

    struct Form: Decodable {
        let stringUnit: Unit?
    }

    struct Unit: Decodable {
        let value: String
    }
}

extension StringCatalog {
    /// The catalogue of this package: English, German and Spanish.
    public static let standard: StringCatalog = {
        do {
            return try unsafe StringCatalog(parsing: Data(CInterventionFiles_words()))
        } catch {
            // The catalogue is compiled into the program, so it is the same everywhere. CatalogTests find its faults.
            fatalError("The catalogue of the package cannot be read: \(error)")
        }
    }()
}

extension Data {
    /// The content of a file that is part of the program.
    init(_ file: CInterventionFiles_File) {
        unsafe self.init(bytes: file.bytes, count: file.count)
    }
}
