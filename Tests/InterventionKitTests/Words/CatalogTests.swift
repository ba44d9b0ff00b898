// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import Testing

@Suite("The catalogue of words")
struct CatalogTests {
    static let languages = ["en", "de", "es"]

    /// Returns all faults of a catalogue, by the keys that the code uses.
    static func faults(in catalog: StringCatalog) -> [String] {
        let used = WordKeys.all
        var faults = Set(catalog.entries.keys).subtracting(used).map { "\($0) is used by nobody" }
        for key in used {
            guard let entry = catalog.entries[key] else {
                faults.append("\(key) is missing")
                continue
            }
            if (entry.comment ?? "").count < 20 { faults.append("\(key) does not say where it stands") }
            for language in languages {
                guard let text = entry.texts[language] else {
                    faults.append("\(key) is missing in \(language)")
                    continue
                }
                faults += Self.faults(of: text, key: key, language: language, source: entry.texts["en"])
            }
        }
        return faults.sorted()
    }

    private static func faults(
        of text: StringCatalog.Text, key: String, language: String, source: StringCatalog.Text?
    ) -> [String] {
        var faults: [String] = []
        let forms = forms(of: text)
        let placeholders = source.map { Self.forms(of: $0).values.map { Self.placeholders($0) } } ?? []
        for (category, form) in forms {
            let name = "\(key) in \(language)\(category.map { " (\($0.rawValue))" } ?? "")"
            if form.trimmingCharacters(in: .whitespaces) != form || form.isEmpty {
                faults.append("\(name) is empty or padded")
            }
            if !placeholders.contains(Self.placeholders(form)) { faults.append("\(name) has other placeholders") }
            guard key.hasPrefix("child.") else { continue }
            faults += childFaults(form, language).map { "\(name) \($0)" }
        }
        if case .plural(let forms) = text {
            let wanted: Set<PluralCategory> = language == "es" ? [.one, .many, .other] : [.one, .other]
            if Set(forms.keys) != wanted { faults.append("\(key) in \(language) has other plurals") }
        } else if case .plural = source {
            faults.append("\(key) in \(language) has no plurals")
        }
        return faults
    }

    /// Returns the faults of a text that a child of eight could misunderstand or be hurt by.
    static func childFaults(_ text: String, _ language: String) -> [String] {
        var faults: [String] = []
        let words = TextStatistics(text, language: language).words
        if words.count >= 5, let grade = Readability.grade(of: text, in: language),
            grade > Readability.gradeOfEightYearOlds
        {
            faults.append("asks for grade \((grade * 10).rounded() / 10)")
        }
        // Readability measures are made for sentences; the few words of a button must be short for their language.
        let longest = language == "en" ? 2 : 3
        let isLong = text.lowercased().split { !$0.isLetter }.contains { word in
            TextStatistics.syllables(in: String(word), language) > longest && !longWords.contains(String(word))
        }
        if words.count < 5, isLong { faults.append("has a long word") }
        let blame = [
            "en": ["bad person", "wrong of", "guilty", "stranger", "creep", "illegal", "sender", "ashamed", "naughty"],
            "de": ["böse", "schäm", "verboten", "absender", "täter", "fremde"],
            "es": ["culpable", "malo", "vergüenza", "prohibid", "delito", "remitente", "extraño"],
        ]
        for word in blame[language] ?? [] where text.lowercased().contains(word) { faults.append("blames: \(word)") }
        return faults
    }

    /// Long words that every child of eight knows.
    private static let longWords: Set = ["erwachsenen"]

    static func forms(of text: StringCatalog.Text) -> [PluralCategory?: String] {
        switch text {
        case .plain(let text): [nil: text]
        case .plural(let forms): Dictionary(uniqueKeysWithValues: forms.map { (Optional($0.key), $0.value) })
        }
    }

    static func placeholders(_ text: String) -> [String] {
        text.matches(of: /%(?:[0-9]+\$)?[A-Za-z@]+/).map { String($0.output) }.sorted()
    }

    @Test("The catalogue has each text that is used, in each language, and no other")
    func complete() throws {
        #expect(Self.faults(in: .standard) == [])
        #expect(StandardCatalogFile.unfinished(in: try StandardCatalogFile.content()) == [])
    }

