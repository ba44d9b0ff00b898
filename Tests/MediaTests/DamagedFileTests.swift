// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Files that are damaged or hostile")
struct DamagedFileTests {
    static let plainFiles = [
        "plain.png", "plain.bmp", "plain.tiff", "plain.jpg", "progressive.jpg", "plain.webp", "lossless.webp",
        "plain.heic", "plain.avif", "grid.heic", "grid.avif", "plain.jxl", "container.jxl",
    ]

    static func failure(_ bytes: Data, limits: AnalysisLimits = RealDecoder.limits) async throws -> AnalysisFailure? {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file")
            try bytes.write(to: file)
            do {
                _ = try await RealDecoder.decode(file, limits: limits)
                return nil
            } catch let failure as AnalysisFailure {
                return failure
            }
        }
    }

    private static func decoded(_ bytes: Data) async throws -> DecodedPicture {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file")
            try bytes.write(to: file)
            return try await RealDecoder.decode(file)
        }
    }

    /// Whether the decoder refuses a file as malformed, or says that its picture is damaged.
    private static func isFoundDamaged(_ bytes: Data) async throws -> Bool {
        do {
            return try await decoded(bytes).isDamaged
        } catch let failure as AnalysisFailure {
            return failure.code == .malformedMedia
        }
    }

    @Test("A JPEG picture without its end marker is whole, and one that lacks more is damaged")
    func missingEndOfJPEG() async throws {
        let whole = try Self.plain("plain.jpg")
        let pixels = try await Self.decoded(whole).views[0].bytes
        let withoutEnd = try await Self.decoded(whole.dropLast(2))
        #expect(!withoutEnd.isDamaged && withoutEnd.views[0].bytes == pixels)
        #expect(try await Self.decoded(whole.dropLast(20)).isDamaged)
    }

    @Test("Bytes between the segments of a JPEG header change nothing, and bytes between its scans are damage")
    func strayBytesInJPEG() async throws {
        let whole = try Self.plain("progressive.jpg")
        let pixels = try await Self.decoded(whole).views[0].bytes
        func inserted(before marker: UInt8, at occurrence: Int) throws -> Data {
            let places = whole.indices.dropLast().filter { whole[$0] == 0xFF && whole[$0 + 1] == marker }
            let place = try #require(places.dropFirst(occurrence).first)
            return whole[..<place] + Data([0, 0x11, 0x22]) + whole[place...]
        }
        // The matrices, the Huffman tables and the first scan, and then the second scan.
        for marker in [0xDB, 0xC4, 0xDA] as [UInt8] {
            let picture = try await Self.decoded(inserted(before: marker, at: 0))
            #expect(!picture.isDamaged && picture.views[0].bytes == pixels, "\(marker)")
        }
        #expect(try await Self.decoded(inserted(before: 0xDA, at: 1)).isDamaged)
    }

    /// A grey TIFF picture of 8 by 8 pixels in one strip, little-endian.
    private static func tiff(bits: Int, format: Int = 1, compression: Int = 1) -> Data {
        let entries: [(tag: Int, value: Int)] = [
            (256, 8), (257, 8), (258, bits), (259, compression), (262, 1), (273, 8), (277, 1), (278, 8),
            (279, 8 * bits), (339, format),
        ]
        func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
        let directory = entries.flatMap { number($0.tag, 2) + number(4, 2) + number(1, 4) + number($0.value, 4) }
        let head: [UInt8] = [0x49, 0x49, 42, 0] + number(8 + 8 * bits, 4)
        let strip = [UInt8](repeating: 7, count: 8 * bits)
        return Data(head + strip + number(entries.count, 2) + directory + number(0, 4))
    }

    @Test("A TIFF picture whose samples or compression are not read is unsupported, and not damaged")
    func unsupportedTIFF() async throws {
        #expect(try await Self.failure(Self.tiff(bits: 8)) == nil)
        for bytes in [
            Self.tiff(bits: 12), Self.tiff(bits: 16, format: 3), Self.tiff(bits: 64, format: 3),
            Self.tiff(bits: 8, compression: 50_002), Self.tiff(bits: 8, compression: 34_712),
        ] {
            #expect(try await Self.failure(bytes)?.code == .unsupportedMedia)
        }
    }

    @Test("The rows of a PNG picture before its missing end are decoded, and the picture counts as damaged")
    func cutPNG() async throws {
        let whole = try Self.plain("plain.png")
        let pixels = try await Self.decoded(whole).views[0]
        let cut = try await Self.decoded(whole.prefix(whole.count * 9 / 10))
        #expect(cut.isDamaged && cut.views[0].width == pixels.width)
        let withoutEnd = try await Self.decoded(whole.dropLast(12))
        #expect(!withoutEnd.isDamaged && withoutEnd.views[0].bytes == pixels.bytes)
        let top = pixels.bytes.count / 2
        #expect(cut.views[0].bytes.prefix(top) == pixels.bytes.prefix(top))
    }

    /// Returns the content of a file that is no picture; nil for pictures.
    static func content(_ bytes: Data) async throws -> MediaContent? {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file")
            try bytes.write(to: file)
            guard case .content(let content) = try await RealDecoder.content(of: file) else { return nil }
            return content
        }
    }

    static func plain(_ name: String) throws -> Data {
        try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("plain/\(name)"))
    }

    @Test("Files that end early are malformed", arguments: plainFiles, [2, 10, 50, 90, 99])
    func truncated(name: String, percent: Int) async throws {
        let whole = try Self.plain(name)
        // The part of a JPEG or PNG picture that is there is judged.
        guard !name.hasSuffix(".jpg"), !name.hasSuffix(".png") else {
            #expect(try await Self.isFoundDamaged(whole.prefix(whole.count * percent / 100)))
            return
        }
        let failure = try await Self.failure(whole.prefix(whole.count * percent / 100))
        #expect(failure?.code == .malformedMedia, "\(String(describing: failure))")
        #expect(failure?.message.contains("Get it again") == true)
    }

    /// Returns whether a picture is damaged or not decoded at all; the engine judges neither as harmless.
    private static func isDamaged(_ bytes: Data) async throws -> Bool {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("file")
            try bytes.write(to: file)
            do {
                return try await RealDecoder.decode(file).isDamaged
            } catch let failure as AnalysisFailure {
                return [.malformedMedia, .ambiguousMedia].contains(failure.code)
            }
        }
    }

    @Test("Files whose tiles cannot all be decoded are damaged", arguments: ["grid.heic", "grid.avif"])
    func damagedTile(name: String) async throws {
        let whole = try Self.plain(name)
        #expect(try await !Self.isDamaged(whole))
        // Newer versions of libheif leave such a tile blank. A quarter of the file holds the start of a tile.
        for share in [0.4, 0.6, 0.75] {
            var bytes = whole
            let (start, length) = (Int(Double(whole.count) * share), whole.count / 4)
            bytes.replaceSubrange(start..<(start + length), with: repeatElement(0xFF, count: length))
            #expect(try await Self.isDamaged(bytes), "\(share)")
        }
    }

    @Test(
        "Files whose tiles are smaller than declared have gaps, and are damaged", arguments: ["grid.heic", "grid.avif"])
    func smallTiles(name: String) async throws {
        var bytes = try Self.plain(name)
        // The box has its name, four zeros, the width and the height.
        var position = bytes.startIndex
        while let box = bytes.range(of: Data("ispe".utf8), in: position..<bytes.endIndex) {
            let width = Int(bytes[box.upperBound + 6]) << 8 | Int(bytes[box.upperBound + 7])
            if width != 320 { for offset in [7, 11] { bytes[box.upperBound + offset] += 8 } }
            position = box.upperBound
        }
        #expect(try await Self.isDamaged(bytes))
    }

    @Test(
        "Files with a box that newer versions of libheif read instead of the items are ambiguous",
        arguments: ["plain.heic", "plain.avif"])
    func secondDescription(name: String) async throws {
        let box = Data([0, 0, 0, 16]) + Data("mini".utf8) + Data(count: 8)
        #expect(try await Self.failure(Self.plain(name) + box)?.code == .ambiguousMedia)
    }

    @Test("Truncated files never pass by chance", arguments: ["plain.jpg", "progressive.jpg", "plain.tiff"])
    func truncatedOften(name: String) async throws {
        let whole = try Self.plain(name)
        // With several workers, libvips accepts 1 to 5 of 100 truncated files, so the test repeats the check.
        for _ in 0..<150 {
            #expect(try await Self.isFoundDamaged(whole.prefix(whole.count * 9 / 10)))
        }
    }

    @Test("Files without content or media are unsupported", arguments: ["", "a", "This is a text.\n", "<html></html>"])
    func noMedia(text: String) async throws {
        let content = try await Self.content(Data(text.utf8))
        #expect(content == (text.isEmpty ? .empty : text.hasPrefix("<") ? .document : .unknownFormat))
        #expect(try await Self.failure(Data(text.utf8))?.code == .unsupportedMedia)
    }

    @Test(
        "Pictures and videos of other formats are unsupported, and are no texts",
        arguments: ["gimp xcf v011", "8BPS"])
    func otherMedia(text: String) async throws {
        #expect(try await Self.content(Data(text.utf8)) == .otherMedia)
        #expect(try await Self.failure(Data(text.utf8))?.code == .unsupportedMedia)
    }

    @Test("Videos are left to the video decoder")
    func video() async throws {
        #expect(try await Self.content(Data([0, 0, 0, 16] + Array("ftypisom\0\0\0\0".utf8))) == .video)
    }

    /// Returns a small file that claims to have `width` × `height` pixels.
    static func bomb(_ name: String, width: UInt32, height: UInt32) throws -> Data {
        var data = try plain(name)
        func put(_ value: UInt32, _ size: Int, at offset: Int, bigEndian: Bool) {
            for index in 0..<size {
                let shift = UInt32((bigEndian ? size - 1 - index : index) * 8)
                data[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
            }
        }
        func find(_ text: [UInt8], from start: Int = 0) throws -> Int {
            try #require(data.range(of: Data(text), in: start..<data.count)).lowerBound
        }
        switch name {
        case "plain.png":
            put(width, 4, at: 16, bigEndian: true)
            put(height, 4, at: 20, bigEndian: true)
            put(crc32(data[12..<29]), 4, at: 29, bigEndian: true)
        case "plain.jpg", "progressive.jpg":
            let marker = try find([0xFF, name == "plain.jpg" ? 0xC0 : 0xC2, 0x00, 0x11, 0x08])
            put(height, 2, at: marker + 5, bigEndian: true)
            put(width, 2, at: marker + 7, bigEndian: true)
        case "plain.bmp":
            put(width, 4, at: 18, bigEndian: false)
            put(height, 4, at: 22, bigEndian: false)
        case "plain.tiff":
            let directory = Int(data[4]) | Int(data[5]) << 8 | Int(data[6]) << 16 | Int(data[7]) << 24
            let count = Int(data[directory]) | Int(data[directory + 1]) << 8
            for entry in 0..<count {
                let start = directory + 2 + entry * 12
                let tag = Int(data[start]) | Int(data[start + 1]) << 8
                if tag == 256 || tag == 257 {
                    put(4, 2, at: start + 2, bigEndian: false)
                    put(tag == 256 ? width : height, 4, at: start + 8, bigEndian: false)
                }
            }
        case "plain.heic", "plain.avif":
            let property = try find(Array("ispe".utf8))
            put(width, 4, at: property + 8, bigEndian: true)
            put(height, 4, at: property + 12, bigEndian: true)
        default: Issue.record("no bomb of \(name)")
        }
        return data
    }

    /// Returns the CRC-32 of a PNG chunk (PNG specification, annex D).
    static func crc32(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    /// A JPEG XL header of 65,000 × 65,000 pixels: two sizes of 18 bits and default metadata.
    static var jpegXLBomb: Data {
        var bits: [Bool] = [false]
        func append(_ value: Int, _ count: Int) { (0..<count).forEach { bits.append(value >> $0 & 1 == 1) } }
        append(2, 2)
        append(64_999, 18)
        append(0, 3)
        append(2, 2)
        append(64_999, 18)
        append(1, 1)
        var bytes: [UInt8] = [0xFF, 0x0A]
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append((0..<8).reduce(0) { $0 | (start + $1 < bits.count && bits[start + $1] ? 1 << $1 : 0) })
        }
        return Data(bytes + Array(repeating: 0, count: 200))
    }

    @Test(
        "Files that claim to be huge are refused by their header",
        arguments: ["plain.png", "plain.jpg", "progressive.jpg", "plain.bmp", "plain.tiff"])
    func headerBombs(name: String) async throws {
        let failure = try await Self.failure(Self.bomb(name, width: 65_000, height: 65_000))
        #expect(failure?.code == .limitExceeded, "\(String(describing: failure))")
        #expect(failure?.message.contains("4225000000") == true)
    }

    @Test func `JPEG XL files that claim to be huge are refused by their header`() async throws {
        let failure = try await Self.failure(Self.jpegXLBomb)
        #expect(failure?.code == .limitExceeded, "\(String(describing: failure))")
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func `HEIF files that claim to be huge are refused`(name: String) async throws {
        let failure = try await Self.failure(Self.bomb(name, width: 65_000, height: 65_000))
        // libheif itself refuses more than 32,768 × 32,768 while it reads the header.
        #expect([.limitExceeded, .malformedMedia].contains(failure?.code), "\(String(describing: failure))")
        let smaller = try await Self.failure(Self.bomb(name, width: 20_000, height: 20_000))
        #expect(smaller?.code == .limitExceeded, "\(String(describing: smaller))")
    }

    @Test("Files with an edge beyond the limit are refused", arguments: ["plain.png", "plain.bmp", "plain.tiff"])
    func longEdge(name: String) async throws {
        let failure = try await Self.failure(Self.bomb(name, width: 65_536, height: 10))
        #expect(
            failure?.code == .limitExceeded && failure?.message.contains("65536") == true,
            "\(String(describing: failure))")
    }

    @Test(
        "Files without pixels are malformed",
        arguments: ["plain.png", "plain.jpg", "progressive.jpg", "plain.bmp", "plain.tiff", "plain.heic", "plain.avif"])
    func noPixels(name: String) async throws {
        let failure = try await Self.failure(Self.bomb(name, width: 0, height: 0))
        #expect(failure?.code == .malformedMedia, "\(String(describing: failure))")
    }

    @Test("Files over a limit that the caller sets are refused")
    func callersLimits() async throws {
        for name in Self.plainFiles {
            let data = try Self.plain(name)
            let pixels = try await Self.failure(
                data, limits: AnalysisLimits { ($0.maximumStreamedPixelCount, $0.maximumPixelCount) = (76_799, 76_799) }
            )
            #expect(pixels?.code == .limitExceeded && pixels?.message.contains("76799") == true, "\(name)")
            let exact = try await Self.failure(
                data, limits: AnalysisLimits { ($0.maximumStreamedPixelCount, $0.maximumPixelCount) = (76_800, 76_800) }
            )
            #expect(exact?.code == nil, "\(name)")
            let edge = try await Self.failure(data, limits: AnalysisLimits { $0.maximumEdge = 319 })
            #expect(edge?.code == .limitExceeded, "\(name)")
            let bytes = try await Self.failure(data, limits: AnalysisLimits { $0.maximumByteCount = data.count - 1 })
            #expect(bytes?.code == .limitExceeded, "\(name)")
        }
    }

    @Test("Randomly changed files give a verdict or a reason, and the decoder goes on")
    func randomChanges() async throws {
        var random = SystemRandomNumberGenerator()
        for name in Self.plainFiles {
            for _ in 0..<8 {
                var data = try Self.plain(name)
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let failure = try await Self.failure(data)
                let expected: [AnalysisFailure.Code?] = [
                    nil, .malformedMedia, .unsupportedMedia, .ambiguousMedia, .limitExceeded, .decoderFailed, .timedOut,
                ]
                #expect(expected.contains(failure?.code), "\(name): \(String(describing: failure))")
            }
        }
        #expect(try await Self.failure(Self.plain("plain.jpg"))?.code == nil)
    }
}
