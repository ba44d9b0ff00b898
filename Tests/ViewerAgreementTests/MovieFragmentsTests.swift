// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("The last fragments of a fragmented MP4 file")
struct MovieFragmentsTests {
    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(8 + content.count)] + Array(name.utf8) + content
    }

    /// A fragment of track 1 with one frame, and its data.
    private static let fragment =
        box("moof", box("traf", box("tfhd", [0, 0, 0, 0, 0, 0, 0, 1]) + box("trun", [0, 0, 0, 0, 0, 0, 0, 1])))
        + box("mdat", [1, 2, 3, 4])

    /// An index of 40 bytes whose end repeats its size, or names another.
    private static func index(_ name: String = "mfra", size: UInt8 = 40) -> [UInt8] {
        box(name, [UInt8](repeating: 0, count: 16) + box("mfro", [0, 0, 0, 0, 0, 0, 0, size]))
    }

    /// Returns whether reading ended early if it ended behind the last fragment.
    private static func endsEarly(_ bytes: [UInt8]) throws -> Bool? {
        let file = try InputFile(SealedMemory.copying(bytes).descriptor)
        var reader = MediaBoxes(file, maximumCount: 100)
        let boxes = try reader.boxes(in: 0..<bytes.count)
        return try MovieFragments(among: boxes, in: file, &reader).endAfter(Int64(bytes.count), ofTrack: 1)
    }

    @Test func `An index behind the last fragment of a short film is no loss, and other boxes of its size are`() throws
    {
        #expect(try Self.endsEarly(Self.fragment) == false)
        #expect(try Self.endsEarly(Self.fragment + Self.index()) == false)
        for other in [Self.index(size: 41), Self.index("free"), Self.box("mfra", [UInt8](repeating: 0, count: 32))] {
            #expect(try Self.endsEarly(Self.fragment + other) == true)
        }
        #expect(try Self.endsEarly(Self.fragment + Self.index().dropLast(1)) == true)
    }
}
