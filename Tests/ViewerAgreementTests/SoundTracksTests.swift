// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Tracks of sound in MP4 files")
struct SoundTracksTests {
    private static func box(_ name: String, _ content: [UInt8]..., is64Bit: Bool = false) -> [UInt8] {
        let content = Array(content.joined())
        let length = content.count + (is64Bit ? 16 : 8)
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ((count - 1 - $0) * 8)) }
        }
        return is64Bit
            ? bytes(1, 4) + Array(name.utf8) + bytes(length, 8) + content
            : bytes(length, 4) + Array(name.utf8) + content
    }

    private static func handler(_ kind: String) -> [UInt8] {
        box("hdlr", [UInt8](repeating: 0, count: 8) + Array(kind.utf8))
    }

    private static func track(_ parts: [UInt8]...) -> [UInt8] { box("trak", box("tkhd", [0]), Array(parts.joined())) }

    /// A sample table with descriptions in these formats.
    private static func table(_ formats: String...) -> [UInt8] {
        descriptions(UInt8(formats.count), formats, length: 28)
    }

    /// A sample table that claims `count` descriptions, each with `length` bytes of content.
    private static func descriptions(_ count: UInt8, _ formats: [String], length: Int) -> [UInt8] {
        let boxes = formats.flatMap { box($0, [UInt8](repeating: 1, count: length)) }
        return box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, count] + boxes))
    }

    /// The handler of QuickTime's data references, which does not state the kind of media.
    private static let dataHandler = box("hdlr", [0, 0, 0, 0] + Array("dhlrurl ".utf8))
    private static let soundHeader = box("minf", box("smhd", [0, 0]), dataHandler, table("mp4a"))
    private static let sound = track(box("mdia", box("mdhd", [1, 2]), handler("soun"), soundHeader))
    private static let pictures = track(box("mdia", handler("vide"), box("minf", box("vmhd", [0]), box("stbl"))))
    private static let start = box("ftyp", Array("isom".utf8)) + box("free")

    private static func positions(_ bytes: [UInt8]) throws -> [Int] {
        try MovieStructure(InputFile(SealedMemory.copying(bytes).descriptor), isMovie: true).soundTracks.map(Int.init)
    }

    /// The positions of a word, found without a parser.
    private static func places(_ word: String, in bytes: [UInt8]) -> [Int] {
        bytes.indices.filter { bytes[$0...].starts(with: word.utf8) }
    }

    @Test("The names of the boxes of sound tracks are found, and those of picture tracks left alone")
    func found() throws {
        let file = Self.start + Self.box("moov", Self.sound, Self.pictures, Self.sound)
        let places = Self.places("trak", in: file)
        #expect(places.count == 3)
        #expect(try Self.positions(file) == [places[0], places[2]])
    }

    @Test("Sound tracks are found in boxes with 64-bit sizes, and in a movie that reaches to the end of the file")
    func sizes() throws {
        let media = Self.box("mdia", Self.handler("soun"), Self.soundHeader, is64Bit: true)
        let wide = Self.start + Self.box("moov", Self.box("trak", media, is64Bit: true), is64Bit: true)
        #expect(try Self.positions(wide) == Self.places("trak", in: wide))
        var open = Self.start + Self.box("moov", Self.sound)
        open.replaceSubrange(Self.start.count..<(Self.start.count + 4), with: [0, 0, 0, 0])
        #expect(try Self.positions(open) == Self.places("trak", in: open))
    }

    private static let ambiguous: [[UInt8]] = [
        track(), track(box("mdia")), track(box("mdia", handler("soun"))), track(box("mdia", soundHeader)),
        track(box("mdia", handler("vide"), soundHeader)), track(box("mdia", handler("SOUN"), soundHeader)),
        track(box("mdia", handler("soun"), handler("vide"), soundHeader)),
        track(box("mdia", handler("soun"), handler("soun"), soundHeader)),
        track(box("mdia", handler("soun"), soundHeader, soundHeader)),
        track(box("mdia", handler("soun"), box("minf", table("mp4a")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), box("vmhd"), table("mp4a")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), box("stbl")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table()))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table("avc1")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table("mp4a", "avc1")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table("mp4a"), table("mp4a")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table("mp4a"), box("junk", handler("vide"))))),
        track(box("mdia", handler("soun"), soundHeader), box("mdia", handler("vide"))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), table("raw ")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), box("nmhd"), table("mp4a")))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), box("gmhd"), table("mp4a")))),
        track(box("mdia", soundHeader, handler("soun"))),
        // More or fewer descriptions than the table claims, and descriptions that are too short.
        track(box("mdia", handler("soun"), box("minf", box("smhd"), descriptions(2, ["mp4a"], length: 28)))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), descriptions(1, ["mp4a", "mp4a"], length: 28)))),
        track(box("mdia", handler("soun"), box("minf", box("smhd"), descriptions(2, ["mp4a", "mp4a"], length: 8)))),
        track(box("mdia", box("hdlr", Array("01234567sou".utf8)), soundHeader)),
        track(box("mdia", box("hdlr", Array("soun".utf8)), soundHeader)),
    ]

    @Test("A track that does not say once and nowhere otherwise that it is sound is left alone", arguments: ambiguous)
    func leftAlone(track: [UInt8]) throws {
        #expect(try Self.positions(Self.start + Self.box("moov", track)) == [])
    }

    /// A track of uncompressed samples, with bytes 16 to 27 of its description.
    private static func uncompressed(_ fields: [UInt8]) -> [UInt8] {
        let description = box("raw ", [UInt8](repeating: 0, count: 16) + fields)
        let table = box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + description))
        return track(box("mdia", handler("soun"), box("minf", box("smhd"), table)))
    }

    @Test("Uncompressed sound of cameras is found, unless its description could be of a picture with pixels")
    func uncompressedSound() throws {
        // One channel of 8 bits with 8,000 samples a second.
        let fields: [UInt8] = [0, 1, 0, 8, 0, 0, 0, 0, 0x1F, 0x40, 0, 0]
        let file = Self.start + Self.box("moov", Self.uncompressed(fields))
        #expect(try Self.positions(file) == Self.places("trak", in: file))
        // A height, no rate, no or many channels, 16 bits.
        for (index, value) in [(11, 1), (10, 1), (8, 0), (1, 0), (1, 3), (0, 1), (3, 16), (2, 1)] as [(Int, UInt8)] {
            var other = fields
            other[index] = value
            if index == 8 { other[9] = 0 }
            #expect(try Self.positions(Self.start + Self.box("moov", Self.uncompressed(other))) == [], "\(index)")
        }
    }

    @Test("A track with a second handler of pictures anywhere in it is left alone")
    func secondHandler() throws {
        // FFmpeg obeys the last handler, so it reads this track as a track of pictures.
        let information = Self.box("minf", Self.box("smhd"), Self.handler("vide"), Self.table("mp4a"))
        let inner = Self.track(Self.box("mdia", Self.handler("soun"), information))
        let outer = Self.track(Self.handler("vide"), Self.box("mdia", Self.handler("soun"), Self.soundHeader))
        let user = Self.box("udta", Self.handler("vide"))
        let nested = Self.track(Self.box("mdia", Self.handler("soun"), user, Self.soundHeader))
        for track in [inner, outer, nested] {
            #expect(try Self.positions(Self.start + Self.box("moov", track)) == [])
        }
    }

    @Test("A track of sound that has another track, a fragment or a cover in it is left alone")
    func more() throws {
        // FFmpeg reads a track anywhere in a movie, and takes a track without a handler by the format of its samples.
        let track = Self.track(Self.box("mdia", Self.box("minf", Self.table("avc1"))))
        let cover = Self.box("ilst", Self.box("covr", Self.box("data")))
        let metadata = Self.box("meta", [0, 0, 0, 0], Self.handler("mdir"), cover)
        let media = Self.box("mdia", Self.handler("soun"), Self.soundHeader)
        for hidden in [Self.box("moov", track), track, cover, metadata, Self.box("moof", Self.box("traf"))] {
            for part in [hidden, Self.box("udta", hidden), Self.box("junk", [1, 2, 3], hidden)] {
                #expect(try Self.positions(Self.start + Self.box("moov", Self.track(media, part))) == [])
                #expect(try Self.positions(Self.start + Self.box("moov", Self.track(part, media))) == [])
            }
        }
        // Many files have names and references of tracks.
        let name = Self.box("udta", Self.box("name", Array("Stereo".utf8)))
        let file = Self.start + Self.box("moov", Self.track(Self.box("edts", Self.box("elst", [0])), media, name))
        #expect(try Self.positions(file) == Self.places("trak", in: file))
    }

    @Test("A track of sound in which something is not whole is left alone")
    func notWhole() throws {
        let media = Self.box("mdia", Self.handler("soun"), Self.soundHeader)
        for part in [[0, 0, 0, 9] + Array("free".utf8), [0, 0, 0, 4] + Array("free".utf8)] as [[UInt8]] {
            #expect(try Self.positions(Self.start + Self.box("moov", Self.track(media, part))) == [])
        }
    }

    @Test("No track is hidden in a movie that announces fragments")
    func fragments() throws {
        #expect(try Self.positions(Self.start + Self.box("moov", Self.sound, Self.box("mvex"))) == [])
        #expect(try Self.positions(Self.start + Self.box("moov", Self.box("mvex"), Self.sound)) == [])
    }

    @Test("64 sound tracks are found, and a file with 65 tracks is refused")
    func trackCount() throws {
        func file(_ count: Int) -> [UInt8] {
            Self.start + Self.box("moov", Array((0..<count).flatMap { _ in Self.sound }))
        }
        #expect(try Self.positions(file(64)).count == 64)
        let failure = #expect(throws: DecodingFailure.self) { try Self.positions(file(65)) }
        #expect(failure?.reason == .tooManyParts)
    }

    @Test("No track is hidden in a file that ends within its movie, wherever it ends")
    func truncation() throws {
        for movie in [Self.box("moov", Self.pictures, Self.sound), Self.box("moov", Self.sound, Self.pictures)] {
            let file = Self.start + movie
            for count in 1..<file.count { #expect(try Self.positions(Array(file.prefix(count))) == []) }
            #expect(try Self.positions(file).count == 1)
        }
    }

    @Test("No change of one byte has the track of pictures hidden, or names a place without a track")
    func changes() throws {
        let file = Self.start + Self.box("moov", Self.pictures, Self.sound)
        let pictures = Self.places("trak", in: file)[0]
        for index in file.indices {
            for value in [0, 1, 7, 8, 0x7F, 0xFF] as [UInt8] {
                var changed = file
                changed[index] = value
                let found = try Self.positions(changed)
                #expect(!found.contains(pictures) && Set(found).isSubset(of: Self.places("trak", in: changed)))
            }
        }
    }
}
