// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct DocumentationTests {
    @Test("Docs/models.md lists the kinds of layers that are read, and no others") func layers() throws {
        let root = TestFiles.packageFolder
        let format = try String(
            contentsOf: root.appendingPathComponent("Sources/ModelFormats/CoreML.proto"), encoding: .utf8)
        let start = try #require(format.range(of: "oneof layer {"))
        let end = try #require(format[start.upperBound...].range(of: "}"))
        let read = format[start.upperBound..<end.lowerBound].matches(of: /(\w+) = \d+;/).map { String($0.1) }
        let page = try String(contentsOf: root.appendingPathComponent("docs/models.md"), encoding: .utf8)
        let table = try #require(page.range(of: "| layer | supported |"))
        let rows = page[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        let listed = rows.prefix { $0.hasPrefix("|") }.compactMap { $0.firstMatch(of: /`(\w+)`/).map { String($0.1) } }
        #expect(read.count > 20 && listed.sorted() == read.sorted())
    }

    @Test func `docs/models.md lists only operations of ML programs that are read`() throws {
        let page = try String(
            contentsOf: TestFiles.packageFolder.appendingPathComponent("docs/models.md"), encoding: .utf8)
        let table = try #require(page.range(of: "| operations of a program | supported |"))
        let rows = page[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        let listed = rows.prefix { $0.hasPrefix("|") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
        }
        #expect(listed.count > 60)
        for kind in listed + ["lstm"] {
            let message =
                try ProgramTests.refusal(TestPrograms.program(TestPrograms.operation(kind, [:], "y", [1]))) ?? ""
            #expect(message.contains("is of the kind '\(kind)', which is not supported") == (kind == "lstm"), "\(kind)")
        }
    }

    private static func article() throws -> String {
        let name = "Sources/SensitiveContentAnalysis/Documentation.docc/Using-a-Core-ML-model.md"
        return try String(contentsOf: TestFiles.packageFolder.appendingPathComponent(name), encoding: .utf8)
    }

    /// Returns the blocks of the article in a language, without their fences.
    private static func blocks(_ language: String) throws -> [String] {
        try article().components(separatedBy: "```\(language)\n").dropFirst().map { rest in
            try #require(rest.components(separatedBy: "\n```").first)
        }
    }

    @Test("The longer Swift code of the article on Core ML models is code of the example") func example() throws {
        let folder = TestFiles.packageFolder.appendingPathComponent("Examples/NudityDetector/Sources/NudityDetector")
        let sources = try ["NudityDetector", "UploadGate", "PhotoForm"].map { name in
            try String(contentsOf: folder.appendingPathComponent("\(name).swift"), encoding: .utf8)
        }
        let blocks = try Self.blocks("swift").filter { $0.hasPrefix(" ") }
        #expect(blocks.count == 3)
        for block in blocks { #expect(sources.contains { $0.contains(block) }, "\(block)") }
    }

    @Test(
        "The article's three commands lead from a Core ML file to a verdict",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func commands() async throws {
        let commands = try #require(try Self.blocks("sh").first).split(separator: "\n").map(String.init)
        #expect(commands.count == 3)
        try await TestFiles.withFolder { folder in
            let model = try TestModels.bytes(TestModels.classifier())
            try Data(model).write(to: folder.appendingPathComponent("Nudity.mlmodel"))
            let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")
            try FileManager.default.copyItem(at: picture, to: folder.appendingPathComponent("photograph.jpg"))
            var shell = Program(executable: URL(fileURLWithPath: "/bin/sh"), environment: Program.sca.environment)
            shell.environment["HOME"] = folder.path
            shell.environment["PATH"] = "\(TestFiles.products.path):/usr/bin:/bin"
            for (command, text) in zip(commands, ["can be imported", "nudity was added", "NSFW: 0."]) {
                let outcome = try await shell.run(["-c", "cd \"$HOME\" && \(command)"])
                #expect(outcome.exitCode == 0 && outcome.text.contains(text), "\(command): \(outcome.errors)")
            }
        }
    }
}
