// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Covers and thumbnails in the user data of an MP4 file")
struct MovieCoversTests {
    private static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
        let content = Array(content.joined())
        let size = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
    }

    private static func covers(_ userData: [UInt8]...) throws -> MovieCovers {
        let file = try InputFile(SealedMemory.copying(box("udta", Array(userData.joined()))).descriptor)
        var reader = MediaBoxes(file, maximumCount: 100)
        return try MovieCovers(among: reader.boxes(in: 0..<file.byteCount), in: file, &reader)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("..JFIF...".utf8)
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]
    private static let text = box("name", Array("A movie".utf8))

    @Test("User data without a picture has no cover and no thumbnail")
    func plain() throws {
        let covers = try Self.covers(Self.text, Self.box("meta", [0, 0, 0, 0], Self.box("ilst", Self.text)))
        #expect(covers.count == 0 && covers.thumbnails.isEmpty)
    }

    @Test("Covers are counted wherever their lists stand")
    func counted() throws {
        let item = Self.box("covr", Self.box("data", Self.jpeg), Self.box("data", Self.png))
        let list = Self.box("meta", [0, 0, 0, 0], Self.box("ilst", item))
        #expect(try Self.covers(list).count == 2)
        #expect(try Self.covers(Self.text, list, list, Self.text).count == 4)
    }

    @Test("Each JPEG picture in a box of a camera is a thumbnail, up to the end of its box")
    func thumbnails() throws {
        let camera = Self.box("thmb", Array("jpg ".utf8), Self.jpeg, [1, 2])
        let nested = Self.box("CNTH", Self.box("CNDA", Self.jpeg))
        let covers = try Self.covers(Self.text, camera, nested, Self.text)
        let (first, second) = (8 + Self.text.count + 12, 8 + Self.text.count + camera.count + 16)
        #expect(covers.count == 0)
        #expect(covers.thumbnails == [first..<(first + Self.jpeg.count + 2), second..<(second + Self.jpeg.count)])
        #expect(try Self.covers(Self.box("thmb", Self.jpeg, Self.jpeg)).thumbnails.count == 2)
        #expect(try Self.covers(Self.box("thmb", Array(repeating: Self.jpeg, count: 8).flatMap(\.self))).count == 0)
        #expect(try Self.covers(Self.box("thmb", Array(repeating: Self.jpeg, count: 9).flatMap(\.self))).count == nil)
    }

    @Test("A picture of another format, and one outside of all boxes, is noticed")
    func others() throws {
        #expect(try Self.covers(Self.box("thmb", Self.png)).count == nil)
        #expect(try Self.covers(Self.box("thmb", Self.jpeg, Self.png)).count == nil)
        #expect(try Self.covers(Self.box("thmb", Array("JFIF".utf8))).count == nil)
        #expect(try Self.covers(Self.text, [0, 0, 0, 0] + Self.jpeg).count == nil)
    }
}
