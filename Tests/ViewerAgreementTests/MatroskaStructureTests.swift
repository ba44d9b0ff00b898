// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of Matroska files")
struct MatroskaStructureTests {
    /// An element; `isOpen` gives it an unknown size.
    private static func element(_ identifier: [UInt8], _ content: [UInt8], isOpen: Bool = false) -> [UInt8] {
        let size: [UInt8] =
            isOpen
            ? [0x01] + [UInt8](repeating: 0xFF, count: 7)
            : [0x20 | UInt8(content.count >> 16), UInt8(content.count >> 8 & 255), UInt8(content.count & 255)]
        return identifier + size + content
    }

    private static let header = element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x86, 0x81, 1])
    private static let track: [UInt8] =
        element([0xD7], [1]) + element([0x83], [1]) + element([0x86], Array("V_VP8".utf8))
    private static let tracks = element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
    private static let block = element([0xA3], [0x81, 0, 0, 0x80, 1, 2, 3])

    private static func file(isOpen: Bool, trackCount: Int = 1) -> [UInt8] {
        let described = (0..<trackCount).flatMap { _ in tracks }
        let cluster = element([0x1F, 0x43, 0xB6, 0x75], block + block, isOpen: isOpen)
        return header + element([0x18, 0x53, 0x80, 0x67], described + cluster + cluster, isOpen: isOpen)
    }

    private static func isJoined(_ bytes: [UInt8]) throws -> Bool {
        try MatroskaStructure(InputFile(SealedMemory.copying(bytes).descriptor)).isJoined
    }

    private static func hasDisagreement(_ content: [UInt8], header: [UInt8] = header) throws -> Bool {
        let bytes = header + element([0x18, 0x53, 0x80, 0x67], content)
        return try MatroskaStructure(InputFile(SealedMemory.copying(bytes).descriptor)).hasDisagreement
    }

    @Test("One Matroska file is told from two, with sizes and without")
    func joined() throws {
        for isOpen in [false, true] {
            #expect(try !Self.isJoined(Self.file(isOpen: isOpen)))
            #expect(try Self.isJoined(Self.file(isOpen: isOpen, trackCount: 2)))
            for isSecondOpen in [false, true] {
                #expect(try Self.isJoined(Self.file(isOpen: isOpen) + Self.file(isOpen: isSecondOpen)))
                let damaged = Self.file(isOpen: isOpen) + [0, 1, 2, 3, 0x80] + Self.file(isOpen: isSecondOpen)
                #expect(try Self.isJoined(damaged))
            }
        }
    }

    @Test("Files that end anywhere, and other bytes behind them, are not called joined")
    func ends() throws {
        for isOpen in [false, true] {
            let file = Self.file(isOpen: isOpen)
            for count in 1...file.count { #expect(try !Self.isJoined(Array(file.prefix(count)))) }
            #expect(try !Self.isJoined(file + [UInt8](repeating: 0, count: 1000)))
        }
    }

    @Test("An index has to lead to clusters, and a list of elements to an index")
    func index() throws {
        let cluster = Self.element([0x1F, 0x43, 0xB6, 0x75], Self.block)
        let void = Self.element([0xEC], [UInt8](repeating: 0, count: 20))
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
        func cues(_ positions: [Int]) -> [UInt8] {
            let points = positions.map { position in
                Self.element([0xBB], Self.element([0xB7], Self.element([0xF1], number(position))))
            }
            return Self.element([0x1C, 0x53, 0xBB, 0x6B], points.flatMap(\.self))
        }
        func list(_ position: Int) -> [UInt8] {
            let names = Self.element([0x53, 0xAB], [0x1C, 0x53, 0xBB, 0x6B])
            let entry = Self.element([0x4D, 0xBB], names + Self.element([0x53, 0xAC], number(position)))
            return Self.element([0x11, 0x4D, 0x9B, 0x74], entry)
        }
        let start = Self.tracks + cluster + void + cluster
        let places = (Self.tracks.count, start.count - cluster.count, start.count)
        #expect(try !Self.hasDisagreement(start))
        #expect(try !Self.hasDisagreement(start + cues([places.0, places.1])))
        // These cues lead into the void element, and to bytes that begin no cluster.
        #expect(try Self.hasDisagreement(start + cues([places.0, places.0 + cluster.count + 3])))
        for position in [0, places.1 + 1, places.2] { #expect(try Self.hasDisagreement(start + cues([position]))) }
        // Positions behind the end of the file occur in a file that was cut off.
        #expect(try !Self.hasDisagreement(start + cues([65_535])))
        #expect(try !Self.hasDisagreement(start + cues([places.0]) + list(places.2)))
        #expect(try Self.hasDisagreement(start + cues([places.0]) + list(places.0 + cluster.count + 3)))
    }

    /// The description of a track, with further elements.
    private static func described(_ more: [UInt8], as track: [UInt8] = track) -> [UInt8] {
        element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track + more))
    }

    @Test("An element that the description of a track may have once is noticed twice, and in a wrong place")
    func repeatedElements() throws {
        #expect(try !Self.hasDisagreement(Self.described([])))
        for element in [
            Self.element([0x83], [0x11]), Self.element([0x86], Array("V_VP9".utf8)), Self.element([0xD7], [1]),
            Self.element([0xE0], Self.element([0xB0], [16]) + Self.element([0xB0], [16])),
            Self.element([0xE0], Self.element([0x83], [2])),
        ] {
            #expect(try Self.hasDisagreement(Self.described(element)), "\(element)")
        }
        let once = Self.element([0xE0], Self.element([0xB0], [16]) + Self.element([0xBA], [16]))
        #expect(try !Self.hasDisagreement(Self.described(once)))
        let languages = Self.element([0x41, 0xE4], []) + Self.element([0x41, 0xE4], [])
        #expect(try !Self.hasDisagreement(Self.described(languages)))
        let large: [UInt8] = [0xE0, 0x84, 0xB0, 0x85, 16, 16]
        #expect(try Self.hasDisagreement(Self.described(large)))
        let (block, end) = (Self.element([0xA1], [0x81, 0, 0, 0x80, 1]), Self.element([0x9B], [1]))
        for (group, isNoticed) in [(block + end, false), (block + end + block, true)] {
            let cluster = Self.element([0x1F, 0x43, 0xB6, 0x75], Self.element([0xA0], group))
            #expect(try Self.hasDisagreement(Self.tracks + cluster) == isNoticed)
        }
    }

    @Test("Two tracks of one number, and a codec that belongs to another kind of track are noticed")
    func contradictingTracks() throws {
        func entry(_ number: UInt8, _ kind: UInt8, _ codec: String) -> [UInt8] {
            let parts = Self.element([0xD7], [number]) + Self.element([0x83], [kind])
            return Self.element([0xAE], parts + Self.element([0x86], Array(codec.utf8)))
        }
        func hasDisagreement(_ entries: [UInt8]...) throws -> Bool {
            try Self.hasDisagreement(Self.element([0x16, 0x54, 0xAE, 0x6B], entries.flatMap(\.self)))
        }
        #expect(try !hasDisagreement(entry(1, 1, "V_VP8"), entry(2, 2, "A_OPUS"), entry(3, 17, "S_TEXT/UTF8")))
        #expect(try hasDisagreement(entry(1, 1, "V_VP8"), entry(1, 2, "A_OPUS")))
        #expect(try hasDisagreement(entry(1, 17, "V_VP8")))
        #expect(try hasDisagreement(entry(1, 1, "S_TEXT/UTF8")))
    }

    @Test("Frames that are compressed once, without a key, are noticed in WebM only; all other encodings are noticed")
    func encodings() throws {
        func compressed(_ settings: [UInt8], order: [UInt8] = []) -> [UInt8] {
            Self.element([0x62, 0x40], order + Self.element([0x50, 0x34], settings))
        }
        func encodings(_ content: [UInt8]) -> [UInt8] { Self.described(Self.element([0x6D, 0x80], content)) }
        let (zlib, removal) = (Self.element([0x42, 0x54], [0]), Self.element([0x42, 0x54], [3]))
        let webM = Self.element([0x1A, 0x45, 0xDF, 0xA3], Self.element([0x42, 0x82], Array("webm".utf8)))
        for shared in [
            compressed(zlib), compressed([]),
            compressed(zlib, order: Self.element([0x50, 0x31], [0]) + Self.element([0x50, 0x32], [1])),
        ] {
            #expect(try !Self.hasDisagreement(encodings(shared)), "\(shared)")
            #expect(try Self.hasDisagreement(encodings(shared), header: webM), "\(shared)")
        }
        // Where the first bytes of each frame are stored apart, units behind start codes are found without them.
        let start = Self.element([0x6D, 0x80], compressed(removal + Self.element([0x42, 0x55], [0, 0, 1])))
        for (codec, isShared) in [
            ("V_MPEG4/ISO/ASP", true), ("V_MPEG2", true), ("V_MPEG4/ISO/AVC", false), ("V_MPEGH/ISO/HEVC", false),
            ("V_VP8", false),
        ] {
            let track = Self.element([0xD7], [1]) + Self.element([0x83], [1]) + Self.element([0x86], Array(codec.utf8))
            #expect(try Self.hasDisagreement(Self.described(start, as: track)) != isShared, "\(codec)")
        }
        for other in [
            compressed(Self.element([0x42, 0x54], [1])), compressed(zlib) + compressed(zlib), [],
            compressed(removal + Self.element([0x42, 0x55], [UInt8](repeating: 0, count: 9))),
            compressed(zlib, order: Self.element([0x50, 0x33], [1])),
            compressed(zlib, order: Self.element([0x50, 0x32], [2])),
            Self.element([0x62, 0x40], Self.element([0x50, 0x35], [])),
        ] {
            #expect(try Self.hasDisagreement(encodings(other)), "\(other)")
        }
    }

    @Test("A list of elements has to name each element at its own position")
    func listedElements() throws {
        func list(_ identifier: [UInt8], _ position: UInt8, isReversed: Bool = false) -> [UInt8] {
            let (name, place) = (Self.element([0x53, 0xAB], identifier), Self.element([0x53, 0xAC], [position]))
            let entry = isReversed ? place + name : name + place
            return Self.element([0x11, 0x4D, 0x9B, 0x74], Self.element([0x4D, 0xBB], entry))
        }
        let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]
        let other = Self.described([], as: Self.track)
        for isReversed in [false, true] {
            func hasDisagreement(_ identifier: [UInt8], _ position: Int) throws -> Bool {
                let hidden = Self.element([0xEC], other)
                return try Self.hasDisagreement(
                    Self.tracks + hidden + list(identifier, UInt8(position), isReversed: isReversed))
            }
            #expect(try !hasDisagreement(tracks, 0))
            // These positions are those of a description in a void element, of that element, and of none.
            for position in [Self.tracks.count + 3, Self.tracks.count, 1] {
                #expect(try hasDisagreement(tracks, position), "\(position)")
            }
            #expect(try hasDisagreement([0x1C, 0x53, 0xBB, 0x6B], 0))
        }
    }

    @Test(
        "Clusters in a checksum, an index or a skipped element, and blocks behind bytes that are no element, are noticed"
    )
    func hiddenClusters() throws {
        let cluster = Self.element([0x1F, 0x43, 0xB6, 0x75], Self.block)
        let start = Self.tracks + cluster
        #expect(try !Self.hasDisagreement(start + Self.element([0xBF], [1, 2, 3, 4])))
        #expect(try Self.hasDisagreement(start + Self.element([0xBF], cluster)))
        #expect(try Self.hasDisagreement(start + Self.element([0x1C, 0x53, 0xBB, 0x6B], cluster)))
        // Void in a segment and in a cluster, Tags with a binary value, and Attachments.
        #expect(try Self.hasDisagreement(start + Self.element([0xEC], [9] + cluster)))
        #expect(
            try Self.hasDisagreement(start + Self.element([0x1F, 0x43, 0xB6, 0x75], Self.element([0xEC], cluster))))
        for kind in [[0x12, 0x54, 0xC3, 0x67], [0x19, 0x41, 0xA4, 0x69]] as [[UInt8]] {
            #expect(try Self.hasDisagreement(start + Self.element(kind, [9] + cluster)))
        }
        #expect(try !Self.hasDisagreement(start + Self.element([0xEC], [UInt8](repeating: 0x1F, count: 70_000))))
        let isSplit = [UInt8](repeating: 0, count: (64 << 10) - 2) + cluster
        #expect(try Self.hasDisagreement(start + Self.element([0xEC], isSplit)))
        let long = Self.element([0xE7], [UInt8](repeating: 0, count: 9))
        #expect(try Self.hasDisagreement(start + Self.element([0x1F, 0x43, 0xB6, 0x75], long + Self.block)))
        #expect(try Self.hasDisagreement(start + [0, 1, 2] + Self.block + Self.block))
        #expect(try !Self.hasDisagreement(start + [UInt8](repeating: 0, count: 100)))
    }

    @Test("The description of a QuickTime codec has to begin with its length")
    func quickTimeDescription() throws {
        let track =
            Self.element([0xD7], [1]) + Self.element([0x83], [1]) + Self.element([0x86], Array("V_QUICKTIME".utf8))
        for (first, isNoticed) in [([0, 0, 0, 12], false), (Array("JFIF".utf8), true), ([0, 0, 0, 13], true)] {
            let description = Self.element([0x63, 0xA2], first + Array("mp4v".utf8) + [0, 0, 0, 0])
            #expect(try Self.hasDisagreement(Self.described(description, as: track)) == isNoticed, "\(first)")
        }
    }

    @Test("No change of one byte ends the reading")
    func changes() throws {
        for isOpen in [false, true] {
            let file = Self.file(isOpen: isOpen) + Self.file(isOpen: !isOpen)
            for index in file.indices {
                for value in [0, 1, 0x80, 0xFF] as [UInt8] {
                    var changed = file
                    changed[index] = value
                    _ = try Self.isJoined(changed)
                }
            }
        }
    }
}
