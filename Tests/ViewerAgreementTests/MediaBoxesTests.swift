// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The boxes of a file")
struct MediaBoxesTests {
    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64((count - 1 - $0) * 8)) }
    }

    /// A box whose header claims a size, whatever the length of its content.
    private static func box(_ name: String, size: Int, content: Int = 0) -> [UInt8] {
        number(UInt64(size), 4) + Array(name.utf8) + [UInt8](repeating: 0xEE, count: content)
    }

    private static func box(_ name: String, size64: UInt64, content: Int = 0) -> [UInt8] {
        number(1, 4) + Array(name.utf8) + number(size64, 8) + [UInt8](repeating: 0xEE, count: content)
    }

    private static func boxes(
        _ bytes: [UInt8], in range: Range<Int>? = nil, most: Int = 100
    ) throws -> (boxes: [MediaBoxes.Box], isExhausted: Bool) {
        var reader = MediaBoxes(try InputFile(SealedMemory.copying(bytes).descriptor), maximumCount: most)
        let boxes = try reader.boxes(in: range ?? 0..<bytes.count)
        return (boxes, reader.isExhausted)
    }

    @Test("Boxes are listed one behind the other with the places of their headers and contents")
    func list() throws {
        let bytes =
            Self.box("ftyp", size: 12, content: 4) + Self.box("free", size: 8)
            + Self.box("mdat", size64: 19, content: 3) + Self.box("moov", size: 9, content: 1)
        let boxes = try Self.boxes(bytes).boxes
        #expect(boxes.map(\.name) == ["ftyp", "free", "mdat", "moov"])
        #expect(boxes.map(\.position) == [0, 12, 20, 39])
        #expect(boxes.map(\.content) == [8..<12, 20..<20, 36..<39, 47..<48])
        #expect(boxes.map(\.isWhole) == [true, true, true, true])
    }

    @Test("A box with a size of zero reaches to the end of its surroundings")
    func openEnd() throws {
        let bytes = Self.box("mdat", size: 0, content: 20) + Self.box("moov", size: 8)
        let boxes = try Self.boxes(bytes).boxes
        #expect(boxes.map(\.name) == ["mdat"] && boxes[0].content == 8..<36 && boxes[0].isWhole)
        #expect(try Self.boxes(bytes, in: 0..<30).boxes[0].content == 8..<30)
    }

    @Test(
        "A box with a 32-bit size that it cannot have is not whole, and ends the list",
        arguments: [2, 7, 29, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func lyingSize(size: Int) throws {
        let bytes = Self.box("mdat", size: size, content: 12) + Self.box("moov", size: 8)
        let boxes = try Self.boxes(bytes).boxes
        #expect(boxes.map(\.name) == ["mdat"] && !boxes[0].isWhole)
        #expect(boxes[0].content == 8..<28)
    }

    @Test("A box with the smallest or the largest possible 32-bit size is whole", arguments: [8, 20, 28])
    func possibleSize(size: Int) throws {
        let bytes = Self.box("mdat", size: size, content: 12) + Self.box("moov", size: 8)
        let box = try #require(try Self.boxes(bytes).boxes.first)
        #expect(box.isWhole && box.content == 8..<size)
    }

    @Test(
        "A box with a 64-bit size that it cannot have is not whole, and ends the list",
        arguments: [
            0, 1, 8, 15, 29, 1 << 32 + 16, 1 << 63 - 1, 1 << 63, 1 << 63 + 16, .max - 15, .max,
        ] as [UInt64])
    func lyingSize(size64: UInt64) throws {
        let bytes = Self.box("mdat", size64: size64, content: 4) + Self.box("moov", size: 8)
        let boxes = try Self.boxes(bytes).boxes
        #expect(boxes.map(\.name) == ["mdat"] && !boxes[0].isWhole)
        #expect(boxes[0].content == 16..<28)
    }

    @Test("A box with the smallest or the largest possible 64-bit size is whole", arguments: [16, 20, 28] as [UInt64])
    func possibleSize(size64: UInt64) throws {
        let bytes = Self.box("mdat", size64: size64, content: 4) + Self.box("moov", size: 8)
        let box = try #require(try Self.boxes(bytes).boxes.first)
        #expect(box.isWhole && box.content == 16..<Int(size64))
    }

    @Test("A box that is larger than the box around it is not whole, also where the file goes on")
    func surroundings() throws {
        let inner = Self.box("trak", size: 17, content: 8)
        let bytes = Self.box("moov", size: 24) + inner + Self.box("free", size: 100, content: 92)
        let boxes = try Self.boxes(bytes, in: 8..<24).boxes
        #expect(boxes.count == 1 && !boxes[0].isWhole && boxes[0].content == 16..<24)
        // The 64-bit size field lies outside of the searched range.
        let wide = Self.box("trak", size64: 16) + Self.box("free", size: 100, content: 92)
        for end in 8..<16 {
            let box = try #require(try Self.boxes(wide, in: 0..<end).boxes.first)
            #expect(!box.isWhole && box.content.upperBound == end)
        }
    }

    @Test("A part of a file that is too short for a header has no box")
    func tooShort() throws {
        let bytes = Self.box("free", size: 8)
        for end in 0..<8 { #expect(try Self.boxes(bytes, in: 0..<end).boxes.isEmpty) }
        for start in 1...8 { #expect(try Self.boxes(bytes, in: start..<8).boxes.isEmpty) }
        // The searched range lies behind the end of the file.
        #expect(try Self.boxes(bytes, in: 8..<1000).boxes.isEmpty)
    }

    @Test("In a file that is cut, the boxes before the cut are whole and no box reaches behind it")
    func truncation() throws {
        let parts = [
            Self.box("ftyp", size: 12, content: 4), Self.box("mdat", size64: 30, content: 14),
            Self.box("moov", size: 16, content: 8),
        ]
        let ends = [12, 42, 58]
        let bytes = Array(parts.joined())
        for count in 1...bytes.count {
            let boxes = try Self.boxes(Array(bytes.prefix(count))).boxes
            #expect(boxes.filter(\.isWhole).map(\.content.upperBound) == ends.filter { $0 <= count })
            #expect(boxes.allSatisfy { $0.content.lowerBound >= $0.position && $0.content.upperBound <= count })
        }
    }

    @Test("The search ends with the box that was asked for")
    func lastBox() throws {
        let bytes = Self.box("ftyp", size: 8) + Self.box("moov", size: 8) + Self.box("mdat", size: 8)
        var reader = MediaBoxes(try InputFile(SealedMemory.copying(bytes).descriptor), maximumCount: 100)
        let boxes = try reader.boxes(in: 0..<bytes.count, upTo: { $0.name == "moov" })
        #expect(boxes.map(\.name) == ["ftyp", "moov"])
    }

    @Test("No more boxes are looked at than are allowed in all parts of a file together")
    func budget() throws {
        let bytes = Array((0..<5000).flatMap { _ in Self.box("free", size: 8) })
        for (most, count) in [(4096, 4096), (5000, 5000), (5001, 5000)] {
            let found = try Self.boxes(bytes, most: most)
            // At the bound, the reader cannot know whether more boxes follow.
            #expect(found.boxes.count == count && found.isExhausted == (most <= 5000))
        }
        var reader = MediaBoxes(try InputFile(SealedMemory.copying(bytes).descriptor), maximumCount: 3)
        #expect(try reader.boxes(in: 0..<16).count == 2 && !reader.isExhausted)
        #expect(try reader.boxes(in: 16..<80).count == 1 && reader.isExhausted)
        #expect(try reader.boxes(in: 0..<80).isEmpty)
    }

    @Test("Boxes of random bytes never overlap, and never reach out of their surroundings")
    func randomBytes() throws {
        var generator = SplitMix64(state: 3)
        for _ in 0..<500 {
            var bytes = (0..<96).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Small sizes are written, so that several boxes follow each other.
            for offset in stride(from: 0, to: 96, by: 4) where Bool.random(using: &generator) {
                let size = UInt8.random(in: 0...40, using: &generator)
                bytes.replaceSubrange(offset..<(offset + 4), with: [0, 0, 0, size])
            }
            let start = Int.random(in: 0..<96, using: &generator)
            let range = start..<Int.random(in: start...96, using: &generator)
            var end = range.lowerBound
            for box in try Self.boxes(bytes, in: range).boxes {
                #expect(box.position == end && box.content.lowerBound >= box.position + 8)
                end = box.content.upperBound
                #expect(end <= range.upperBound)
            }
        }
    }
}
