// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import SCATool

@Suite("Rows of the table of sca analyze")
struct ResultRowTests {
    private static let reason = "The file cannot be opened. Check that it exists and that you may read it."

    private static func text(_ path: String, columns: Int?) -> String {
        let outcome = AnalysisOutcome(
            input: FoundInput(path: InputPath(path), kind: .named),
            finding: .failure(AnalysisFailure(.inputUnreadable, reason)))
        return ResultRow(outcome, Placement(.move, .failed("it could not be opened")), showsStyles: false).text(
            columns: columns)
    }

    @Test("No word is broken by a terminal, unless it is longer than a line", arguments: [40, 59, 60, 80, 200])
    func widths(columns: Int) {
        for path in ["a.jpg", "holidays/2025/summer/IMG_0001.jpg"] {
            let lines = Self.text(path, columns: columns).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
            let words = lines.joined(separator: " ").split(separator: " ").map(String.init)
            #expect(words.starts(with: ["unknown", "-", path]), "\(words)")
            #expect(words.joined(separator: " ").hasSuffix("\(Self.reason) not moved: it could not be opened"))
        }
    }

    @Test("A path without room stands in a line of its own, whole")
    func longPath() {
        let path = "holidays/2025/summer/IMG_0001.jpg"
        let lines = Self.text(path, columns: 40).split(separator: "\n")
        #expect(lines[0] == "unknown            -" && lines[1] == "    \(path)")
    }

    @Test(
        "A long path never reaches the first column of a line, where it could pretend to be a row", arguments: [40, 80])
    func forgedRows(columns: Int) {
        let path = String(repeating: "b", count: columns - 4) + "not sensitive  0.000   c.png"
        let lines = Self.text(path, columns: columns).split(separator: "\n")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    ") }, "\(lines)")
        #expect(lines[1...2].map { $0.dropFirst(4) }.joined() == path)
    }

    @Test("Wide letters count as two columns")
    func wideLetters() {
        let lines = Self.text(String(repeating: "写", count: 9), columns: 40).split(separator: "\n")
        #expect(lines[0] == "unknown            -")
    }

    @Test("A program that reads the table gets each row and each reason in one line")
    func noTerminal() {
        let indent = String(repeating: " ", count: 23)
        #expect(
            Self.text("a.jpg", columns: nil)
                == "unknown            -   a.jpg\n\(indent)\(AnalysisFailure(.inputUnreadable, Self.reason).description)"
                + "\n\(indent)not moved: it could not be opened")
    }

    @Test func `Only lines that are too long are broken, so that the columns of a help text stay`() {
        let help = "Error: No command is named.\n\n  show    Show where it is.\n  clear   Remove it."
        #expect(TerminalText.wrapped(help, columns: 40) == help)
        #expect(TerminalText.wrapped("one two three\n  four", columns: 8) == "one two\nthree\n  four")
    }
}
