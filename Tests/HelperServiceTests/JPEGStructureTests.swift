// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import HelperService
import Testing

@Suite("The structure of a JPEG file")
struct JPEGStructureTests {
    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    private static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
    private static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0x34, 0xFF, 0xD9]

    private static func adobe(_ transform: UInt8) -> [UInt8] {
        segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    }

    /// A frame header with the names of its components, of which the first is sampled as given and the others once.
    private static func frame(_ names: [UInt8], sampling: UInt8 = 0x11) -> [UInt8] {
        let components: [UInt8] = names.enumerated().flatMap { index, name -> [UInt8] in
            [name, index == 0 ? sampling : 0x11, 0]
        }
        return segment(0xC0, [8, 0, 16, 0, 16, UInt8(names.count)] + components)
    }

    private static func structure(_ parts: [[UInt8]]) throws -> JPEGStructure {
        try JPEGStructure(InputFile(SealedMemory.copying([0xFF, 0xD8] + parts.joined()).descriptor))
    }

    private static let numbers: [UInt8] = [1, 2, 3]
    private static let rgb = Array("RGB".utf8)
    private static let cmyk = Array("CMYK".utf8)

    @Test(
        "Colours about which all programs agree are accepted",
        arguments: [
            [jfif, frame(numbers, sampling: 0x22)], [frame(numbers, sampling: 0x22)], [frame([1])],
            [jfif, adobe(1), frame(numbers, sampling: 0x21)], [adobe(1), frame(numbers)], [adobe(0), frame(numbers)],
            [adobe(0), frame(rgb)], [adobe(0), frame(cmyk)], [adobe(0), frame([1, 2, 3, 4], sampling: 0x22)],
            [adobe(2), frame([1, 2, 3, 4], sampling: 0x22)],
        ])
    func agreed(parts: [[UInt8]]) throws {
        #expect(try Self.structure(parts + [Self.scan]).pictures == [0])
    }

    @Test(
        "Colours that programs read differently are ambiguous",
        arguments: [
            [adobe(0), frame(numbers, sampling: 0x22)], [jfif, adobe(0), frame(numbers)], [adobe(1), frame(rgb)],
            [frame(rgb)], [jfif, frame(rgb)], [frame([1, 2, 3, 4])], [adobe(1), frame([1, 2, 3, 4])],
            [adobe(2), frame(cmyk)], [frame(numbers), adobe(0)], [frame(numbers), jfif], [frame(cmyk), adobe(2)],
            [segment(0xEE, Array("Adobe\0d\0\0\0\0".utf8)), frame(numbers)],
        ])
    func ambiguous(parts: [[UInt8]]) {
        #expect {
            try Self.structure(parts + [Self.scan])
        } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
    }

    @Test("Pictures and a video behind the first picture are found")
    func behind() throws {
        let picture = [0xFF, 0xD8] + Self.jfif + Self.frame(Self.numbers) + Self.scan
        let video = [0, 0, 0, 12] + Array("ftypisom".utf8) + [0, 0, 0, 8] + Array("moov".utf8)
        let size = picture.count
        let first = Array(picture.dropFirst(2))
        let alone = try Self.structure([first])
        #expect(alone.pictures == [0] && alone.video == nil)
        let both = try Self.structure([first, picture, [9, 9], video])
        #expect(both.pictures == [0, size] && both.video == 2 * size + 2)
        let behindVideo = try Self.structure([first, video, picture])
        #expect(behindVideo.pictures == [0, size + video.count] && behindVideo.video == size)
    }

    @Test("A second frame in a picture is ambiguous, and one without a start behind the end is no picture")
    func secondFrame() throws {
        let start = Self.jfif + Self.frame(Self.numbers) + Self.scan.dropLast(2)
        let end: [UInt8] = [0xFF, 0xD9]
        let rest = Self.frame(Self.numbers) + Self.scan
        let picture = [0xFF, 0xD8] + start
        for parts in [[start, rest], [start, end, picture, rest]] {
            #expect {
                try Self.structure(parts)
            } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
        }
        #expect(try Self.structure([start, end, rest]).pictures == [0])
        #expect(try Self.structure([start, end, picture, end, rest]).pictures == [0, 4 + start.count])
    }

    @Test("Two videos behind a picture, and a movie outside of the video, are ambiguous")
    func severalVideos() {
        let picture = Self.jfif + Self.frame(Self.numbers) + Self.scan
        let video = [0, 0, 0, 12] + Array("ftypisom".utf8)
        let movie = [0, 0, 0, 8] + Array("moov".utf8)
        for parts in [[video, video], [movie], [movie, video], [video, movie, movie]] {
            #expect {
                try Self.structure([picture] + parts)
            } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
        }
    }
}
