// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of a JPEG 2000 file")
struct JPEG2000StructureTests {
    private typealias Bytes = [UInt8]

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(8 + content.count)] + Array(name.utf8) + content
    }

    private static func part(tile: UInt8 = 0, number: UInt8 = 0, size: UInt8 = 14) -> [UInt8] {
        [0xFF, 0x90, 0, 10, 0, tile, 0, 0, 0, size, number, 1, 0xFF, 0x93]
    }

    /// A codestream of 2 × 2 pixels with one tile, without data.
    private static func stream(
        depths: [UInt8] = [7, 7, 7], distance: UInt8 = 1, segments: [UInt8] = [0x52, 0x5C], parts: [UInt8] = part(),
        end: [UInt8] = [0xFF, 0xD9]
    ) -> [UInt8] {
        let size: [UInt8] = [2, 2, 0, 0, 2, 2, 0, 0].flatMap { [0, 0, 0, $0] as [UInt8] }
        let head: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, UInt8(38 + 3 * depths.count), 0, 0] + size
        return head + [0, UInt8(depths.count)] + depths.flatMap { [$0, distance, 1] }
            + segments.flatMap { [0xFF, $0, 0, 12] + [UInt8](repeating: 0, count: 10) } + parts + end
    }

    private static let sRGB = box("colr", [1, 0, 0, 0, 0, 0, 16])
    private static let profile = box("colr", [2, 0, 0, 9, 9])

    /// A file of boxes; `header` stands behind the box ihdr.
    private static func file(header: [UInt8] = sRGB, _ stream: [UInt8] = stream(), behind: [UInt8] = []) -> [UInt8] {
        let begin: [UInt8] = [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A] + box("ftyp", Array("jp2 ".utf8))
        return begin + box("jp2h", box("ihdr", [0]) + header) + box("jp2c", stream) + behind
    }

    private static func channels(_ entries: [[UInt8]]) -> [UInt8] {
        box("cdef", [0, UInt8(entries.count)] + entries.flatMap { $0.flatMap { [0, $0] as [UInt8] } })
    }

    private static func outcome(_ bytes: [UInt8]) -> String {
        do {
            _ = try JPEG2000Structure(InputFile(SealedMemory.copying(bytes).descriptor))
            return "judged"
        } catch let failure as DecodingFailure {
            return failure.disagreement?.words ?? "\(failure.reason)"
        } catch {
            return "\(error)"
        }
    }

    private static let colours: [[UInt8]] = [[0, 0, 1], [1, 0, 2], [2, 0, 3]]

    @Test(arguments: [
        stream(), stream(depths: [11]), file(), file(header: profile), file(header: sRGB + channels(colours)),
        file(header: sRGB + channels(colours + [[3, 1, 0]]), stream(depths: [7, 7, 7, 7])),
        file(
            header: box("colr", [1, 0, 0, 0, 0, 0, 17]) + channels([[0, 0, 1], [1, 2, 1]]), stream(depths: [7, 7])),
        file(header: sRGB + box("colr", [4, 0, 0, 1])), file(behind: box("xml ", [1])),
        stream(parts: part() + part(number: 1)), stream(parts: part(size: 0)),
    ])
    func `A plain file is judged`(bytes: [UInt8]) throws {
        #expect(try FormatSniffer.format(of: bytes) == .jpeg2000)
        #expect(Self.outcome(bytes) == "judged")
    }

    @Test(arguments: [
        (file(header: sRGB + box("ihdr", [0])), "two boxes ihdr"),
        (file(behind: box("jp2c", stream())), "two boxes jp2c"),
        (file(behind: box("moov", [0])), "boxes of another format"), (file(header: []), "malformed"),
        (file(header: sRGB + box("what", [])), "boxes of another format"),
        (file(header: profile + profile), "two colour profiles"),
        (file(header: box("colr", [1, 0, 0, 0, 0, 0, 12])), "unsupportedVariant"),
        (file(header: sRGB + box("pclr", [0])), "unsupportedVariant"),
        (
            file(header: sRGB + channels([[0, 0, 3], [1, 0, 2], [2, 0, 1]])),
            "samples in another order, or with a special meaning"
        ),
        (
            file(header: sRGB + channels(colours + [[3, 0, 4]]), stream(depths: [7, 7, 7, 7])),
            "samples in another order, or with a special meaning"
        ),
        (
            file(header: sRGB + channels(Array(colours.dropLast()))),
            "samples in another order, or with a special meaning"
        ),
        (file(stream() + [0]), "inseparablePictures"), (stream() + Array("RIFF".utf8), "inseparablePictures"),
        (stream(depths: [7, 7, 8]), "unsupportedVariant"), (stream(depths: [0x87]), "unsupportedVariant"),
        (stream(distance: 2), "unsupportedVariant"), (stream(depths: [7, 7, 7, 7, 7]), "unsupportedVariant"),
        (stream(segments: [0x52, 0x52, 0x5C]), "a part of its header that is missing or there twice"),
        (stream(segments: [0x52]), "a part of its header that is missing or there twice"),
        (stream(parts: part() + part()), "parts of the picture that are missing, come twice or are out of order"),
        (stream(parts: part(tile: 1)), "parts of the picture that are missing, come twice or are out of order"),
        (stream(parts: []), "malformed"), (stream(end: []), "malformed"),
    ])
    func `A file that programs read differently is unknown`(bytes: [UInt8], expected: String) {
        #expect(Self.outcome(bytes) == expected)
    }

    @Test func `Blocks of high throughput, which OpenJPEG shows as grey, are not supported`() {
        let plain = Self.stream()
        #expect(Self.outcome(plain) == "judged")
        let capability = Self.stream(segments: [0x50, 0x52, 0x5C])
        let component = Self.stream(segments: [0x52, 0x53, 0x5C])
        var high = plain
        // The style of blocks stands twelve bytes behind the marker of the coding.
        high[51 + 12] = 0x40
        var tile = Self.part(size: 19)
        tile.insert(contentsOf: [0xFF, 0x52, 0, 3, 0], at: 12)
        for file in [capability, component, high, Self.stream(parts: tile)] {
            #expect(Self.outcome(file) == "unsupportedVariant")
        }
    }

    @Test func `A size with more tiles than the standard allows is malformed`() {
        var bytes = Self.stream()
        for place in [8, 12] { bytes.replaceSubrange(place..<(place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF]) }
        for place in [24, 28] { bytes.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 1]) }
        #expect(Self.outcome(bytes) == "malformed")
    }

    @Test func `Opacity that colours are multiplied by is told, and so is the profile`() throws {
        func structure(_ bytes: [UInt8]) throws -> JPEG2000Structure {
            try JPEG2000Structure(InputFile(SealedMemory.copying(bytes).descriptor))
        }
        let entries = Self.colours + [[3, 2, 0]]
        let multiplied = Self.file(header: Self.sRGB + Self.channels(entries), Self.stream(depths: [7, 7, 7, 7]))
        #expect(try structure(multiplied).isPremultiplied)
        #expect(try structure(Self.file(header: Self.profile)).profile == [9, 9])
        #expect(try structure(Self.file()).profile == nil)
    }
}
