// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite("The manual pages and sca help TOPIC")
struct ManualTests {
    @Test(
        "Each command and topic has a page with all its options, in which the formatter finds no fault"
    )
    func pages() async throws {
        try await ShellFolder.with { folder in
            let script = TestFiles.packageFolder.appendingPathComponent("scripts/build-manual").path
            let made = try await folder.run("exec \"\(script)\" \"$0\" pages")
            #expect(made.exitCode == 0, "\(made.errors)")
            let names = try folder.names().filter { $0.hasSuffix(".1") || $0.hasSuffix(".7") }
            for command in ["sca", "sca-analyze", "sca-cache-clear", "sca-model-import", "sca-policy-set", "sca-watch"]
            {
                #expect(names.contains("pages/man1/\(command).1"))
            }
            for topic in HelpTopic.allCases { #expect(names.contains("pages/man7/sca-\(topic.rawValue).7")) }
            let help = try await Program.sca.run(["help", "analyze"]).text
            let page = try folder.text(of: "pages/man1/sca-analyze.1").replacing("\\-", with: "-")
            let options = Set(help.matches(of: /--[a-z][a-z0-9-]+/).map { String($0.output) })
            #expect(options.count > 30 && options.allSatisfy(page.contains))
            let faults = try await folder.run(
                """
                command -v groff > /dev/null || { echo "groff is missing: install the Debian package groff-base"; exit 98; }
                groff -man -ww -z -Tutf8 pages/man1/* pages/man7/* 2>&1
                """)
            #expect(faults.exitCode == 0 && faults.output.isEmpty, "\(faults.text)")
        }
    }

    @Test("Each topic is explained in lines of at most 80 columns, commands excepted", arguments: HelpTopic.allCases)
    func topics(topic: HelpTopic) async throws {
        let outcome = try await Program.sca.run(["help", topic.rawValue])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.lines.count > 3)
        #expect(outcome.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("    ") })
    }

    @Test("An unknown topic is refused, and the topics are named")
    func unknown() async throws {
        let outcome = try await Program.sca.run(["help", "nothing"])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("topics are verdicts, exit-codes"))
    }

    @Test("The commands of the topics and of the examples are those that the command understands")
    func commands() async throws {
        let help = try await Program.sca.run(["help", "analyze"]).text
        let texts = HelpTopic.allCases.flatMap(\.paragraphs) + [help]
        let known = Set(help.matches(of: /--?[a-z0-9][a-z0-9-]*/).map { String($0.output) })
        let used = texts.flatMap { text in
            text.matches(of: /sca analyze ([^|\n&]*)/).flatMap { match in
                match.output.1.matches(of: /(?:^| )(--[a-z][a-z-]+)/).map { String($0.output.1) }
            }
        }
        #expect(used.count > 10 && used.allSatisfy(known.contains), "\(Set(used).subtracting(known))")
    }
}
