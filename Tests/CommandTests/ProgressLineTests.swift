// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisEngine
import Testing

@testable import SCATool

@Suite("The progress line of sca analyze")
struct ProgressLineTests {
    private static let start = ContinuousClock.now

    private static func moment(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private static func line(_ names: [String?], found: Int = 100) -> ProgressLine {
        var line = ProgressLine()
        (line.found, line.isComplete) = (found, true)
        for (input, name) in names.enumerated() { line.began(input, name: name, at: moment(0)) }
        return line
    }

    @Test("The progress line counts inputs with an outcome, and is empty until one was found")
    func counts() {
        #expect(ProgressLine().text(at: Self.moment(0), columns: 79) == nil)
        var line = Self.line(["a", "b"], found: 4)
        line.ended(1, at: Self.moment(1))
        #expect(line.text(at: Self.moment(1.5), columns: 79) == "[#######-----------------------] 1 of 4")
        line.isComplete = false
        #expect(line.text(at: Self.moment(1.5), columns: 79)?.hasSuffix("1 of 4+") == true)
    }

    @Test("After two seconds without an end, the progress line names the input that is waited for longest")
    func waits() {
        var line = Self.line(["a.jpg", "slow.tiff", "c.jpg"])
        #expect(line.text(at: Self.moment(1.9), columns: 79)?.contains("waiting") == false)
        #expect(line.text(at: Self.moment(2), columns: 79) == "[----------] 0 of 100, waiting 2 s for a.jpg")
        line.ended(0, at: Self.moment(2.5))
        line.ended(2, at: Self.moment(2.6))
        line.began(3, name: "d.jpg", at: Self.moment(2.6))
        #expect(line.text(at: Self.moment(4.5), columns: 79)?.contains("waiting") == false)
        #expect(line.text(at: Self.moment(12.7), columns: 79) == "[----------] 2 of 100, waiting 12 s for slow.tiff")
        line.ended(1, at: Self.moment(13))
        #expect(line.text(at: Self.moment(15), columns: 79)?.hasSuffix("waiting 12 s for d.jpg") == true)
    }

    @Test("The progress line states the progress of a video that is waited for")
    func video() {
        var line = Self.line(["clip.mp4"], found: 1)
        line.note(MediaProgress(share: 0.5, position: .seconds(31), duration: .seconds(62)), of: 0)
        #expect(
            line.text(at: Self.moment(1), columns: 79)
                == "[###############---------------] 0 of 1, at 00:31.0 of 01:02.0")
        #expect(
            line.text(at: Self.moment(9), columns: 79)
                == "[#####-----] 0 of 1, waiting for clip.mp4, at 00:31.0 of 01:02.0")
        #expect(line.text(at: Self.moment(9), columns: 39) == "[####----] 0 of 1, clip.mp4, at 00:31.0")
    }

    @Test("After five seconds the progress line estimates the rest, if all inputs are known and it has room")
    func timeLeft() {
        var line = Self.line((0..<50).map { "\($0).jpg" })
        for input in 0..<10 { line.ended(input, at: Self.moment(4.9)) }
        #expect(line.text(at: Self.moment(4.9), columns: 79)?.contains("left") == false)
        for input in 10..<20 { line.ended(input, at: Self.moment(30)) }
        #expect(
            line.text(at: Self.moment(30), columns: 79)
                == "[######------------------------] 20 of 100, about 2 min left")
        #expect(line.text(at: Self.moment(30), columns: 20)?.contains("left") == false)
        line.isComplete = false
        #expect(line.text(at: Self.moment(30), columns: 79)?.contains("left") == false)
        line.isComplete = true
        for input in 20..<50 { line.ended(input, at: Self.moment(40)) }
        #expect(line.text(at: Self.moment(40), columns: 79)?.hasSuffix("50 of 100, less than a minute left") == true)
        var long = Self.line(["a"], found: 100_000)
        for input in 1..<4000 { long.began(input, name: "x", at: Self.moment(0)) }
        for input in 1..<4000 { long.ended(input, at: Self.moment(600)) }
        #expect(long.text(at: Self.moment(600), columns: 79)?.hasSuffix(", about 4 h left") == true)
    }

    @Test("The progress line states no moment for pages, which have no time")
    func pages() {
        var line = Self.line(["pages.tiff"], found: 1)
        line.note(MediaProgress(share: 0.5, position: .nanoseconds(2000), duration: nil), of: 0)
        #expect(line.text(at: Self.moment(9), columns: 79) == "[#####-----] 0 of 1, waiting 9 s for pages.tiff")
    }

    @Test("The progress line states no name if none was given")
    func noName() {
        #expect(Self.line([nil], found: 1).text(at: Self.moment(9), columns: 79)?.contains("waiting") == false)
    }

    @Test("The progress line cuts the beginning of a path that is too long")
    func cut() {
        let line = Self.line(["Pictures/2024/holiday/on the beach/panorama-of-the-whole-bay.tiff"])
        #expect(
            line.text(at: Self.moment(61), columns: 79)
                == "[----------] 0 of 100, waiting 61 s for ...beach/panorama-of-the-whole-bay.tiff")
        #expect(line.text(at: Self.moment(61), columns: 39) == "0 of 100, waiting for ...whole-bay.tiff")
    }

    @Test(
        "The progress line keeps to the columns of the terminal and shows no control character",
        arguments: [
            "a\u{1B}[2J\n\r\u{8}b.jpg", String(repeating: "x", count: 5000), String(repeating: "\u{1F600}", count: 90),
            String(repeating: "e\u{301}", count: 90), String(repeating: "\u{5BFF}", count: 90),
            "\u{202E}gpj.a", "", "\u{9B}2J", String(repeating: "\u{200B}", count: 200),
        ], [0, 1, 5, 19, 39, 59, 79, 199])
    func columns(name: String, columns: Int) throws {
        for progress in [nil, MediaProgress(share: 0.5, position: .seconds(4000), duration: .seconds(80_000))] {
            var line = Self.line([name], found: 100_000)
            if let progress { line.note(progress, of: 0) }
            for seconds in [0.5, 100_000] {
                let text = try #require(line.text(at: Self.moment(seconds), columns: columns))
                #expect(ColumnText.columns(of: text) <= columns, "\(text)")
                #expect(
                    text.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) })
            }
        }
    }
}
