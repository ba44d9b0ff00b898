// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

@Suite("AVIF files with as many items as are counted, and with more")
struct ItemCountTests {
    /// An AV1 picture of 64 × 64 pixels of one colour.
    private static func picture(_ end: [UInt8]) -> [UInt8] {
        [0x0A, 0x06, 0x18, 0x15, 0x7F, 0xFD, 0xA0, 0x08, 0x32, 0x0B, 0x17, 0x80, 0, 0, 0x48, 0, 0, 0x03] + end
    }
    private static let dark = picture([0xCE, 0x16, 0xDA])
    private static let bright = picture([0xB9, 0xE1, 0x46])

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// An AVIF file whose items are all visible: the first is primary, and the item at `place` is bright.
    private static func avif(_ count: Int, bright place: Int) -> [UInt8] {
        var (items, associations): ([UInt8], [UInt8]) = ([], [])
        for item in 1...count {
            items += box("infe", [2, 0, 0, 0] + number(item, 2) + [0, 0] + Array("av01".utf8) + [0])
            associations += number(item, 2) + [3, 1, 0x82, 3]
        }
        let properties =
            box("ispe", number(0, 4) + number(64, 4) + number(64, 4)) + box("av1C", [0x81, 0, 0x0C, 0])
            + box("pixi", [0, 0, 0, 0, 3, 8, 8, 8])
        func meta(dataStart: Int) -> [UInt8] {
            var locations: [UInt8] = []
            for index in 0..<count {
                locations += number(index + 1, 2) + [0, 0, 0, 1]
                locations += number(dataStart + index * dark.count, 4) + number(dark.count, 4)
            }
            return box(
                "meta",
                [0, 0, 0, 0] + box("hdlr", number(0, 8) + Array("pict".utf8) + number(0, 13))
                    + box("pitm", [0, 0, 0, 0, 0, 1])
                    + box("iloc", [0, 0, 0, 0, 0x44, 0] + number(count, 2) + locations)
                    + box("iinf", [0, 0, 0, 0] + number(count, 2) + items)
                    + box(
                        "iprp",
                        box("ipco", properties) + box("ipma", [0, 0, 0, 0] + number(count, 4) + associations)))
        }
        let start = box("ftyp", Array("avif".utf8) + number(0, 4) + Array("avifmif1".utf8))
        let dataStart = start.count + meta(dataStart: 0).count + 8
        let data = (0..<count).flatMap { $0 == place ? bright : dark }
        return start + meta(dataStart: dataStart) + box("mdat", data)
    }

    private static func judge(_ content: [UInt8]) async throws -> String {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.avif")
            try Data(content).write(to: file)
            do {
                return try await ScriptedAnalysis.analyze(file).isSensitive ? "sensitive" : "notSensitive"
            } catch let failure as AnalysisFailure {
                return failure.code.rawValue
            }
        }
    }

    @Test(
        "Each item of an AVIF file is judged, wherever the bright item is",
        arguments: [(1, 0), (2, 0), (2, 1), (200, 100), (200, 199)])
    func each(count: Int, place: Int) async throws {
        #expect(try await Self.judge(Self.avif(count, bright: place)) == "sensitive")
    }

    @Test("An AVIF file without a bright item is not sensitive")
    func none() async throws {
        for count in [1, 200] { #expect(try await Self.judge(Self.avif(count, bright: -1)) == "notSensitive") }
    }

    @Test("An AVIF file with more items than the limit is refused", arguments: [19_999, 20_000, 20_050, 65_000])
    func tooMany(count: Int) async throws {
        #expect(try await Self.judge(Self.avif(count, bright: count - 1)) == "limitExceeded")
    }
}
