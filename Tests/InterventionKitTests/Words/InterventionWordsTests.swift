// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SensitiveContentAnalysis
import Testing

@testable import InterventionKit

@Suite("The words of an intervention")
struct InterventionWordsTests {
    @Test("The words state the progress of a check on the pane that waits, and not among the ways to get help")
    func progress() {
        var flow = InterventionFlow(policy: .descriptiveInterventions, direction: .receiving)
        let words = InterventionWords(languages: ["en"])
        _ = flow.handle(.checkBegan)
        _ = flow.handle(.checkAdvanced(0.25))
        #expect(words.progress(of: flow) == "25% done")
        let gore = MediaVerdict.sensitive([.goreOrViolence])
        _ = flow.handle(.checkEnded(gore, policy: .descriptiveInterventions))
        _ = flow.handle(.chosen(.help))
        _ = flow.handle(.checkBegan)
        _ = flow.handle(.checkAdvanced(0.5))
        #expect(flow.presentation.pane == .help && flow.fractionCompleted == 0.5)
        #expect(words.progress(of: flow) == nil)
    }

    private static func words(_ languages: String...) -> InterventionWords { InterventionWords(languages: languages) }

    @Test("The button names the grown-up set apart from the words around, in every writing direction")
    func grownUp() {
        let flow = InterventionFlow(policy: .descriptiveInterventions, direction: .receiving)
        let labels = ["en", "de", "es"].map {
            Self.words($0).label(of: .contactGrownUp, in: flow, grownUp: "Ana")
        }
        // The characters U+2068 and U+2069 isolate a name, so its direction does not change the text around it.
        #expect(labels == ["Ask \u{2068}Ana\u{2069}", "\u{2068}Ana\u{2069} fragen", "Hablar con \u{2068}Ana\u{2069}"])
        // A placeholder in a name is a part of the name.
        #expect(
            Self.words("en").label(of: .contactGrownUp, in: flow, grownUp: "%@ 100%") == "Ask \u{2068}%@ 100%\u{2069}")
        #expect(Self.words("en").label(of: .contactGrownUp, in: flow) == "Ask a grown-up")
        #expect(Self.words("de").label(of: .contactGrownUp, in: flow) == "Einen Erwachsenen fragen")
    }

    @Test(
        "The words count in the plural forms of the language",
        arguments: [
            ("en", 1, "1 item may be sensitive."), ("en", 0, "0 items may be sensitive."),
            ("de", 1, "1 Inhalt könnte heikel sein."), ("de", 2, "2 Inhalte könnten heikel sein."),
            ("es", 1, "1 elemento puede ser delicado."), ("es", 2, "2 elementos pueden ser delicados."),
            ("es", 1_000_000, "1.000.000 de elementos pueden ser delicados."),
            ("es", 1_000_001, "1.000.001 elementos pueden ser delicados."),
        ])
    func plurals(language: String, count: Int, text: String) {
        #expect(Self.words(language).summary(ofCovered: count, policy: .simpleInterventions) == text)
    }

    @Test("The words accept language tags in any case, and a language for its regions")
    func tags() {
        let flow = InterventionFlow(policy: .simpleInterventions, direction: .receiving)
        for (tag, label) in [
            ("DE", "Anzeigen"), ("de-at", "Anzeigen"), ("ES", "Mostrar"), ("es-419", "Mostrar"), ("EN-gb", "Show"),
            ("", "Show"), ("und", "Show"), ("%", "Show"),
        ] {
            #expect(Self.words(tag).label(of: .show, in: flow) == label, "\(tag)")
        }
        #expect(Self.words("DE-at").language == "de" && Self.words("fi", "ES").language == "es")
    }

    @Test("The words are in the language of the process unless a language is named")
    func process() {
        #expect(LanguageList.ofProcess(["LANG": "de_AT.UTF-8"]) == ["de-AT"])
        #expect(LanguageList.ofProcess(["LANG": "de_AT.UTF-8", "LC_MESSAGES": "es_ES"]) == ["es-ES"])
        #expect(LanguageList.ofProcess(["LC_ALL": "en_GB", "LC_MESSAGES": "es_ES", "LANG": "de_DE"]) == ["en-GB"])
        #expect(LanguageList.ofProcess(["LANGUAGE": "fi:es", "LANG": "de_DE"]) == ["fi", "es", "de-DE"])
        #expect(LanguageList.ofProcess(["LANGUAGE": "fi:es", "LANG": "C.UTF-8"]) == [])
        #expect(LanguageList.ofProcess([:]) == [])
    }

    @Test("The words state the direction in which they are written")
    func direction() throws {
        #expect(Self.words("de").writingDirection == .leftToRight)
        let arabic = #"""
            {"sourceLanguage": "en", "version": "1.0", "strings": {"adult.action.show": {"localizations": {
                "ar": {"stringUnit": {"state": "translated", "value": "عرض"}}}}}}
            """#
        let catalog = StringCatalog.standard.replacingTexts(by: try StringCatalog(parsing: Data(arabic.utf8)))
        let words = InterventionWords(languages: ["ar-EG"], catalog: catalog)
        #expect(words.language == "ar" && words.writingDirection == .rightToLeft)
        // A text that is missing in one language is taken from the person's next language.
        let flow = InterventionFlow(policy: .simpleInterventions, direction: .receiving)
        #expect(words.label(of: .show, in: flow) == "عرض" && words.label(of: .help, in: flow) == "Get help")
        let both = InterventionWords(languages: ["ar", "es"], catalog: catalog)
        #expect(both.label(of: .help, in: flow) == "Buscar ayuda")
    }
}