    @Test("A text that is missing, added, too hard, or has other placeholders makes the catalogue wrong")
    func plantedFaults() throws {
        func catalog(_ strings: [String: [String: String]]) throws -> StringCatalog {
            let entries = strings.mapValues { texts in
                ["localizations": texts.mapValues { ["stringUnit": ["state": "translated", "value": $0]] }]
            }
            let file: [String: Any] = ["sourceLanguage": "en", "version": "1.0", "strings": entries]
            return try StringCatalog(parsing: try JSONSerialization.data(withJSONObject: file))
        }
        func faults(_ strings: [String: [String: String]]) throws -> [String] {
            Self.faults(in: StringCatalog.standard.replacingTexts(by: try catalog(strings)))
        }
        #expect(try faults(["child.grown": ["en": "Text"]]) == ["child.grown is used by nobody"])
        #expect(try faults(["progress": ["de": "%@ fertig"]]) == ["progress in de has other placeholders"])
        #expect(
            try faults(["adult.action.show": ["de": "Zeige %1$@"]]) == [
                "adult.action.show in de has other placeholders"
            ])
        #expect(try faults(["child.nudity": ["de": "%d"]]) == ["child.nudity in de has other placeholders"])
        #expect(try faults(["adult.action.show": ["es": " "]]) == ["adult.action.show in es is empty or padded"])
        #expect(try faults(["child.count": ["de": "%lld Sachen"]]) == ["child.count in de has no plurals"])
        for (language, hard) in [
            ("en", "Inappropriate material necessitates considerable responsibility from recipients."),
            ("de", "Unangemessene Inhalte erfordern verantwortungsbewusste Entscheidungen."),
            ("es", "Los contenidos inapropiados necesitan consideraciones responsables."),
        ] {
            let found = try faults(["child.nudity": [language: hard]])
            #expect(found.count == 1 && found[0].hasPrefix("child.nudity in \(language) asks for grade"), "\(found)")
        }
        let buttons = [
            ("en", "Inappropriateness"), ("en", "Explicit sexual content"), ("de", "Unangemessenheit"),
            ("de", "Explizite Inhalte zeigen"), ("es", "Responsabilidad"), ("es", "Contenido explícito"),
        ]
        for (language, long) in buttons {
            #expect(
                try faults(["child.action.view": [language: long]]) == [
                    "child.action.view in \(language) has a long word"
                ])
        }
        for (language, blaming) in [
            ("en", "The sender is a bad person."), ("de", "Der Absender ist böse."), ("es", "Es culpable. Es malo."),
        ] {
            let found = try faults(["child.sensitive": [language: blaming]])
            #expect(found.count == 2 && found.allSatisfy { $0.contains(" blames: ") }, "\(found)")
        }
        // Replacing cannot remove a text from the standard catalogue, so the file is read without that text.
        for (path, fault) in [
            (["child.nudity"], "child.nudity is missing"), (["child.gore", "de"], "child.gore is missing in de"),
        ] {
            #expect(Self.faults(in: try StandardCatalogFile.parsed(without: path)) == [fault])
        }
    }

    @Test func `A text without a comment, with too few plurals or without a review makes the catalogue wrong`() throws {
        func changed(_ change: (inout StandardCatalogFile.Entry) -> Void, _ key: String) throws -> StandardCatalogFile {
            var file = try StandardCatalogFile.content()
            change(&file.strings[key, default: .init()])
            return file
        }
        let mute = try changed({ $0.comment = nil }, "child.count")
        #expect(Self.faults(in: try mute.parsed()) == ["child.count does not say where it stands"])
        let few = try changed({ $0.localizations?["es"]?.variations?.plural?["many"] = nil }, "child.count")
        #expect(Self.faults(in: try few.parsed()) == ["child.count in es has other plurals"])
        let new = try changed({ $0.localizations?["de"]?.stringUnit?.state = "needs_review" }, "progress")
        let empty = try changed({ $0.localizations?["de"]?.stringUnit?.value = "" }, "adult.action.show")
        #expect(Self.faults(in: try empty.parsed()) == ["adult.action.show is missing in de"])
        let plain = try changed({ $0.localizations?["de"]?.stringUnit?.state = "new" }, "adult.action.show")
        #expect(StandardCatalogFile.unfinished(in: plain) == ["adult.action.show in de is new"])
        #expect(StandardCatalogFile.unfinished(in: new) == ["progress in de is needs_review"])
    }

    @Test("The catalogue falls back to the language without its region, then to the source language, then to the key")
    func fallback() throws {
        let flow = InterventionFlow(policy: .simpleInterventions, direction: .receiving)
        func label(_ languages: [String], _ catalog: StringCatalog = .standard) -> String {
            InterventionWords(languages: languages, catalog: catalog).label(of: .show, in: flow)
        }
        #expect(label(["de-AT"]) == "Anzeigen")
        #expect(label(["fi", "es-MX"]) == "Mostrar")
        #expect(label(["fi"]) == "Show")
        let german = try StandardCatalogFile.parsed(without: ["adult.action.show", "de"])
        #expect(label(["de"], german) == "Show")
        // Xcode writes a text that is not yet translated in this form.
        let unit = #"{"stringUnit":{"state":"new","value":""}}"#
        let mine = #"{"sourceLanguage":"en","strings":{"adult.action.show":{"localizations":{"de":\#(unit)}}}}"#
        let replaced = StringCatalog.standard.replacingTexts(by: try StringCatalog(parsing: Data(mine.utf8)))
        #expect(label(["de"], replaced) == "Anzeigen")
        let one = #"{"variations":{"plural":{"one":{"stringUnit":{"value":"1 Ding"}},"other":\#(unit)}}}"#
        let few = #"{"sourceLanguage":"en","strings":{"child.count":{"localizations":{"de":\#(one)}}}}"#
        let partial = StringCatalog.standard.replacingTexts(by: try StringCatalog(parsing: Data(few.utf8)))
        #expect(partial == .standard)
        #expect(label(["de"], try StandardCatalogFile.parsed(without: ["adult.action.show"])) == "adult.action.show")
    }

    @Test("A damaged file is no catalogue, and the error says so")
    func damaged() {
        for text in [
            "", "{}", "[]", #"{"sourceLanguage":"en","strings":{"a":{"localizations":{"en":{"stringUnit":{}}}}}}"#,
        ] {
            #expect(throws: StringCatalog.FormatError.self) { try StringCatalog(parsing: Data(text.utf8)) }
        }
    }
}
