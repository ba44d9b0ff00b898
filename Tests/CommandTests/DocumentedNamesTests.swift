// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The names in the documentation")
struct DocumentedNamesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestFiles.packageFolder.appendingPathComponent(path), encoding: .utf8)
    }

    /// The options of a command that its help names, without those of all commands.
    private static func options(_ command: String) async throws -> Set<String> {
        let help = try await Program.sca.run(["help"] + command.split(separator: " ").map(String.init)).text
        return Set(help.matches(of: /(?m)^ +(?:-.+?, ?)*?(--[a-z][a-z0-9-]+)/).map { String($0.output.1) })
            .subtracting(["--help", "--version"])
    }

    /// The documents in which commands are named, with those in folders below `docs`.
    private static func documents() throws -> [String] {
        let docs = TestFiles.packageFolder.appendingPathComponent("docs")
        let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
        return ["README.md"] + names.sorted().map { "docs/\($0)" }
    }

    @Test(
        "Each option in the help of a command is in the pages about commands, models and policy",
        arguments: [
            "analyze", "copy", "evaluate", "watch", "intervene", "doctor", "test-pattern", "model import",
            "model inspect",
            "model compile", "policy show", "policy set",
        ])
    func help(command: String) async throws {
        let options = try await Self.options(command)
        let beginnings = ["docs/command", "docs/evaluation.md", "docs/models.md", "docs/policy.md"]
        let pages = try Self.documents().filter { document in beginnings.contains { document.hasPrefix($0) } }
            .map(Self.text).joined()
        let missing = options.filter {
            !pages.contains("\($0)`") && !pages.contains("\($0) ") && !pages.contains("\($0)=")
        }
        #expect(!options.isEmpty && missing.isEmpty, "\(missing.sorted())")
    }

    @Test("Each option that a document gives to a command is an option of that command")
    func documents() async throws {
        var known: [String: Set<String>] = [:]
        var count = 0
        for document in try Self.documents() {
            let text = try Self.text(document)
            for match in text.matches(of: /\bsca ((?:model|policy) [a-z-]+|[a-z-]+)([^`|;&#>\n]*)/) {
                let command = String(match.output.1)
                let used = match.output.2.matches(of: /(?:^|[ \[])(--[a-z][a-z0-9-]+)/).map { String($0.output.1) }
                guard !used.isEmpty else { continue }
                if known[command] == nil { known[command] = try await Self.options(command) }
                let unknown = used.filter { known[command]?.contains($0) != true && $0 != "--help" }
                #expect(unknown.isEmpty, "\(document): sca \(command) has no \(unknown)")
                count += used.count
            }
        }
        // The documents name dozens of options; fewer would mean that they are not found.
        #expect(count > 60)
    }

    @Test("The members in json-lines.md are those that the program writes")
    func members() throws {
        let sources = try ["ResultLine", "WatchLine"].map { try Self.text("Sources/JSONLines/\($0).swift") }.joined()
        let written = Set(sources.matches(of: /\.add\("([A-Za-z0-9]+)"/).map { String($0.output.1) })
        let rows = try Self.text("docs/json-lines.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let documented = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([A-Za-z0-9.\[\]]+)`/).map {
                String($0.output.1.split(separator: ".").last ?? "")
            }
        }
        let codes = try Self.text("docs/json-lines.md").components(separatedBy: "## Codes").last ?? ""
        let members = Set(documented).filter { !codes.contains("| `\($0)` |") }
        #expect(
            members.subtracting(written).isEmpty && written.subtracting(members).isEmpty,
            "only documented: \(members.subtracting(written)), only written: \(written.subtracting(members))")
    }
}
