// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis

/// Collects the keys of all texts that any flow can use.
enum WordKeys {
    /// All keys, which a catalogue without texts returns instead of the texts.
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
