// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SCATool

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(
        "A joiner between two emoji stays, and every other character that a terminal obeys is replaced",
        arguments: [
            (
                "family \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}.jpg",
                "family \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}.jpg"
            ),
            ("\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}"),
            ("a\u{200D}b", "a\u{FFFD}b"), ("\u{1F468}\u{200D}", "\u{1F468}\u{FFFD}"),
            ("\u{200D}\u{1F468}", "\u{FFFD}\u{1F468}"),
            ("1\u{200D}\u{1F468}", "1\u{FFFD}\u{1F468}"), ("\u{1F468}\u{202E}\u{1F469}", "\u{1F468}\u{FFFD}\u{1F469}"),
            ("\u{1B}[31m\n\u{2028}", "\u{FFFD}[31m\u{FFFD}\u{FFFD}"),
            ("a\u{FFFE}b\u{FFFF}\u{1FFFE}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
        ])
    func printable(text: String, expected: String) {
        #expect(TerminalText.printable(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("A line that is too long is broken between words, with its indentation and the hanging columns")
    func fitted() {
        #expect(TextFrame.fitted("  1  Get help now", width: 12, hanging: 3) == ["  1  Get", "     help", "     now"])
        #expect(TextFrame.fitted("short", width: 12) == ["short"])
        #expect(TextFrame.width(columns: 40) == 36 && TextFrame.width(columns: 200) == 66)
    }
}
