// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number of school years that a text needs, by a published measure for its language.
///
/// A child of eight years is in its third year.
enum Readability {
    static let gradeOfEightYearOlds = 3.0

    static func grade(of text: String, in language: String) -> Double? {
        let text = TextStatistics(text, language: language)
        return switch language {
        case "en": fleschKincaid(text)
        case "de": wienerSachtextformel(text)
        case "es": crawford(text)
        default: nil
        }
    }

    /// Kincaid, Fishburne, Rogers, Chissom: Derivation of New Readability Formulas for Navy Enlisted Personnel, 1975.
    private static func fleschKincaid(_ text: TextStatistics) -> Double {
        0.39 * text.wordsPerSentence + 11.8 * text.syllablesPerWord - 15.59
    }

    /// Bamberger and Vanecek: Lesen, Verstehen, Lernen, Schreiben, 1984; the first formula.
    private static func wienerSachtextformel(_ text: TextStatistics) -> Double {
        0.1935 * text.percentage { $0.syllables >= 3 } + 0.1672 * text.wordsPerSentence
            + 0.1297 * text.percentage { $0.letters > 6 } - 0.0327 * text.percentage { $0.syllables == 1 } - 0.875
    }

    /// Crawford: Fórmula y gráfico para determinar la comprensibilidad de textos de nivel primario en castellano, 1984.
    private static func crawford(_ text: TextStatistics) -> Double {
        -0.205 * (100 / text.wordsPerSentence) + 0.049 * 100 * text.syllablesPerWord - 3.407
    }
}

/// The counts of words, syllables and sentences that the measures use.
struct TextStatistics {
    struct Word {
        let letters: Int
        let syllables: Int
    }

    let words: [Word]
    let sentenceCount: Int

    init(_ text: String, language: String) {
        words = text.split { !$0.isLetter && $0 != "'" && $0 != "’" }.map { word in
            Word(letters: word.count(where: \.isLetter), syllables: Self.syllables(in: word.lowercased(), language))
        }
        let sentences = text.split { ".!?…".contains($0) }.filter { $0.contains(where: \.isLetter) }
        sentenceCount = max(1, sentences.count)
    }

    var wordsPerSentence: Double { Double(words.count) / Double(sentenceCount) }
    var syllablesPerWord: Double { Double(words.map(\.syllables).reduce(0, +)) / Double(max(1, words.count)) }

    func percentage(_ holds: (Word) -> Bool) -> Double {
        100 * Double(words.count(where: holds)) / Double(max(1, words.count))
    }

    /// English words of the catalogue with an irregular number of syllables.
    private static let exceptions = ["someone": 2, "something": 2, "video": 3]

    /// Returns the number of syllables, by the rules of the language for groups of vowels.
    static func syllables(in word: String, _ language: String) -> Int {
        if language == "en", let count = exceptions[word] { return count }
        let letters = Array(word)
        var count = 0
        var index = 0
        while index < letters.count {
            guard isVowel(letters[index], language) else {
                index += 1
                continue
            }
            var group = ""
            while index < letters.count, isVowel(letters[index], language) {
                group.append(letters[index])
                index += 1
            }
            count += nuclei(in: group, language)
        }
        if language == "en", count > 1, hasSilentEnd(word) { count -= 1 }
        return max(1, count)
    }

    private static func isVowel(_ letter: Character, _ language: String) -> Bool {
        (language == "en" ? "aeiouy" : language == "de" ? "aeiouäöüy" : "aeiouáéíóúü").contains(letter)
    }

    private static func nuclei(in group: String, _ language: String) -> Int {
        switch language {
        case "en":
            return ["ia", "io", "iu", "ua"].contains(group) ? 2 : 1
        case "de":
            let diphthongs = ["ei", "ai", "au", "äu", "eu", "ie", "aa", "ee", "oo"]
            return group.count == 1 || diphthongs.contains(group) ? 1 : group.count == 2 ? 2 : group.count - 1
        default:
            // Each open vowel is a syllable, and so is a closed vowel with an accent.
            let open = group.count { "aeoáéó".contains($0) }
            let stressed = group.count { "íú".contains($0) }
            return max(1, open + stressed)
        }
    }

    private static func hasSilentEnd(_ word: String) -> Bool {
        if word.hasSuffix("le") { return false }
        if word.hasSuffix("ed") {
            return !word.hasSuffix("ted") && !word.hasSuffix("ded") && !word.hasSuffix("ked") || word == "asked"
        }
        return word.hasSuffix("e")
            || word.hasSuffix("es") && !["ses", "zes", "ces", "ges", "shes", "ches"].contains { word.hasSuffix($0) }
    }
}
