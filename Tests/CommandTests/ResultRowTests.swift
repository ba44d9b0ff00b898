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
        return ResultRow(outcome, .failed("it could not be opened"), showsStyles: false).text(columns: columns)
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
        let longest = String(repeating: "x", count: 90)
        #expect(Self.text(longest, columns: 40).contains("\n    \(longest)\n"))
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
}
