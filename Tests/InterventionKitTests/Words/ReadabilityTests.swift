// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The measure of what children can read")
struct ReadabilityTests {
    @Test(
        "The measure of readability counts syllables as they are spoken",
        arguments: [
            ("en", "someone may be naked in this video", [2, 1, 1, 2, 1, 1, 3]),
            ("en", "asked covered clothes fine people hurt", [1, 2, 1, 1, 2, 1]),
            ("de", "Vielleicht sieht jemand das Video wieder", [2, 1, 2, 1, 3, 2]),
            ("de", "Oder jemand tut sich sehr weh", [2, 2, 1, 1, 1, 1]),
            ("es", "puede ser una foto de alguien", [2, 1, 2, 2, 1, 2]),
            ("es", "decidías bañador vídeo quieras", [4, 3, 3, 2]),
        ])
    func syllables(language: String, text: String, counts: [Int]) {
        #expect(TextStatistics(text, language: language).words.map(\.syllables) == counts)
    }

    @Test(
        "The measure of readability finds plain sentences easy and official sentences hard",
        arguments: [
            (
                "en", "The cat sat on the mat. It was a big cat.",
                "Notification requirements necessitate considerable deliberation."
            ),
            (
                "de", "Der Hund ist groß. Er geht mit mir.",
                "Die Benachrichtigung berücksichtigt vorherige Einstellungen."
            ),
            ("es", "El perro es mío. Yo lo quiero.", "Las notificaciones requieren consideraciones administrativas."),
        ])
    func grades(language: String, easy: String, hard: String) throws {
        let easyGrade = try #require(Readability.grade(of: easy, in: language))
        let hardGrade = try #require(Readability.grade(of: hard, in: language))
        #expect(easyGrade < Readability.gradeOfEightYearOlds && hardGrade > 8)
    }
}
