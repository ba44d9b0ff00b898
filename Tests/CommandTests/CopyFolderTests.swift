// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite("sca analyze --copy-to")
struct CopyFolderTests {
    private static let plain = fixture("plain/plain.jpg")

    @Test func `Names for copies have the ending of their format and fit into a folder`() {
        func names(_ name: InputPath, _ ending: String) -> [String] {
            NumberedNames(name, ending: ending).prefix(2).map(\.text)
        }
        #expect(names(InputPath("a.heic"), "jpg") == ["a.jpg", "a (2).jpg"])
        #expect(names(InputPath("a.b.gif"), "webp") == ["a.b.webp", "a.b (2).webp"])
        #expect(names(InputPath(".a"), "png") == [".a.png", ".a (2).png"])
        #expect(names(InputPath(bytes: [0x61, 0xFF, 0x2E, 0x62]), "png").first == "a\u{FFFD}.png")
        for letter in ["a", "\u{E4}", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"] {
            let long = InputPath(String(repeating: letter, count: 200) + ".jpeg")
            let names = NumberedNames(long, ending: "webp").map(\.bytes)
            #expect(names.allSatisfy { $0.count <= 255 && $0.starts(with: Array(letter.utf8)) })
            #expect(Set(names).count == NumberedNames.count)
        }
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func `Harmless files of a folder are copied, sensitive and unknown ones are not, and no copy replaces a file`()
        async throws
    {
        try await ShellFolder.with { folder in
            let rehearsal = try await folder.run(
                """
                mkdir sub; cp "\(Self.plain)" a.jpg; cp "\(Self.plain)" sub/a.jpg; echo text > notes.txt
                cp "\(fixture("several/animated.gif"))" b.gif; head -c 300 a.jpg > cut.jpg
                exec "$0" analyze -r --copy-to clean --dry-run -- .
                """)
            #expect(rehearsal.exitCode == 1 && rehearsal.text.contains("would be copied to clean/a (2).jpg"))
            #expect(rehearsal.text.contains(" 3 would be copied.") && rehearsal.text.contains("1 skipped"))
            #expect(try !folder.names().contains { $0.hasPrefix("clean") })
            for number in 1...2 {
                let run = try await folder.run("exec \"$0\" analyze -r --copy-to clean --format jsonl -- .")
                #expect(run.exitCode == 1 && run.lines.count == 5, "\(run.text)\(run.errors)")
                #expect(run.text.contains("\"copiedTo\":\"clean/b\(number == 1 ? "" : " (2)").webp\""))
                #expect(run.errors.contains(" 3 copied."))
            }
            let copies = try folder.names().filter { $0.hasPrefix("clean/") }
            #expect(
                copies.sorted() == [
                    "clean/a (2).jpg", "clean/a (3).jpg", "clean/a (4).jpg", "clean/a.jpg", "clean/b (2).webp",
                    "clean/b.webp",
                ])
            let permissions =
                try FileManager.default.attributesOfItem(
                    atPath: folder.url.appendingPathComponent("clean/a.jpg").path)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
            let again = try await folder.run("exec \"$0\" analyze -r --format csv -- clean")
            #expect(again.exitCode == 0 && again.lines.count == 7, "\(again.text)")
        }
    }

    @Test(.enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func `A damaged picture is unknown as a file, and has a verdict by its copy, which is marked`() async throws {
        try await ShellFolder.with { folder in
            let unknown = try await folder.run(
                "head -c 8000 \"\(Self.plain)\" > cut.jpg; exec \"$0\" analyze --format jsonl -- cut.jpg")
            #expect(unknown.exitCode == 2, "\(unknown.text)")
            let copied = try await folder.run("exec \"$0\" analyze --copy-to . --format jsonl -- cut.jpg")
            #expect(copied.exitCode == 0 && copied.text.contains("\"copiedTo\":\"./cut (2).jpg\",\"isDamaged\":true"))
            let csv = try await folder.run("exec \"$0\" analyze --copy-to . --format csv -- cut.jpg")
            #expect(csv.lines.last?.hasSuffix(",./cut (3).jpg,,,true,") ?? false, "\(csv.text)")
            let table = try await folder.run("exec \"$0\" analyze --copy-to . -- - < cut.jpg")
            #expect(table.text.contains("copied to ./standard input.jpg; parts are missing"), "\(table.text)")
        }
    }

    @Test(.enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func `A copy that cannot be written is named with the reason, and the command ends with 74`() async throws {
        try await ShellFolder.with { folder in
            let run = try await folder.run("exec \"$0\" analyze --copy-to /proc -- \"\(Self.plain)\"")
            #expect(run.exitCode == 74, "\(run.text)\(run.errors)")
        }
    }
}
