// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import Testing

@Suite("docs/interventions.md")
struct InterventionsPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL
    private static let page = root.appendingPathComponent("docs/interventions.md")

    /// Returns the range between the two marks of a generated section of the page.
    private static func part(_ name: String, of text: String) -> Range<String.Index>? {
        guard let start = text.range(of: "<!-- \(name) -->\n"), let end = text.range(of: "<!-- end of \(name) -->")
        else {
            return nil
        }
        return start.upperBound..<end.lowerBound
    }

    @Test("docs/interventions.md shows the table of transitions as it is (made anew with SCA_UPDATE_PAGES=1)")
    func diagram() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = [
            "diagram": "```mermaid\n\(TransitionDiagram.mermaid(of: .standard))\n```\n",
            "facts": "\(TransitionDiagram.facts(of: .standard))\n",
        ]
        for (name, wanted) in parts {
            let range = try #require(Self.part(name, of: text))
            if ProcessInfo.processInfo.environment["SCA_UPDATE_PAGES"] == nil {
                #expect(text[range] == wanted, "\(name) is not up to date")
            } else {
                text.replaceSubrange(range, with: wanted)
                try text.write(to: Self.page, atomically: true, encoding: .utf8)
            }
        }
    }

    @Test("docs/interventions.md has a row for each requirement that is tested, and for no other")
    func requirements() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let rows = text.matches(of: #/\n\| ([A-Z]+[0-9]+) \|/#).map { String($0.1) }
        let tests = try ["", "+CommunicationSafety", "+SwiftUI"].flatMap { part in
            let file = Self.root.appendingPathComponent("Tests/InterventionKitTests/SeedRequirementTests\(part).swift")
            return try String(contentsOf: file, encoding: .utf8)
                .matches(of: #/@Test\(\s*"([A-Z]+[0-9]+): /#).map { String($0.1) }
        }
        #expect(rows == tests && Set(rows).count == rows.count && rows.count >= 25)
    }
}
