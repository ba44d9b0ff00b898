// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The tables of samples in an MP4 file")
struct SampleTablesTests {
    private static func box(_ name: String, _ numbers: [UInt32]) -> [UInt8] {
        let content = ([0] + numbers).flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let size = UInt8(content.count + 8)
        return [0, 0, 0, size] + Array(name.utf8) + content
    }

    /// Five samples in three chunks: two, two and one.
    private static let usual: [String: [UInt32]] = [
        "stts": [1, 5, 40], "stsc": [2, 1, 2, 1, 3, 1, 1], "stsz": [0, 5, 9, 9, 9, 9, 9], "stco": [3, 100, 200, 300],
    ]

    private static func areConsistent(
        _ changes: [String: [UInt32]], without left: String? = nil, descriptionCount: Int = 1
    ) throws -> Bool {
        let tables = usual.merging(changes) { $1 }.filter { $0.key != left }
        let file = try InputFile(SealedMemory.copying(tables.flatMap { box($0, $1) }).descriptor)
        var reader = MediaBoxes(file, maximumCount: 100)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        return try SampleTables(boxes, in: file).areConsistent(descriptionCount: descriptionCount)
    }

    @Test("Tables that agree raise no doubt, with samples of one size or several, and with wide positions")
    func agreement() throws {
        #expect(try Self.areConsistent([:]))
        #expect(try Self.areConsistent(["stsz": [9, 5]]))
        #expect(try Self.areConsistent(["stz2": [8, 5, 0x0909_0909, 0x0900_0000]], without: "stsz"))
        #expect(try Self.areConsistent(["co64": [3, 0, 100, 0, 200, 0, 300]], without: "stco"))
        #expect(try Self.areConsistent(["stsc": [2, 1, 2, 1, 3, 1, 2]], descriptionCount: 2))
        #expect(try Self.areConsistent(["stts": [0], "stsc": [0], "stsz": [0, 0], "stco": [0]]))
    }

    @Test(
        "Chunks that begin late, go back, have no samples or a description that is missing are noticed",
        arguments: [
            [2, 2, 2, 1, 3, 1, 1], [1, 1, 0, 1], [2, 1, 2, 1, 1, 2, 1], [2, 3, 1, 1, 1, 2, 1], [1, 1, 2, 2],
            [1, 1, 2, 0], [2, 1, 2, 1, 4, 1, 1], [1, 1, 2, 1], [1, 1, 1, 1], [3, 1, 2, 1, 3, 1, 1],
            [2, 1, .max, 1, 3, .max, 1],
        ] as [[UInt32]])
    func chunks(table: [UInt32]) throws {
        #expect(try !Self.areConsistent(["stsc": table]))
    }

    @Test("Tables that are shorter than they say are noticed", arguments: ["stts", "stsc", "stsz", "stco"])
    func lengths(name: String) throws {
        let numbers = try #require(Self.usual[name])
        #expect(try !Self.areConsistent([name: numbers.dropLast()]))
        #expect(try Self.areConsistent([name: numbers + [0, 0, 0]]))
    }
}
