// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite(
    "The results of sca analyze", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct ResultOptionTests {
    /// Runs a script in a folder with victim.jpg (sensitive), plain.jpg, notes.txt and broken.jpg.
    private static func run(_ script: String) async throws -> Program.Outcome {
        var outcome: Program.Outcome?
        try await ShellFolder.with { folder in
            outcome = try await folder.run(
                "cp \"\(fixture("plain/plain.jpg"))\" plain.jpg; echo text > notes.txt; head -c 20 plain.jpg > broken.jpg\n\(script)"
            )
        }
        return try #require(outcome)
    }

    @Test(
        "With --only, other verdicts are counted and not listed",
        arguments: [
            ("sensitive", ["victim.jpg"]), ("unknown", ["broken.jpg"]), ("not-sensitive", ["plain.jpg"]),
            ("sensitive,unknown", ["broken.jpg", "victim.jpg"]),
            ("notSensitive --only unknown", ["broken.jpg", "plain.jpg"]),
        ])
    func only(verdicts: String, names: [String]) async throws {
        let outcome = try await Self.run("exec \"$0\" analyze -r --only \(verdicts) --format jsonl -- .")
        #expect(try Line.all(outcome).map(\.path) == names.map { "./\($0)" })
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.hasPrefix("3 files: 1 sensitive, 1 not sensitive, 1 unknown, 1 skipped"))
    }

    @Test("With -l, the names of sensitive files are printed alone, each with its separator")
    func names() async throws {
        let outcome = try await Self.run("\"$0\" analyze -rl -- . ; exec \"$0\" analyze -rl0 --only unknown -- .")
        #expect(outcome.text == "./victim.jpg\n./broken.jpg\0" && outcome.exitCode == 1)
    }

    @Test(
        "With -q, nothing is printed, and the exit code is the result",
        arguments: [("victim", 1), ("plain", 0), ("broken", 2)])
    func quiet(name: String, exitCode: Int32) async throws {
        let outcome = try await Self.run("exec \"$0\" analyze -q -- \(name).jpg")
        #expect(outcome.exitCode == exitCode && outcome.output.isEmpty && outcome.errors.isEmpty)
    }

    @Test("Skipped entries are listed on request, in each format")
    func skipped() async throws {
        let table = try await Self.run("exec \"$0\" analyze -r --list-skipped -- .")
        #expect(table.lines.contains("skipped            -   ./notes.txt  (no picture and no video)"), "\(table.text)")
        let lines = try await Self.run("exec \"$0\" analyze -r --list-skipped --format jsonl -- .")
        #expect(lines.lines.contains(#"{"schema":1,"path":"./notes.txt","skipped":"noMedia"}"#))
        let values = try await Self.run("exec \"$0\" analyze -r --list-skipped --format csv -- .")
        #expect(values.lines.contains("./notes.txt,,,,,,,,,,,,noMedia,,,,,,,,"))
    }

    @Test(
        "A document is counted as not looked at, and is unknown on request, as is a file that is named like a picture")
    func documents() async throws {
        let made = "printf '%%PDF-1.4' > a.pdf; printf text > b.jpg; printf text > c.ts; rm *ain.jpg *im.jpg *ken.jpg"
        let outcome = try await Self.run("\(made); exec \"$0\" analyze -r --list-skipped -- .")
        #expect(outcome.text.contains("skipped            -   ./a.pdf  (document or archive, not looked at)"))
        #expect(outcome.text.contains("unknown            -   ./b.jpg"), "\(outcome.text)")
        #expect(outcome.text.contains("1 unknown, 3 skipped (2 without pictures, 1 document or archive not looked at)"))
        #expect(outcome.exitCode == 2)
        let strict = try await Self.run("\(made); exec \"$0\" analyze -r --strict -- .")
        #expect(strict.text.contains("4 files: 0 sensitive, 0 not sensitive, 4 unknown."), "\(strict.text)")
        #expect(strict.text.contains("The file is a document or an archive"))
        let wrong = try await Self.run("exec \"$0\" analyze --strict -- plain.jpg")
        #expect(wrong.exitCode == 64 && wrong.errors.contains("Add --recursive"))
    }

    @Test("Comma-separated values have a heading, quotes where they are needed, and no formula")
    func values() async throws {
        let outcome = try await Self.run(
            "mv victim.jpg '=cmd|\"x\",1.jpg'; exec \"$0\" analyze --format csv -- '=cmd|\"x\",1.jpg' broken.jpg")
        let lines = outcome.text.components(separatedBy: "\n")
        #expect(lines[0] == ResultValues.names.joined(separator: ","))
        #expect(
            lines[1]
                == "\"./=cmd|\"\"x\"\",1.jpg\",sensitive,1.0000,sexuallyExplicit,image,,,1,open-nsfw,simple,,,,,,,,,,,")
        #expect(lines[2].hasPrefix("broken.jpg,unknown,,,,,,,,,malformedMedia,\""), "\(lines[2])")
    }

    @Test("No letters in a name hide a quotation mark or a tag, because they join the next character")
    func joiningLetters() async throws {
        let names = ["z\"\u{301},notSensitive.png", "a\u{D4E}<style>\u{D4E}<b>.png"]
        let list = names.map { "'\($0)'" }.joined(separator: " ")
        let values = try await Self.run(
            "for each in \(list); do cp victim.jpg \"$each\"; done; exec \"$0\" analyze --format csv -- \(list)")
        #expect(values.text.contains("\n\"z\"\"\u{301},notSensitive.png\",sensitive,"), "\(values.text)")
        let page = try await Self.run(
            "for each in \(list); do cp victim.jpg \"$each\"; done; exec \"$0\" analyze --report - -- \(list)")
        let scalars = Array(page.text.unicodeScalars)
        let places = scalars.indices.filter { scalars[$0] == "\u{D4E}" }
        #expect(!places.isEmpty && places.allSatisfy { scalars[$0 + 1] == "&" })
        #expect(page.text.unicodeScalars.count(where: { $0 == "\u{301}" }) > 0)
    }

    @Test("Sound without pictures is skipped, and a cover in a file with sound is judged")
    func sound() async throws {
        let outcome = try await Self.run(
            """
            for each in m4a ogg wav mp3 flac mka; do
                ffmpeg -v error -f lavfi -i sine=d=1 folder-$each.$each < /dev/null || exit 99
            done
            mkdir sound; mv folder-* sound
            "$0" analyze -r -- plain.jpg sound; echo "$?"
            for each in m4a mp3 flac; do
                ffmpeg -v error -f lavfi -i sine=d=1 -i victim.jpg -map 0 -map 1 -c:v png -disposition:v attached_pic \
                    sound/cover.$each < /dev/null || exit 99
            done
            exec "$0" analyze -rl -- sound
            """)
        #expect(
            outcome.text.contains("1 file: 0 sensitive, 1 not sensitive, 0 unknown, 6 skipped (6 sound)."),
            "\(outcome.text)")
        #expect(
            outcome.lines.suffix(4) == ["0", "sound/cover.flac", "sound/cover.m4a", "sound/cover.mp3"],
            "\(outcome.text)")
    }

    @Test("A file is no sound if something in it could be pictures: it is unknown, or its pictures are judged")
    func noSound() async throws {
        let outcome = try await Self.run(
            """
            ffmpeg -v error -f lavfi -i sine=d=1 s.ogg -f lavfi -i sine=d=1 s.wav -f lavfi -i sine=d=1 s.mp3 < /dev/null || exit 99
            "$0" test-pattern -o v.mp4
            ffmpeg -v error -i v.mp4 -c:v libtheora v.ogg < /dev/null || exit 99
            mkdir x; cat s.ogg v.ogg > x/chained.ogg
            { cat s.wav; printf 'id3 \\4\\0\\0\\0abcd'; } > x/tagged.wav
            { cat s.mp3; printf 'APETAGEX'; head -c 24 /dev/zero; } > x/tagged.mp3
            cat s.mp3 v.mp4 > x/after.mp3
            # The only track of pictures gets the handler of sound.
            sed 's/vide/soun/' v.mp4 > x/handler.mp4
            # Players read the flags of a first page that are not defined.
            { cat s.ogg; sed 's/OggS\\x00\\x02/OggS\\x00\\x0a/' v.ogg; } > x/flags.ogg
            # FFmpeg recognises the movie behind a tag of 1.2 MB by its name only.
            { printf 'ID3\\3\\0\\0\\0\\111\\037\\0'; head -c 1200000 /dev/zero; cat v.mp4; } > x/behind.mp3
            # FFmpeg leaves out covers of a kind that it does not know; other programs show them.
            for each in m4a mp3 flac; do
                ffmpeg -v error -f lavfi -i sine=d=1 -i victim.jpg -map 0 -map 1 -c:v png -disposition:v attached_pic \
                    cover.$each < /dev/null || exit 99
            done
            sed 's/image.png/image\\/xng/' cover.mp3 > x/kind.mp3
            sed 's/image.png/image\\/xng/' cover.flac > x/kind.flac
            sed 's/data\\x00\\x00\\x00\\x0e/data\\x00\\x00\\x00\\x0c/' cover.m4a > x/kind.m4a
            exec "$0" analyze -r --list-skipped --format jsonl -- x
            """)
        let lines = try Line.all(outcome)
        #expect(lines.count == 10 && !outcome.text.contains("skipped"), "\(outcome.text)")
        #expect(lines.allSatisfy { $0.verdict != "notSensitive" }, "\(outcome.text)")
    }
}
