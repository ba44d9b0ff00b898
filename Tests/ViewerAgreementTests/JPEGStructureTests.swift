// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

@testable import ViewerAgreement

@Suite("The structure of a JPEG file")
struct JPEGStructureTests {
    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    private static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
    private static let end: [UInt8] = [0xFF, 0xD9]

    /// A scan of the components with these names, and some data.
    private static func scan(_ names: [UInt8], coefficients: ClosedRange<UInt8> = 0...63, bits: UInt8 = 0) -> [UInt8] {
        segment(
            0xDA,
            [UInt8(names.count)] + names.flatMap { [$0, 0] } + [coefficients.lowerBound, coefficients.upperBound, bits])
            + [0x12, 0x34]
    }

    private static func adobe(_ transform: UInt8) -> [UInt8] {
        segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    }

    /// A frame header of named components: the first has these sampling factors, and the others have 1 × 1.
    private static func frame(_ names: [UInt8], sampling: UInt8 = 0x11, marker: UInt8 = 0xC0) -> [UInt8] {
        let components: [UInt8] = names.enumerated().flatMap { index, name -> [UInt8] in
            [name, index == 0 ? sampling : 0x11, 0]
        }
        return segment(marker, [8, 0, 16, 0, 16, UInt8(names.count)] + components)
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
            ([jfif, frame(numbers, sampling: 0x22)], numbers), ([frame(numbers, sampling: 0x22)], numbers),
            ([frame([1])], [1]), ([jfif, adobe(1), frame(numbers, sampling: 0x21)], numbers),
            ([adobe(1), frame(numbers)], numbers), ([adobe(0), frame(numbers)], numbers),
            ([adobe(0), frame(rgb)], rgb), ([adobe(0), frame(cmyk)], cmyk),
            ([adobe(0), frame([1, 2, 3, 4], sampling: 0x22)], [1, 2, 3, 4]),
            ([adobe(2), frame([1, 2, 3, 4], sampling: 0x22)], [1, 2, 3, 4]),
            // Photoshop writes such a segment, which FFmpeg leaves out because of its name.
            ([adobe(1), segment(0xED, Array("Adobe_CM".utf8) + [0, 2, 0, 0, 0]), frame(numbers)], numbers),
        ])
    func agreed(parts: [[UInt8]], names: [UInt8]) throws {
        #expect(try Self.structure(parts + [Self.scan(names), Self.end]).pictures == [0])
    }

    @Test(
        "Colours that programs read differently are ambiguous",
        arguments: [
            [adobe(0), frame(numbers, sampling: 0x22)], [jfif, adobe(0), frame(numbers)], [adobe(1), frame(rgb)],
            [frame(rgb)], [jfif, frame(rgb)], [frame([1, 2, 3, 4])], [adobe(1), frame([1, 2, 3, 4])],
            [adobe(2), frame(cmyk)], [frame(numbers), adobe(0)], [frame(numbers), jfif], [frame(cmyk), adobe(2)],
            [segment(0xEE, Array("Adobe\0d\0\0\0\0".utf8)), frame(numbers)],
            // Two components with the same name, and sampling factors above two.
            [jfif, frame([1, 1, 1])], [jfif, frame([1, 2, 1])], [jfif, frame(numbers, sampling: 0x41)],
            [jfif, frame(numbers, sampling: 0x14)], [jfif, frame(numbers, sampling: 0x31)],
            // FFmpeg obeys these comments.
            [jfif, segment(0xFE, Array("CS=ITU601".utf8)), frame(numbers)],
            [segment(0xFE, Array("AVID".utf8)), frame([1])],
        ])
    func ambiguous(parts: [[UInt8]]) {
        #expect {
            try Self.structure(parts + [Self.scan(Self.numbers), Self.end])
        } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
    }

    @Test(
        "Scans of which all programs show the same are accepted",
        arguments: [
            [frame(numbers), scan(numbers)], [frame(numbers), scan([1]), scan([2]), scan([3])],
            [frame(numbers), scan([1, 2]), segment(0xC4, [0]), scan([3])], progressive,
        ])
    func scans(parts: [[UInt8]]) throws {
        #expect(try Self.structure(parts + [Self.end]).pictures == [0])
    }

    @Test(
        "Scans that are missing or come twice, and segments behind the first scan, are ambiguous",
        arguments: [
            [frame(numbers), scan([1])], [frame(numbers), scan([1, 2])],
            [frame(numbers), scan(numbers), scan(numbers)],
            [frame(numbers), scan(numbers), scan([1])], [frame([1]), scan([1]), scan([1])],
            [frame(numbers), scan(numbers), segment(0xDB, [0])], [frame(numbers), scan(numbers), adobe(1)],
            [frame(numbers), scan(numbers), segment(0xFE, Array("CS=ITU601".utf8))],
            Array(progressive.dropLast()), Array(progressive.prefix(2)), progressive + [segment(0xDB, [0])],
            progressive.filter { $0 != refinement },
        ])
    func ambiguousScans(parts: [[UInt8]]) {
        // The structure is also ambiguous in a second picture of the file.
        let first = Self.frame([1]) + Self.scan([1]) + Self.end
        for parts in [parts, [first, [0xFF, 0xD8]] + parts] {
            #expect {
                try Self.structure(parts + [Self.end])
            } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
        }
    }

    private static let refinement = scan([1, 2], coefficients: 0...0, bits: 0x10)
    private static let progressive = [
        frame([1, 2], marker: 0xC2), scan([1, 2], coefficients: 0...0, bits: 1),
        scan([1], coefficients: 1...63), refinement, scan([2], coefficients: 1...63),
    ]

    @Test("Pictures and a video behind the first picture are found")
    func behind() throws {
        let picture = [0xFF, 0xD8] + Self.jfif + Self.frame(Self.numbers) + Self.scan(Self.numbers) + Self.end
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
        let start = Self.jfif + Self.frame(Self.numbers) + Self.scan(Self.numbers)
        let end = Self.end
        let rest = Self.frame(Self.numbers) + Self.scan(Self.numbers) + Self.end
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
        let picture = Self.jfif + Self.frame(Self.numbers) + Self.scan(Self.numbers) + Self.end
        let video = [0, 0, 0, 12] + Array("ftypisom".utf8)
        let movie = [0, 0, 0, 8] + Array("moov".utf8)
        for parts in [[video, video], [movie], [movie, video], [video, movie, movie]] {
            #expect {
                try Self.structure([picture] + parts)
            } throws: { ($0 as? DecodingFailure)?.reason == .ambiguousRendering }
        }
    }
}

@Suite("The places in a JPEG file at which anything may begin")
struct JPEGSearchTests {
    @Test("Possible beginnings in a JPEG file are found wherever they lie, and coded data has none")
    func offsets() {
        let words: [([UInt8], Bool)] = [
            ([0xFF, 0xC0], true), ([0xFF, 0xFF], true), ([0xFF, 0], false), ([0xFF, 0xD3], false),
            ([0xFF, 0xD8], true), (Array("ft".utf8), true), (Array("mo".utf8), true), (Array("fm".utf8), false),
        ]
        for (word, isFound) in words {
            for place in 0..<200 {
                var bytes = [UInt8](repeating: 1, count: 201)
                bytes.replaceSubrange(place..<(place + word.count), with: word)
                bytes.append(1)
                // The second of two 0xFF bytes may also begin a marker.
                let second = word == [0xFF, 0xFF] ? [place + 1] : []
                #expect(JPEGSearch.offsets(in: bytes) == (isFound ? [place] + second : []), "\(word) at \(place)")
            }
        }
        #expect(JPEGSearch.offsets(in: [0xFF]).isEmpty && JPEGSearch.offsets(in: []).isEmpty)
    }
}
