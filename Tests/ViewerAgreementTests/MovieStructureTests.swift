// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of MP4 files")
struct MovieStructureTests {
    private static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
        let content = Array(content.joined())
        let size = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
    }

    private static func track(_ descriptions: [UInt8], count: UInt8, handler: String = "vide") -> [UInt8] {
        let table = box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, count], descriptions))
        let kind = box("hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8))
        return box("trak", box("mdia", kind, box("minf", box("vmhd"), table)))
    }

    private static let h264 = box("avc1", [UInt8](repeating: 0, count: 78))
    private static let mpeg4 = box("mp4v", [UInt8](repeating: 0, count: 78))
    private static let plain = track(h264, count: 1)
    private static let plainMedia = Array(plain.dropFirst(8))
    private static let start = box("ftyp", Array("isom".utf8))

    private static func doubt(_ bytes: [UInt8], isMovie: Bool = true) throws -> Disagreement? {
        try MovieStructure(InputFile(SealedMemory.copying(bytes).descriptor), isMovie: isMovie).disagreement
    }

    private static func movie(_ parts: [UInt8]...) -> [UInt8] { start + box("moov", Array(parts.joined())) }

    @Test("Ordinary MP4 files raise no doubt")
    func ordinary() throws {
        #expect(try Self.doubt(Self.movie(Self.plain, Self.plain)) == nil)
        #expect(try Self.doubt(Self.movie(Self.track(Self.h264 + Self.h264, count: 2))) == nil)
        #expect(try Self.doubt(Self.movie(Self.plain, Self.box("mvex")) + Self.box("moof") + Self.box("mdat")) == nil)
        #expect(try Self.doubt(Self.start + Self.box("meta", [0, 0, 0, 0]), isMovie: false) == nil)
        let movie = Self.box("moov", Self.plain)
        #expect(try Self.doubt(Self.start + Self.box("mdat", [1]) + Self.box("free") + movie) == nil)
        #expect(try Self.doubt(Self.box("wide") + Self.box("mdat", [1]) + movie) == nil)
    }

    @Test("Brands that come late or twice are noticed")
    func brands() throws {
        #expect(try Self.doubt(Self.box("free") + Self.movie(Self.plain)) == .contradiction)
        #expect(try Self.doubt(Self.movie(Self.plain) + Self.start) == .contradiction)
    }

    @Test("Descriptions of several codecs are noticed, in fragments also several of one codec")
    func descriptions() throws {
        #expect(try Self.doubt(Self.movie(Self.track(Self.h264 + Self.mpeg4, count: 2))) == .changedCodec)
        // The sample format `mp4v` stands for many codecs.
        #expect(try Self.doubt(Self.movie(Self.track(Self.mpeg4 + Self.mpeg4, count: 2))) == .changedCodec)
        let several = Self.movie(Self.track(Self.h264 + Self.h264, count: 2))
        #expect(try Self.doubt(several + Self.box("moof")) == .changedCodec)
        let announced = Self.movie(Self.track(Self.h264 + Self.h264, count: 2), Self.box("mvex"))
        #expect(try Self.doubt(announced) == .changedCodec)
        for count in [0, 1, 3] as [UInt8] {
            #expect(try Self.doubt(Self.movie(Self.track(Self.h264 + Self.h264, count: count))) == .contradiction)
        }
    }

    /// A sample description of 1920 × 1088 pixels, with the part of them that players show.
    private static func cropped(_ width: UInt32, _ height: UInt32, parts: UInt32 = 1, count: Int = 1) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 78)
        header.replaceSubrange(24..<28, with: [0x07, 0x80, 0x04, 0x40])
        let numbers: [UInt32] = [width, parts, height, parts, 0, 1, 0, 1]
        let aperture = box(
            "clap", numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } })
        return box("avc1", header, box("avcC", [1]), Array(repeating: aperture, count: count).flatMap(\.self))
    }

    @Test("Edges that players cut off are noticed, in movies only where they are more than a codec adds")
    func cleanApertures() throws {
        func doubt(_ description: [UInt8], isMovie: Bool = true) throws -> Disagreement? {
            try Self.doubt(Self.movie(Self.track(description, count: 1)), isMovie: isMovie)
        }
        #expect(try doubt(Self.cropped(1920, 1080)) == nil)
        #expect(try doubt(Self.cropped(1800, 1020)) == nil)
        #expect(try doubt(Self.cropped(1799, 1088)) == .otherLook)
        #expect(try doubt(Self.cropped(1920, 1019)) == .otherLook)
        #expect(try doubt(Self.cropped(3840, 2176, parts: 2)) == nil)
        #expect(try doubt(Self.cropped(1920, 1088, parts: 0)) == .otherLook)
        #expect(try doubt(Self.cropped(1920, 1088, count: 2)) == .contradiction)
        #expect(try doubt(Self.cropped(1920, 1088), isMovie: false) == .otherLook)
    }

    @Test(
        "Two tracks of one number, and two boxes of defaults for one track are noticed", arguments: [0, 1] as [UInt8])
    func numbers(version: UInt8) throws {
        func numbered(_ number: UInt8) -> [UInt8] {
            let times = [UInt8](repeating: 0, count: version == 0 ? 8 : 16)
            return Self.box("trak", Self.box("tkhd", [version, 0, 0, 3], times, [0, 0, 0, number]), Self.plainMedia)
        }
        #expect(try Self.doubt(Self.movie(numbered(1), numbered(2))) == nil)
        #expect(try Self.doubt(Self.movie(numbered(1), numbered(1))) == .contradiction)
        func defaults(_ numbers: UInt8...) -> [UInt8] {
            Self.box("mvex", numbers.flatMap { Self.box("trex", [0, 0, 0, 0, 0, 0, 0, $0]) })
        }
        #expect(try Self.doubt(Self.movie(Self.plain, defaults(1, 2))) == nil)
        #expect(try Self.doubt(Self.movie(Self.plain, defaults(1, 1))) == .contradiction)
        #expect(try Self.doubt(Self.movie(Self.plain, Self.box("mvex", Self.box("trex")))) == .contradiction)
    }

    /// An auxiliary track of number 2, by the format and the type of its frames and by its references to track 1.
    private static func auxiliary(
        _ format: String = "av01", type: String?, references: [String], handler: String = "auxv"
    ) -> [UInt8] {
        let kind = type.map { box("auxi", [0, 0, 0, 0], Array($0.utf8), [0]) } ?? []
        let description = box(format, [UInt8](repeating: 0, count: 78), kind)
        let media = Array(track(description, count: 1, handler: handler).dropFirst(8))
        let header = box("tkhd", [UInt8](repeating: 0, count: 15) + [2] + [UInt8](repeating: 0, count: 8))
        return box("trak", header, box("tref", references.flatMap { box($0, [0, 0, 0, 1]) }), media)
    }

    private static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

    @Test("The opacity of a sequence is found with the track that it belongs to, and in a movie it is noticed")
    func opacity() throws {
        func structure(_ track: [UInt8], isMovie: Bool = false) throws -> MovieStructure {
            let bytes = Self.movie(Self.plain, track)
            return try MovieStructure(InputFile(SealedMemory.copying(bytes).descriptor), isMovie: isMovie)
        }
        let plain = try structure(Self.auxiliary(type: Self.alpha, references: ["auxl"]))
        #expect(plain.disagreement == nil && plain.opacityTracks == [1: 2])
        for track in [
            Self.auxiliary(type: nil, references: ["auxl"]), Self.auxiliary(type: "depth", references: ["auxl"]),
            Self.auxiliary(type: Self.alpha, references: []), Self.auxiliary(type: Self.alpha, references: ["prem"]),
            Self.auxiliary(type: Self.alpha, references: ["auxl", "prem"]),
            Self.auxiliary(type: Self.alpha, references: ["auxl", "auxl"]),
            // Browsers obey the reference and read no handler.
            Self.auxiliary(type: Self.alpha, references: ["auxl"], handler: "pict"),
            Self.auxiliary(type: Self.alpha, references: ["auxl"], handler: "vide"),
        ] {
            #expect(try structure(track).disagreement == .otherLook)
        }
        let movie = try structure(Self.auxiliary(type: Self.alpha, references: ["auxl"]), isMovie: true)
        #expect(movie.disagreement == .otherLook && movie.opacityTracks.isEmpty)
    }

    @Test("The disparity of a phone's movie is a track of HEVC, and in a sequence it is noticed")
    func disparity() throws {
        let bytes = Self.movie(Self.plain, Self.auxiliary("dish", type: nil, references: ["auxl"]))
        let structure = try MovieStructure(InputFile(SealedMemory.copying(bytes).descriptor), isMovie: true)
        let place = try #require(structure.disparityFormats.first)
        #expect(structure.disagreement == nil && Array(bytes[place..<(place + 4)]) == Array("dish".utf8))
        #expect(try Self.doubt(bytes, isMovie: false) == .otherLook)
    }

    /// A track with an edit list.
    ///
    /// - Parameter edits: the start of each edit, -1 for an empty edit, and its rate in 1/65,536 of the usual speed.
    private static func edited(_ edits: [(start: Int32, rate: UInt32)], isWide: Bool = false) -> [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<(value.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let entries = edits.flatMap { edit in
            (isWide ? bytes(UInt64(9)) + bytes(Int64(edit.start)) : bytes(UInt32(9)) + bytes(edit.start))
                + bytes(edit.rate)
        }
        let list = box("elst", [isWide ? 1 : 0, 0, 0, 0] + bytes(UInt32(edits.count)), entries)
        return box("trak", box("edts", list), Array(plain.dropFirst(8)))
    }

    @Test("An edit that begins later raises no doubt, alone or behind empty edits", arguments: [false, true])
    func oneEdit(isWide: Bool) throws {
        let usual: UInt32 = 0x1_0000
        for edits in [[(0, usual)], [(90, usual)], [(-1, usual), (0, usual)], [(-1, usual), (-1, usual), (7, usual)]]
            as [[(Int32, UInt32)]]
        {
            #expect(try Self.doubt(Self.movie(Self.edited(edits, isWide: isWide))) == nil, "\(edits)")
        }
    }

    @Test("Edits that leave frames out, repeat them or change their speed are noticed", arguments: [false, true])
    func severalEdits(isWide: Bool) throws {
        let usual: UInt32 = 0x1_0000
        for edits in [
            [(0, usual), (50, usual)], [(5, usual), (5, usual)], [(0, usual), (-1, usual)], [(0, 0)], [(0, usual / 2)],
            [(-1, usual)],
        ] as [[(Int32, UInt32)]] {
            #expect(try Self.doubt(Self.movie(Self.edited(edits, isWide: isWide))) == .contradiction, "\(edits)")
        }
        let list = Self.box("elst", [0, 0, 0, 0, 0, 0, 0, 1])
        let cut = Self.box("trak", Self.box("edts", list), Array(Self.plain.dropFirst(8)))
        #expect(try Self.doubt(Self.movie(cut)) == .contradiction)
    }

    @Test("Several movies, compressed ones and parts that stand twice are noticed")
    func contradictions() throws {
        #expect(try Self.doubt(Self.movie(Self.plain) + Self.movie(Self.plain)) == .contradiction)
        #expect(try Self.doubt(Self.movie(Self.plain) + Self.box("hoov")) == .contradiction)
        #expect(try Self.doubt(Self.movie(Self.box("cmov"))) == .contradiction)
        #expect(try Self.doubt(Self.start + Self.box("free", Self.box("mvhd"))) == .contradiction)
        let nested = Self.start + Self.box("udta", Self.box("moov", Self.plain)) + Self.movie(Self.plain)
        #expect(try Self.doubt(nested) == .contradiction)
        let media = Self.box("mdia", Self.box("hdlr"), Self.box("minf", Self.box("stbl", Self.box("stsd"))))
        #expect(try Self.doubt(Self.movie(Self.box("trak", media, media))) == .contradiction)
        #expect(try Self.doubt(Self.movie(Self.box("trak", Self.box("tkhd")))) == .contradiction)
    }

    @Test("64 tracks are looked at and 65 are refused; as are more boxes than anybody writes")
    func bounds() throws {
        func tracks(_ count: Int) -> [UInt8] { Self.movie(Array((0..<count).flatMap { _ in Self.plain })) }
        #expect(try Self.doubt(tracks(64)) == nil)
        let failure = #expect(throws: DecodingFailure.self) { try Self.doubt(tracks(65)) }
        #expect(failure?.reason == .tooManyParts && failure?.value == 65)
        let fragment = Self.box("moof") + Self.box("mdat")
        let many = Self.movie(Self.plain) + (0..<150_000).flatMap { _ in fragment }
        #expect(throws: DecodingFailure.self) { try Self.doubt(many) }
    }

    @Test("A profile of a sequence of pictures is noticed, and that of a video is not")
    func profiles() throws {
        let profile = Self.box("avc1", [UInt8](repeating: 0, count: 78) + Self.box("colr", Array("prof".utf8)))
        let file = Self.movie(Self.track(profile, count: 1))
        #expect(try Self.doubt(file, isMovie: false) == .otherLook)
        #expect(try Self.doubt(file) == nil)
    }
}
