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

    @Test("are judged as the first part of their name says, and never as harmless", arguments: files)
    func judged(file: URL) async throws {
        for policy in [AnalysisPolicy.simple, .descriptive] {
            let outcome = try await RegressionTests.outcome(of: file, policy: policy)
            #expect(file.lastPathComponent.hasPrefix("\(outcome)-") && outcome != "notSensitive", "it was \(outcome)")
        }
    }

    @Test("are all there")
    func count() {
        #expect(Self.files.count == 45)
    }

    @Test("with more TIFF pages than are counted are refused at once, wherever the pattern is")
    func manyPages() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("pages.tiff")
            for (count, expected) in [(9_999, "sensitive"), (10_001, "limitExceeded"), (20_000, "limitExceeded")] {
                try Self.pages(count).write(to: file)
                #expect(try await RegressionTests.outcome(of: file) == expected, "\(count) pages")
            }
        }
    }

    /// A TIFF file of pages of one pixel, whose last page is the test pattern.
    private static func pages(_ count: Int) throws -> Data {
        func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
        let pattern = try pattern()
        let pixelStart = 8
        let directories = pixelStart + pattern.pixels.count
        var file = Array("II".utf8) + number(42, 2) + number(directories, 4) + pattern.pixels
        let size = 2 + 8 * 12 + 4
        for index in 0..<count {
            let isLast = index == count - 1
            let (width, height) = isLast ? (pattern.width, pattern.height) : (1, 1)
            let entries = [
                (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, pixelStart), (278, height),
                (279, width * height),
            ]
            file += number(entries.count, 2)
            for (tag, value) in entries { file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
            file += number(isLast ? 0 : directories + (index + 1) * size, 4)
        }
        return Data(file)
    }

    /// The test pattern in levels of grey, from one of the files.
    private static func pattern() throws -> (pixels: [UInt8], width: Int, height: Int) {
        let url = TestFiles.fixtures.appendingPathComponent("evasions/pattern.grey")
        let bytes = [UInt8](try Data(contentsOf: url))
        return (bytes, 160, bytes.count / 160)
    }
}
