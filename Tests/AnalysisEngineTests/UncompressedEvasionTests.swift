// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Uncompressed files of which a viewer shows another rendering")
struct UncompressedEvasionTests {
    private static let (width, height) = (160, 120)

    /// Returns the test pattern as grey levels.
    private static func pattern() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("evasions/pattern.grey")))
    }

    private static func outcome(of content: [UInt8]) async throws -> String {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture")
            try Data(content).write(to: file)
            return try await RegressionTests.outcome(of: file)
        }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    // MARK: BMP

    private static func bmp(header size: Int, masks: Bool, _ pixels: [UInt8]) -> [UInt8] {
        var header = little(size, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(32, 2)
        header += little(masks ? 3 : 0, 4) + little(pixels.count, 4) + [UInt8](repeating: 0, count: 16)
        if masks { header += little(0xFF0000, 4) + little(0xFF00, 4) + little(0xFF, 4) + little(0xFF00_0000, 4) }
        header += [UInt8](repeating: 0, count: max(0, size - header.count))
        let start = 14 + header.count
        return Array("BM".utf8) + little(start + pixels.count, 4) + little(0, 4) + little(start, 4) + header + pixels
    }

    @Test("A pattern in the fourth byte of BMP pixels is judged, by every header", arguments: [40, 56, 108, 124])
    func fourthByte(header: Int) async throws {
        let pixels: [UInt8] = try Self.pattern().flatMap { [0, 0, 0, $0] as [UInt8] }
        #expect(try await Self.outcome(of: Self.bmp(header: header, masks: false, pixels)) == "sensitive")
    }

    @Test(arguments: [56, 108, 124])
    func `A pattern in BMP pixels with an opacity of 0 is judged, by every header`(header: Int) async throws {
        let pixels: [UInt8] = try Self.pattern().flatMap { [$0, $0, $0, 0] as [UInt8] }
        for masks in [true, false] {
            #expect(try await Self.outcome(of: Self.bmp(header: header, masks: masks, pixels)) == "sensitive")
        }
    }

    /// An icon with one picture of 32 or 24 bits, and a mask.
    private static func icon(bits: Int, _ pixels: [UInt8], mask: [UInt8]) -> [UInt8] {
        let header = little(40, 4) + little(width, 4) + little(2 * height, 4) + little(1, 2) + little(bits, 2)
        let data = header + little(0, 24) + pixels + mask
        return little(0, 2) + little(1, 2) + little(1, 2) + [UInt8(width), UInt8(height), 0, 0] + little(1, 2)
            + little(bits, 2) + little(data.count, 4) + little(22, 4) + data
    }

    @Test func `A pattern in the mask, the opacity or the colours of an icon is judged`() async throws {
        let pattern = try Self.pattern()
        let mask = stride(from: 0, to: pattern.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | (pattern[start + $1] < 128 ? UInt8(0x80) >> UInt8($1) : 0) }
        }
        let (shown, hidden) = (mask.map { _ in UInt8(0) }, mask.map { _ in UInt8(0xFF) })
        let grey = pattern.map { _ in [99, 99, 99] as [UInt8] }
        let drawn = pattern.map { [$0, $0, $0] as [UInt8] }
        for file in [
            Self.icon(bits: 24, grey.flatMap(\.self), mask: mask),
            Self.icon(bits: 24, drawn.flatMap(\.self), mask: hidden),
            Self.icon(bits: 32, drawn.flatMap { $0 + [0] }, mask: shown),
            Self.icon(bits: 32, grey.flatMap { $0 + [255] }, mask: mask),
            Self.icon(bits: 32, zip(grey, pattern).flatMap { $0 + [$1] }, mask: shown),
        ] {
            #expect(try await Self.outcome(of: file) == "sensitive")
        }
        let harmless = Self.icon(bits: 32, grey.flatMap { $0 + [255] }, mask: shown)
        #expect(try await Self.outcome(of: harmless) == "notSensitive")
    }

    // MARK: TGA

    private static func targa(depth: UInt8 = 32, _ pixels: [UInt8]) -> [UInt8] {
        [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [depth, 0x20] + pixels
    }

    @Test func `A pattern in the colours, the opacity or the small copy of a TGA picture is judged`() async throws {
        let pattern = try Self.pattern()
        let plain: [UInt8] = pattern.flatMap { _ in [99, 99, 99] as [UInt8] }
        let stamp = Self.targa(depth: 24, plain)
        var areas = [UInt8](repeating: 0, count: 495)
        areas.replaceSubrange(486..<490, with: Self.little(stamp.count, 4))
        let copy = [UInt8(Self.width), UInt8(Self.height)] + pattern.flatMap { [$0, $0, $0] as [UInt8] }
        let footer = Self.little(stamp.count + copy.count, 4) + Self.little(0, 4) + Array("TRUEVISION-XFILE.\0".utf8)
        for file in [
            Self.targa(pattern.flatMap { [$0, $0, $0, 0] as [UInt8] }),
            Self.targa(pattern.flatMap { [0, 0, 0, $0] as [UInt8] }), stamp + copy + areas + footer,
        ] {
            #expect(try await Self.outcome(of: file) == "sensitive")
        }
        #expect(try await Self.outcome(of: stamp) == "notSensitive")
    }

    @Test("A pattern in bits of BMP pixels of which three masks say nothing is judged", arguments: [40, 52])
    func unnamedBits(headerSize: Int) async throws {
        let pixels: [UInt8] = try Self.pattern().flatMap { [0, 0, 0, $0] as [UInt8] }
        // The masks are a part of the larger header, and follow the smaller header.
        var file = Self.bmp(header: headerSize, masks: true, pixels)
        file.removeSubrange((14 + 52)..<(14 + 56))
        file.replaceSubrange(10..<14, with: Self.little(14 + 52, 4))
        #expect(try await Self.outcome(of: file) == "sensitive")
    }

    /// A BMP file with eight bits a pixel and a palette of 256 grey levels, which claims any number of colours.
    private static func indexed(claimedColours: Int, _ pixels: [UInt8]) -> [UInt8] {
        var header = little(40, 4) + little(width, 4) + little(height, 4)
        header += little(1, 2) + little(8, 2) + little(0, 4) + little(pixels.count, 4)
        header += little(0, 8) + little(claimedColours, 4) + little(0, 4)
        let palette = (UInt8.min...UInt8.max).flatMap { (level: UInt8) -> [UInt8] in [level, level, level, 0] }
        let start = 14 + header.count + palette.count
        var file = Array("BM".utf8) + little(start + pixels.count, 4)
        file += little(0, 4) + little(start, 4) + header + palette
        return file + pixels
    }

    @Test(
        "A BMP file that claims more colours than its depth has is judged by those that it has",
        arguments: [0, 256, 257, 65_536, 0xFFFF_FFFF])
    func claimedColours(count: Int) async throws {
        let file = Self.indexed(claimedColours: count, try Self.pattern())
        #expect(try await Self.outcome(of: file) == "sensitive")
    }

    /// A BMP file with the given header fields and the given bytes behind the header; by default all pixels are 0.
    private static func bmp(
        bits: Int, method: Int = 0, used: Int = 0, behindHeader: [UInt8], gap: Int = 0, data: [UInt8]? = nil
    ) -> [UInt8] {
        let pixels = data ?? [UInt8](repeating: 0, count: (width * bits + 31) / 32 * 4 * height)
        let size = pixels.count
        let header =
            little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2) + little(method, 4)
            + little(size, 4) + little(0, 8) + little(used, 4) + little(0, 4)
        let start = 14 + header.count + behindHeader.count + gap
        let rest = [UInt8](repeating: 0, count: gap) + pixels
        return Array("BM".utf8) + little(start + size, 4) + little(0, 4) + little(start, 4) + header + behindHeader
            + rest
    }

    @Test(
        "BMP masks that are no parts of a pixel are ambiguous",
        arguments: [
            ([0, 0, 0], false), ([0x800001, 0x400000, 0x200000], false), ([0xFF0000, 0xFF00, 0x1FF], false),
            ([0xFF0000, 0, 0xFF], false), ([0xFF0000, 0xFF00, 0xFF], true), ([0x3FF0_0000, 0xFFC00, 0x3FF], true),
        ])
    func masks(masks: [Int], isJudged: Bool) async throws {
        let file = Self.bmp(bits: 32, method: 3, behindHeader: masks.flatMap { Self.little($0, 4) })
        #expect(try await Self.outcome(of: file) == (isJudged ? "notSensitive" : "ambiguousMedia"))
    }

    @Test("A BMP palette that Pillow leaves out, or reads in three bytes a colour, is ambiguous")
    func palettes() async throws {
        func colours(_ levels: [UInt8]) -> [UInt8] { levels.flatMap { [$0, $0, $0, 0] } }
        let numbers = colours(Array(0..<16))
        for (bits, used, palette, isJudged) in [
            (8, 2, colours([0, 255]), false), (4, 2, colours([0, 255]), false), (1, 2, colours([0, 255]), true),
            (4, 2, colours([0, 254]), true), (4, 0, numbers, false), (4, 16, numbers, false), (4, 300, numbers, false),
            (4, 3, colours([0, 1, 2]), false), (4, 3, colours([0, 1, 3]), true), (1, 1, colours([0]), false),
            (4, 16, Array(colours(Array(100..<116)).dropLast(16)), false),
        ] as [(Int, Int, [UInt8], Bool)] {
            let outcome = try await Self.outcome(of: Self.bmp(bits: bits, used: used, behindHeader: palette))
            #expect(outcome == (isJudged ? "notSensitive" : "ambiguousMedia"), "\(bits) \(used) \(palette)")
        }
    }

    @Test(arguments: [(8, 1), (4, 2)], [0, 1, 2])
    func `Run lengths of a BMP that go beyond their row are ambiguous, whatever follows them`(
        depth: (bits: Int, method: Int), excess: Int
    ) async throws {
        let palette = (0..<(1 << depth.bits)).flatMap { number -> [UInt8] in
            [UInt8](repeating: UInt8(depth.bits == 8 ? number : 15 * number), count: 3) + [0]
        }
        // A row has 160 pixels: 150, and then a run, a literal run or a jump that ends `excess` pixels behind the row.
        let rest = UInt8(10 + excess)
        let literal = [0, rest] + [UInt8](repeating: 1, count: depth.bits == 8 ? (11 + excess) / 2 * 2 : 6)
        for last in [[rest, 1], literal, [0, 2, rest, 0]] as [[UInt8]] {
            for end in [[0, 0], [5, 1, 0, 0]] as [[UInt8]] {
                let rows =
                    [[150, 1], last, excess == 0 ? [0, 0] : end] + [[UInt8]](repeating: [160, 2, 0, 0], count: 119)
                let file = Self.bmp(
                    bits: depth.bits, method: depth.method, behindHeader: palette, data: Array(rows.joined()) + [0, 1])
                let outcome = try await Self.outcome(of: file)
                #expect(outcome == (excess == 0 ? "notSensitive" : "ambiguousMedia"), "\(last), \(end)")
            }
        }
    }

    // MARK: TIFF

    @Test("A TIFF predictor without its compression is ambiguous", arguments: ["II", "MM"], [(1, false), (2, true)])
    func predictor(order: String, predictor: (number: Int, isAmbiguous: Bool)) async throws {
        let pixels = [UInt8](repeating: 128, count: Self.width * Self.height)
        let file = Self.tiff(order, samples: 1, extra: nil, more: [(317, predictor.number)], pixels)
        #expect(try await Self.outcome(of: file) == (predictor.isAmbiguous ? "ambiguousMedia" : "notSensitive"))
    }

    private static func tiff(
        _ order: String, samples: Int, extra: Int?, more: [(Int, Int)] = [], compression: Int = 1, _ pixels: [UInt8]
    ) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            order == "II" ? little(value, count) : little(value, count).reversed()
        }
        var entries = [
            (256, width), (257, height), (258, 8), (259, compression), (262, samples > 2 ? 2 : 1), (273, 8),
            (277, samples),
            (278, height), (279, pixels.count),
        ]
        if let extra { entries.append((338, extra)) }
        entries += more
        let bits = 8 + pixels.count
        let start = bits + 2 * samples
        var file = Array(order.utf8) + number(42, 2) + number(start, 4) + pixels
        for _ in 0..<samples { file += number(8, 2) }
        file += number(entries.count, 2)
        for (tag, value) in entries {
            // Tag 258 has a value for each sample. Two values fit into the entry; three or four lie behind the pixels.
            guard tag == 258, samples > 1 else {
                file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
                continue
            }
            file += number(tag, 2) + number(3, 2) + number(samples, 4)
            file += samples == 2 ? number(8, 2) + number(8, 2) : number(bits, 4)
        }
        return file + number(0, 4)
    }

    @Test(
        "A pattern beside a further sample of 0 in a TIFF file is judged, whatever the sample means",
        arguments: ["II", "MM"], [nil, 0, 1, 2])
    func furtherSample(order: String, extra: Int?) async throws {
        let pattern = try Self.pattern()
        let colours = Self.tiff(order, samples: 4, extra: extra, pattern.flatMap { [$0, $0, $0, 0] as [UInt8] })
        #expect(try await Self.outcome(of: colours) == "sensitive")
        let grey = Self.tiff(order, samples: 2, extra: extra, pattern.flatMap { [$0, 0] as [UInt8] })
        #expect(try await Self.outcome(of: grey) == "sensitive")
    }

    /// Returns bytes in a zlib stream with one uncompressed block.
    ///
    /// Source: RFC 1950 and RFC 1951, section 3.2.4.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (sum, sums) = (1, 0)
        for byte in bytes {
            sum = (sum + Int(byte)) % 65_521
            sums = (sums + sum) % 65_521
        }
        let check = little(sums << 16 | sum, 4).reversed()
        return [0x78, 0x01, 0x01] + little(bytes.count, 2) + little(~bytes.count & 0xFFFF, 2) + bytes + check
    }

    @Test("Deflated TIFF data that do not end as they should are damaged", arguments: [8, 32_946])
    func deflated(compression: Int) async throws {
        let pixels = [UInt8](repeating: 128, count: Self.width * Self.height)
        let whole = Self.stored(pixels)
        func outcome(_ data: [UInt8]) async throws -> String {
            try await Self.outcome(of: Self.tiff("II", samples: 1, extra: nil, compression: compression, data))
        }
        #expect(try await outcome(whole) == "notSensitive")
        #expect(try await outcome(whole + [1, 2, 3]) == "notSensitive")
        #expect(try await outcome(Array(whole.dropLast()) + [whole[whole.count - 1] ^ 1]) == "malformedMedia")
        #expect(try await outcome(Array(whole.dropLast(4))) == "malformedMedia")
        #expect(try await outcome(Self.stored(pixels + [0])) == "malformedMedia")
        // libtiff with libdeflate shows no pixel of such a strip, so the pattern would count as harmless.
        #expect(try await outcome(Self.stored(try Self.pattern() + [0])) == "malformedMedia")
    }

    @Test(arguments: ["II", "MM"])
    func `A TIFF directory with strips and tiles is unknown, since programs read either`(order: String) async throws {
        let file = Self.tiff(
            order, samples: 1, extra: nil, more: [(322, 160), (323, 128), (324, 8), (325, 20_480)],
            try Self.pattern() + [UInt8](repeating: 128, count: 160 * 8))
        #expect(try await Self.outcome(of: file) == "ambiguousMedia")
    }
}
