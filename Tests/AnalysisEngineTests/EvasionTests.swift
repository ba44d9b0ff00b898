// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Files of which a viewer shows another rendering")
struct EvasionTests {
    static let files: [URL] = {
        let folder = TestFiles.fixtures.appendingPathComponent("evasions")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.contains("-") }.map(folder.appendingPathComponent)
    }()

    @Test(
        "A file that viewers show in different ways has the verdict in its name, and is never harmless",
        arguments: files)
    func judged(file: URL) async throws {
        // The policy decides about scores and not about what is decoded, so the gate tries one.
        for policy in Campaign.cases([AnalysisPolicy.simple, .descriptive], gate: [.simple]) {
            let outcome = try await RegressionTests.outcome(of: file, policy: policy)
            let isFound = outcome == "sensitive" && Self.readByNewerLibraries.contains(file.lastPathComponent)
            #expect(
                (file.lastPathComponent.hasPrefix("\(outcome)-") || isFound) && outcome != "notSensitive",
                "it was \(outcome)")
        }
    }

    /// Files whose pattern libheif finds from 1.21 on; earlier versions read nothing of them.
    private static let readByNewerLibraries: Set = [
        "ambiguousMedia-late-brands.heic", "ambiguousMedia-second-brands.heic",
    ]

    @Test(
        arguments: files.filter { videoExtensions.contains($0.pathExtension) },
        [SamplingPreset.fast, .balanced])
    func `No preset that leaves frames out calls a file harmless that viewers show in different ways`(
        file: URL, preset: SamplingPreset
    ) async throws {
        #expect(try await RegressionTests.outcome(of: file, preset: preset) != "notSensitive")
    }

    private static let videoExtensions: Set = ["mp4", "webm", "mkv", "mov", "avi", "ts", "flv", "ogg", "wmv", "mpg"]

    @Test("All files that viewers show in different ways are present")
    func count() {
        #expect(Self.files.count == 201)
    }

    /// TIFF in both byte orders, and BigTIFF.
    enum Layout: CaseIterable {
        case little, big, bigTIFF
    }

    @Test(
        "A file with more TIFF pages than the limit is refused at once, wherever the pattern is",
        arguments: Layout.allCases)
    func manyPages(layout: Layout) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("pages.tiff")
            // Judging 10,000 pages takes seconds; whether more are refused is seen without judging any.
            let most = Campaign.isRunning ? 10_000 : 1_000
            for (count, place, expected) in [
                (most, most - 1, "sensitive"), (100, 0, "sensitive"), (100, 50, "sensitive"),
                (10_001, 10_000, "limitExceeded"), (10_001, 0, "limitExceeded"), (20_000, 10_000, "limitExceeded"),
            ] {
                try Self.pages(count, patternAt: place, layout).write(to: file)
                #expect(
                    try await RegressionTests.outcome(of: file) == expected, "\(count) pages, pattern at \(place)")
            }
        }
    }

    /// A TIFF file with pages of one pixel, and with the test pattern on the page at `place`.
    private static func pages(_ count: Int, patternAt place: Int, _ layout: Layout) throws -> Data {
        let (isBig, offsetSize) = (layout == .bigTIFF, layout == .bigTIFF ? 8 : 4)
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(value >> (8 * $0) & 255) }
            return layout == .big ? bytes.reversed() : bytes
        }
        let pattern = try pattern()
        let pixelStart = isBig ? 16 : 8
        let directories = pixelStart + pattern.pixels.count
        var file = Array((layout == .big ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
        if isBig { file += number(8, 2) + number(0, 2) }
        file += number(directories, offsetSize) + pattern.pixels
        let size = isBig ? 8 + 8 * 20 + 8 : 2 + 8 * 12 + 4
        for index in 0..<count {
            let (width, height) = index == place ? (pattern.width, pattern.height) : (1, 1)
            let entries = [
                (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, pixelStart), (278, height),
                (279, width * height),
            ]
            file += number(entries.count, isBig ? 8 : 2)
            for (tag, value) in entries {
                file += number(tag, 2) + number(4, 2) + number(1, offsetSize)
                file += number(value, 4) + (isBig ? number(0, 4) : [])
            }
            file += number(index == count - 1 ? 0 : directories + (index + 1) * size, offsetSize)
        }
        return Data(file)
    }

    /// Returns the test pattern as grey levels.
    private static func pattern() throws -> (pixels: [UInt8], width: Int, height: Int) {
        let url = TestFiles.fixtures.appendingPathComponent("evasions/pattern.grey")
        let bytes = [UInt8](try Data(contentsOf: url))
        return (bytes, 160, bytes.count / 160)
    }
}
