// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
    "The page of sca analyze --report", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct ReportTests {
    static func fixture(_ path: String) -> String { TestFiles.fixtures.appendingPathComponent(path).path }

    /// The widths and heights of the PNG pictures in a page, read from the pictures themselves.
    static func pictures(in page: String) -> [(width: Int, height: Int, byteCount: Int)] {
        page.components(separatedBy: "data:image/png;base64,").dropFirst().compactMap { rest in
            guard let data = Data(base64Encoded: String(rest.prefix { $0 != "\"" })), data.count > 33 else {
                return nil
            }
            func number(_ offset: Int) -> Int { data[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
            return (number(16), number(20), data.count)
        }
    }

    @Test("A report has nothing of the media but pictures of at most 9 × 9 samples")
    func thumbnails() async throws {
        try await TestFiles.withFolder { folder in
            let (page, video) = (folder.appendingPathComponent("r.html"), folder.appendingPathComponent("v.mp4"))
            #expect(try await Program.sca.run(["test-pattern", "-o", video.path]).exitCode == 0)
            var program = Program.sca
            program.environment["SCA_TEST_MODE"] = "1"
            let outcome = try await program.run([
                "analyze", "--report", page.path, video.path, Self.fixture("several/animated.gif"),
                Self.fixture("plain/plain.jpg"), folder.appendingPathComponent("missing.jpg").path,
            ])
            #expect(outcome.exitCode == 1)
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("Pictures are reduced to at most 9 × 9 samples."))
            let pictures = Self.pictures(in: text)
            #expect(pictures.count >= 6)
            for picture in pictures {
                #expect((1...9).contains(picture.width) && (1...9).contains(picture.height))
                // Uncompressed: as many bytes as samples and little more, so nothing else is in it.
                #expect(picture.byteCount < 9 * 9 * 3 + 100)
            }
            #expect(text.components(separatedBy: "<img").count - 1 == pictures.count)
            #expect(text.components(separatedBy: "<li data-score=").count - 1 == 4)
            #expect(text.components(separatedBy: "<script").count - 1 == 1)
            for word in ["<script src", "http-equiv=\"refresh\"", "src=\"http", "@import", "url("] {
                #expect(!text.contains(word), "\(word)")
            }
            #expect(text.contains("default-src 'none'") && text.contains("<svg") && text.contains("class=\"span\""))
            let attributes = try FileManager.default.attributesOfItem(atPath: page.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["r.html", "v.mp4"])
        }
    }

    @Test("A report has the totals first, a section for each verdict, and texts for pictures")
    func order() async throws {
        try await ShellFolder.with { folder in
            let outcome = try await folder.run(
                """
                cp "\(Self.fixture("plain/plain.jpg"))" plain.jpg; echo text > notes.txt
                exec "$0" analyze --report page.html -- plain.jpg notes.txt victim.jpg
                """)
            #expect(outcome.exitCode == 1)
            let page = try folder.text(of: "page.html")
            let order = [
                "<b>1</b> sensitive", "3 files: 1 sensitive, 1 not sensitive, 1 unknown.", "id=\"sensitive\"",
                "<h3>victim.jpg",
                "id=\"unknown\"", "<h3>notes.txt", "id=\"not-sensitive\"", "<h3>plain.jpg",
            ]
            let places = order.map { page.range(of: $0)?.lowerBound }
            #expect(places.allSatisfy { $0 != nil }, "\(places)")
            #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
            let texts = page.matches(of: /alt="([^"]*)"/).map { String($0.output.1) }
            #expect(texts == ["Picture of few samples, sensitive", "Picture of few samples, not sensitive"])
        }
    }

    @Test("A report allows its own script and no other")
    func script() async throws {
        try await ShellFolder.with { folder in
            _ = try await folder.run("exec \"$0\" analyze --report page.html -- victim.jpg")
            let page = try folder.text(of: "page.html")
            let script = try #require(page.firstMatch(of: /(?s)<script>(.*)<\/script>/)?.output.1)
            try folder.write(String(script), to: "script")
            let digest = try await folder.run(
                """
                python3 -c 'import base64, hashlib
                print(base64.b64encode(hashlib.sha256(open("script", "rb").read()).digest()).decode())'
                """)
            #expect(page.contains("script-src 'sha256-\(digest.lines.first ?? "none")'"), "\(digest.errors)")
        }
    }

    @Test("A report and the plot of --timeline show names as text, whatever is in them")
    func names() async throws {
        try await TestFiles.withFolder { folder in
            let name = "<img src=x onerror=alert(1)>&\"'\u{202E}.gif"
            let file = folder.appendingPathComponent(name)
            try FileManager.default.copyItem(atPath: Self.fixture("several/animated.gif"), toPath: file.path)
            let (page, plot) = (folder.appendingPathComponent("r.html"), folder.appendingPathComponent("t.svg"))
            let outcome = try await Program.sca.run([
                "analyze", "--report", page.path, "--timeline", plot.path, file.path,
            ])
            #expect(outcome.exitCode == 0)
            for written in [page, plot] {
                let text = try String(contentsOf: written, encoding: .utf8)
                #expect(!text.contains("<img src=x") && !text.contains("\u{202E}"))
                #expect(text.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;"))
            }
        }
    }

    @Test("A report for a missing folder is refused before anything is analysed")
    func noFolder() async throws {
        let outcome = try await Program.sca.run([
            "analyze", "--report", TestFiles.missing + "/r.html", Self.fixture("plain/plain.jpg"),
        ])
        #expect(outcome.exitCode != 0 && outcome.errors.contains("\(TestFiles.missing)/r.html cannot be written"))
        #expect(outcome.text.isEmpty)
    }
}
