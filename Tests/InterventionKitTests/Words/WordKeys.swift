// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis

/// The keys of all texts that any flow can ask for.
enum WordKeys {
    /// A catalogue without texts gives the keys themselves.
    static let all: Set<String> = collected()

    private static func collected() -> Set<String> {
        do {
            let empty = try StringCatalog(parsing: Data(#"{"sourceLanguage":"en","strings":{}}"#.utf8))
            let words = InterventionWords(languages: [], catalog: empty)
            return MediaDirection.allCases.reduce(into: []) { keys, direction in
                for node in FlowEnumeration(.descriptiveInterventions, direction).layers.joined() {
                    keys.formUnion(Self.keys(of: node.flow, words))
                }
            }
        } catch {
            fatalError("\(error)")
        }
    }

    private static func keys(of flow: InterventionFlow, _ words: InterventionWords) -> Set<String> {
        var keys: Set<String> = [words.summary(ofCovered: 2, policy: flow.policy)]
        for kind in MediaKind.allCases
        where (kind == .stream) == (flow.direction == .live) || flow.direction == .sending {
            guard let text = words.text(for: flow, about: kind) else { continue }
            keys.formUnion([text.title] + text.paragraphs)
        }
        for resource in HelpDirectory.standard.resources {
            keys.insert(words.purpose(of: resource, policy: flow.policy))
        }
        if let progress = words.progress(of: flow) { keys.insert(progress) }
        let presentation = flow.presentation
        for action in presentation.actions + presentation.menu {
            keys.insert(words.label(of: action, in: flow))
            keys.insert(words.label(of: action, in: flow, grownUp: "Ana"))
            if action == .contactGrownUp { keys.insert(words.message(for: flow)) }
        }
        return keys
    }
}

/// The catalogue's file, for tests that take something away from it.
enum StandardCatalogFile {
    static func parsed(without path: [String]) throws -> StringCatalog {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/InterventionKit/Words/Words.xcstrings")
        let whole = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        var catalog = whole ?? [:]
        var strings = catalog["strings"] as? [String: Any] ?? [:]
        if path.count == 1 {
            strings[path[0]] = nil
        } else {
            var entry = strings[path[0]] as? [String: Any] ?? [:]
            var texts = entry["localizations"] as? [String: Any] ?? [:]
            texts[path[1]] = nil
            entry["localizations"] = texts
            strings[path[0]] = entry
        }
        catalog["strings"] = strings
        return try StringCatalog(parsing: try JSONSerialization.data(withJSONObject: catalog))
    }
}
