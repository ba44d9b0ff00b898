// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit

/// The file of the standard catalogue, for tests that change it.
struct StandardCatalogFile: Codable {
    var sourceLanguage: String
    var version: String
    var strings: [String: Entry]

    struct Entry: Codable {
        var comment: String?
        var localizations: [String: Localization]?
    }

    struct Localization: Codable {
        var stringUnit: Unit?
        var variations: Variations?
    }

    struct Variations: Codable {
        var plural: [String: Localization]?
    }

    struct Unit: Codable {
        var state: String
        var value: String
    }

    /// Returns the content of the file.
    static func content() throws -> StandardCatalogFile {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/InterventionKit/Words/Words.xcstrings")
        return try JSONDecoder().decode(StandardCatalogFile.self, from: try Data(contentsOf: file))
    }

    func parsed() throws -> StringCatalog { try StringCatalog(parsing: try JSONEncoder().encode(self)) }

    /// Returns the catalogue without a key, or without the text of a key in one language.
    static func parsed(without path: [String]) throws -> StringCatalog {
        var file = try content()
        if path.count == 1 {
            file.strings[path[0]] = nil
        } else {
            file.strings[path[0]]?.localizations?[path[1]] = nil
        }
        return try file.parsed()
    }

    /// Returns the texts that are not marked as translated.
    static func unfinished(in file: StandardCatalogFile) -> [String] {
        file.strings.flatMap { key, entry in
            (entry.localizations ?? [:]).flatMap { language, text in
                ([text] + (text.variations?.plural ?? [:]).values).compactMap(\.stringUnit)
                    .filter { $0.state != "translated" }.map { "\(key) in \(language) is \($0.state)" }
            }
        }
    }
}
