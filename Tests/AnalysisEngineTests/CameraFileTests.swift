// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Camera files")
struct CameraFileTests {
    private static func outcome(of content: [UInt8]) async throws -> String {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture")
            try Data(content).write(to: file)
            return try await RegressionTests.outcome(of: file)
        }
    }

    private static func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: TestFiles.fixtures.appendingPathComponent(name)))
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    /// A TIFF file whose first directory has a grey preview of 160 × 120 pixels, and the second a sensor's levels.
    ///
    /// - Parameter photometric: the meaning of the levels in the second directory.
    private static func tiff(preview: [UInt8], photometric: Int = 32_803, levels: [UInt8], behind: [UInt8] = [])
        -> [UInt8]
    {
        func directory(_ photometric: Int, at start: Int, isReduced: Bool, next: Int) -> [UInt8] {
            let entries = [
                (254, isReduced ? 1 : 0), (256, 160), (257, 120), (258, 8), (259, 1), (262, photometric), (273, start),
                (277, 1), (278, 120), (279, 19_200),
            ]
            let bytes = entries.flatMap { little($0.0, 2) + little(4, 2) + little(1, 4) + little($0.1, 4) }
            return little(entries.count, 2) + bytes + little(next, 4)
        }
        let size = 2 + 10 * 12 + 4
        let pixels = 8 + 2 * size
        return Array("II*\0".utf8) + little(8, 4) + directory(1, at: pixels, isReduced: true, next: 8 + size)
            + directory(photometric, at: pixels + 19_200, isReduced: false, next: 0) + preview + levels + behind
    }

    private static let grey = [UInt8](repeating: 90, count: 19_200)

    @Test func `A pattern in a preview of a camera file is judged, in a directory and as a JPEG anywhere`() async throws
    {
        let pattern = try Self.fixture("evasions/pattern.grey")
        #expect(try await Self.outcome(of: Self.tiff(preview: pattern, levels: Self.grey)) == "sensitive")
        let jpeg = try Self.fixture("evasions/sensitive-second-picture.jpg")
        let trailing = [UInt8](repeating: 7, count: 1001) + jpeg
        #expect(
            try await Self.outcome(of: Self.tiff(preview: Self.grey, levels: Self.grey, behind: trailing))
                == "sensitive")
        for signature in ["FUJIFILMCCD-RAW 0201", "IIRO\u{8}\0\0\0", "IIU\0\u{8}\0\0\0", "II\u{1A}\0\0\0HEAPCCDR"] {
            #expect(try await Self.outcome(of: Array(signature.utf8) + trailing) == "sensitive")
        }
    }

    @Test("A camera file without a finding is unknown, because its raw picture is not developed")
    func unseen() async throws {
        let pattern = try Self.fixture("evasions/pattern.grey")
        for photometric in [32_803, 34_892] {
            let file = Self.tiff(preview: Self.grey, photometric: photometric, levels: pattern)
            #expect(try await Self.outcome(of: file) == "ambiguousMedia")
        }
        let jpeg = try Self.fixture("plain/plain.jpg")
        #expect(try await Self.outcome(of: Array("FOVb".utf8) + jpeg) == "ambiguousMedia")
        // A preview that cannot be read, and no preview at all.
        #expect(try await Self.outcome(of: Array("FOVb".utf8) + jpeg.prefix(700)) == "ambiguousMedia")
        #expect(try await Self.outcome(of: Array("IIRO".utf8) + Self.grey) == "ambiguousMedia")
    }

    @Test func `A TIFF file of the same shape without a raw picture is judged as a whole`() async throws {
        let pattern = try Self.fixture("evasions/pattern.grey")
        #expect(
            try await Self.outcome(of: Self.tiff(preview: Self.grey, photometric: 1, levels: pattern)) == "sensitive")
        #expect(
            try await Self.outcome(of: Self.tiff(preview: Self.grey, photometric: 1, levels: Self.grey))
                == "notSensitive")
    }

    @Test func `An ordinary TIFF file is one of a camera if LibRaw finds a raw picture in it`() async throws {
        func file(_ entries: [(Int, Int)], first: [UInt8] = []) -> [UInt8] {
            let all =
                ([
                    (254, 0), (256, 160), (257, 120), (258, 8), (259, 1), (262, 1), (273, 400), (277, 1), (278, 120),
                    (279, 19_200),
                ] + entries).sorted { $0.0 < $1.0 }
            let bytes = all.flatMap {
                Self.little($0.0, 2) + Self.little(4, 2) + Self.little(1, 4) + Self.little($0.1, 4)
            }
            let directory = Self.little(all.count, 2) + bytes + Self.little(0, 4)
            let head = Array("II*\0".utf8) + Self.little(60, 4) + first
            let start = head + [UInt8](repeating: 0, count: 60 - head.count) + directory
            return start + [UInt8](repeating: 0, count: 400 - start.count) + Self.grey
        }
        for harmless in [
            file([]), file([(271, 7)]), file([(61_447, 9)]), file([], first: Array("CR".utf8)),
            file([], first: Array("IIII".utf8)),
        ] {
            #expect(try await Self.outcome(of: harmless) == "notSensitive")
        }
        // A maker beside its private entries, a version of DNG, and a mark of Phase One.
        for camera in [
            file([(271, 7), (61_447, 9)]), file([(271, 7), (513, 9)]), file([(50_706, 1)]),
            file([], first: Array("IIII\0waR".utf8)), file([], first: [0, 0, 0] + Array("MMMMRaw".utf8)),
            file([(46_275, 7)]), file([(271, 7), (324, 9)]),
        ] {
            #expect(try await Self.outcome(of: camera) == "ambiguousMedia")
        }
    }

    @Test func `A picture with the size or the mark of a raw picture is unknown, because Qt asks LibRaw first`()
        async throws
    {
        let jpeg = try Self.fixture("plain/plain.jpg")
        #expect(try await Self.outcome(of: jpeg) == "notSensitive")
        let comment = [0xFF, 0xD8, 0xFF, 0xFE, 0, 14] as [UInt8] + Array("IIII\0waR....".utf8)
        #expect(try await Self.outcome(of: comment + Array(jpeg.dropFirst(2))) == "ambiguousMedia")
        // The size of a raw picture of the AVT F-080C.
        let sized = jpeg + [UInt8](repeating: 0, count: 786_432 - jpeg.count)
        #expect(try await Self.outcome(of: sized) == "ambiguousMedia")
        #expect(try await Self.outcome(of: Array(sized.dropLast())) == "notSensitive")
    }
}
