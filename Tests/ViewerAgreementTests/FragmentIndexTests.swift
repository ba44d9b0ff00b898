// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The indices of fragmented MP4 files")
struct FragmentIndexTests {
    private static func bytes(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bytes(content.count + 8) + Array(name.utf8) + content
    }

    private static let fragment = box("moof", [1, 2, 3, 4]) + box("mdat", [UInt8](repeating: 0, count: 20))

    private static func segments(_ sizes: [Int], after offset: Int = 0, isWide: Bool = false) -> [UInt8] {
        let numbers = bytes(0, isWide ? 8 : 4) + bytes(offset, isWide ? 8 : 4)
        let entries = sizes.flatMap { bytes($0) + bytes(1) + bytes(0) }
        let head = [UInt8(isWide ? 1 : 0), 0, 0, 0] + bytes(1) + bytes(1000)
        return box("sidx", head + numbers + bytes(sizes.count) + entries)
    }

    private static func randomAccess(_ positions: [Int], isWide: Bool = false) -> [UInt8] {
        let size = isWide ? 8 : 4
        let entries = positions.flatMap { bytes(0, size) + bytes($0, size) + [UInt8](repeating: 1, count: 3) }
        let table = [UInt8(isWide ? 1 : 0), 0, 0, 0] + bytes(1) + bytes(0) + bytes(positions.count) + entries
        return box("mfra", box("tfra", table) + box("mfro", bytes(0) + bytes(0)))
    }

    private static func hasDisagreement(_ parts: [UInt8]...) throws -> Bool {
        let file = try InputFile(SealedMemory.copying(Array(parts.joined())).descriptor)
        var reader = MediaBoxes(file, maximumCount: 1000)
        return try FragmentIndex.hasDisagreement(try reader.boxes(in: 0..<file.byteCount), in: file, &reader)
    }

    @Test("An index of segments has to lead to fragments", arguments: [false, true])
    func segments(isWide: Bool) throws {
        let (size, hidden) = (Self.fragment.count, Self.box("free", Self.fragment))
        let honest = Self.segments([size, size], isWide: isWide)
        #expect(try !Self.hasDisagreement(honest, Self.fragment, Self.fragment))
        #expect(
            try Self.hasDisagreement(
                Self.segments([size + 8, size], isWide: isWide), Self.fragment, hidden, Self.fragment))
        let later = Self.segments([size], after: hidden.count, isWide: isWide)
        #expect(try !Self.hasDisagreement(later, hidden, Self.fragment))
        #expect(try Self.hasDisagreement(Self.segments([size], after: 8, isWide: isWide), hidden, Self.fragment))
        #expect(try Self.hasDisagreement(Self.segments([size], after: -1, isWide: isWide), Self.fragment))
    }

    @Test("An index for random access has to lead to fragments", arguments: [false, true])
    func randomAccess(isWide: Bool) throws {
        let (size, hidden) = (Self.fragment.count, Self.box("free", Self.fragment))
        let media = Self.fragment + hidden + Self.fragment
        #expect(try !Self.hasDisagreement(media, Self.randomAccess([0, size + hidden.count], isWide: isWide)))
        #expect(try Self.hasDisagreement(media, Self.randomAccess([0, size + 8], isWide: isWide)))
        // GStreamer leaves the last entry empty, which leads to the start of the file.
        let start = Self.box("ftyp", [])
        let random = Self.randomAccess([start.count, 0], isWide: isWide)
        #expect(try !Self.hasDisagreement(start, media, random))
        #expect(try Self.hasDisagreement(media, Self.randomAccess([1 << 31], isWide: isWide)))
    }

    @Test("An index that is cut is no index, and a file without one leads nowhere")
    func cut() throws {
        #expect(try !Self.hasDisagreement(Self.fragment, Self.fragment))
        let index = Self.segments([Self.fragment.count])
        for count in 9..<index.count {
            let shorter = Self.bytes(count) + index[4..<count]
            #expect(try Self.hasDisagreement(Array(shorter), Self.fragment))
        }
    }
}
