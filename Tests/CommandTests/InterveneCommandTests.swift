// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
    "sca intervene", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct InterveneCommandTests {
    private static func intervene(
        _ path: String, _ options: [String] = [], choosing choices: [String]
    ) async throws -> Program.Outcome {
        var program = Program.sca
        program.environment["SCA_TEST_MODE"] = "1"
        program.environment["LC_ALL"] = "C"
        return try await program.run(
            ["intervene", path] + options, input: Data(choices.map { "\($0)\n" }.joined().utf8))
    }

    private static func withPattern(_ body: (String) async throws -> Void) async throws {
        try await TestFiles.withFolder { folder in
            try await body(try await AnalyzeCommandTests.pattern(in: folder))
        }
    }

    private static let photograph = fixture("plain/plain.jpg")

    @Test("sca intervene shows an adult the finding in one line, and the picture after one decision")
    func adult() async throws {
        try await Self.withPattern { pattern in
            let covered = try await Self.intervene(pattern, choosing: [])
            #expect(covered.exitCode == 0 && covered.text.contains("\nThis may show nudity.\n"))
            #expect(covered.text.contains("  1  Show\n") && !covered.text.contains("is shown."))
            let shown = try await Self.intervene(pattern, choosing: ["x", "1"])
            #expect(shown.text.contains("is shown.]"))
        }
    }

    @Test("sca intervene asks a child twice, and takes Return and closing for no")
    func child() async throws {
        try await Self.withPattern { pattern in
            let child = ["--as", "child"]
            for choices in [[], [""], ["c"], ["3"], ["3", ""], ["3", "c"], ["2", "c"]] {
                let outcome = try await Self.intervene(pattern, child, choosing: choices)
                #expect(outcome.text.contains("Are you sure you want to look?") && !outcome.text.contains("is shown."))
            }
            let shown = try await Self.intervene(pattern, child, choosing: ["3", "3"])
            #expect(shown.text.contains("It is your choice.") && shown.text.contains("is shown.]"))
            let help = try await Self.intervene(pattern, child + ["--country", "es"], choosing: ["2"])
            #expect(help.text.contains("900 20 20 10") && help.text.contains("You are not alone."))
        }
    }

    @Test("A child sends only after two decisions, and an adult is not held up")
    func sending() async throws {
        try await Self.withPattern { pattern in
            let way = ["--way", "sending"]
            for choices in [[], ["3"], ["3", ""]] {
                let outcome = try await Self.intervene(pattern, way + ["--as", "child"], choosing: choices)
                #expect(outcome.text.contains("is not sent.]") && !outcome.text.contains("can be sent"))
            }
            let sent = try await Self.intervene(pattern, way + ["--as", "child"], choosing: ["3", "3"])
            #expect(sent.text.contains("=> An app would now send it."))
            #expect(try await Self.intervene(pattern, way, choosing: []).text.contains("can be sent.]"))
        }
    }

    @Test("sca intervene shows harmless media, and covers media that cannot be checked and says why")
    func otherVerdicts() async throws {
        let harmless = try await Self.intervene(Self.photograph, choosing: [])
        #expect(harmless.exitCode == 0 && harmless.text.contains("is shown.]"))
        let broken = try await Self.intervene(fixture("README.md"), choosing: [])
        #expect(broken.text.contains("This could not be checked.") && !broken.text.contains("is shown.]"))
        let missing = try await Self.intervene(TestFiles.missing + ".jpg", choosing: [])
        #expect(missing.exitCode == 64 && missing.errors.contains("There is no such file"))
    }

    @Test("sca intervene names the mistake in its arguments in words of its own")
    func mistakes() async throws {
        let folder = try await Self.intervene("/", choosing: [])
        #expect(folder.exitCode == 64 && folder.errors.contains("Name one picture or video in it."))
        let device = try await Self.intervene("/dev/null", choosing: [])
        #expect(device.exitCode == 64 && device.errors.contains("no regular file"))
        for outcome in [folder, device] { #expect(!outcome.errors.contains("--recursive")) }
        let language = try await Self.intervene(Self.photograph, ["--language", "xx"], choosing: [])
        #expect(language.exitCode == 64 && language.errors.contains("de, en, es"))
        let country = try await Self.intervene(Self.photograph, ["--country", "Spain"], choosing: [])
        #expect(country.exitCode == 64 && country.errors.contains("two letters"))
        let elsewhere = try await Self.intervene(
            Self.photograph, ["--country", "jp", "--language", "de-AT"], choosing: [])
        #expect(elsewhere.exitCode == 0 && elsewhere.errors.contains("No services of JP"))
    }

    @Test(
        "sca intervene draws a cover for every kind of file, and calls a video a video",
        .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func video() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("video.jpg")
            try await TestVideo.make(file, seconds: 2, brightness: "0.01", ["-c:v", "libx264", "-f", "mp4"])
            let outcome = try await Self.intervene(file.path, ["--pretend", "gore"], choosing: ["1", "2"])
            #expect(outcome.text.contains("This may show blood or violence.") && outcome.exitCode == 0)
            // Black, of 9, 28 and 72 columns; 320 by 180 pixels.
            let rows = outcome.text.split(separator: "\n").filter {
                $0.allSatisfy { "@ ".contains($0) } && $0.contains("@")
            }
            #expect(
                rows.map { $0.filter { $0 == "@" }.count } == Array(repeating: 18, count: 5)
                    + Array(repeating: 56, count: 15) + Array(repeating: 72, count: 20))
        }
    }

    @Test("With a pretended finding, sca intervene goes on and says so, and gore appears by degrees")
    func pretence() async throws {
        let outcome = try await Self.intervene(
            Self.photograph, ["--pretend", "gore", "--language", "de"], choosing: ["1", "2", "2"])
        #expect(
            outcome.text.contains("is pretended") && outcome.text.contains("Das zeigt vielleicht Blut oder Gewalt."))
        let degrees = ["coarse shapes", "fine shapes", "is shown.]"].map { outcome.text.range(of: $0)?.lowerBound }
        #expect(degrees.compactMap { $0 } == degrees.compactMap { $0 }.sorted() && !degrees.contains(nil))
    }
}
