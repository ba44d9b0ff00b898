// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of an AVI file")
struct AVIStructureTests {
    private static func number(_ value: Int, size: Int = 4) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ content: [UInt8] = [0, 0]) -> [UInt8] {
        Array(name.utf8) + number(content.count) + content + [UInt8](repeating: 0, count: content.count & 1)
    }

    private static func headers(of kind: String, formatSize: Int) -> [UInt8] {
        chunk("strh", Array(kind.utf8)) + chunk("strf", [UInt8](repeating: 0, count: formatSize))
    }

    private static func list(_ name: String, _ chunks: [UInt8]) -> [UInt8] { chunk("LIST", Array(name.utf8) + chunks) }

    private static let frame = chunk("00dc", [1, 2, 3])
    private static let hidden = chunk("JUNK", [1, 2, 3])
    private static let stream = headers(of: "vids", formatSize: 40)
    private static let streams = list("strl", stream) + list("strl", stream)
    /// A frame, a filling chunk, another frame and a frame of another stream.
    private static let frames = frame + hidden + frame + chunk("01dc", [1, 2, 3])
    /// The positions of these chunks in the list of frames.
    private static let places = [0, 12, 24, 36]

    /// A file, by the content of its headers, what follows the frames in their list, and what follows the list.
    private static func file(
        headers: [UInt8] = streams, behindFrames: [UInt8] = [], behindList: [UInt8] = []
    ) -> [UInt8] {
        let start = list("hdrl", chunk("avih") + headers)
        return chunk("RIFF", Array("AVI ".utf8) + start + list("movi", frames + behindFrames) + behindList)
    }

    /// The position of the first chunk in the list of frames.
    private static func first(headers: [UInt8] = streams) -> Int {
        12 + list("hdrl", chunk("avih") + headers).count + 12
    }

    private static func hasDisagreement(_ bytes: [UInt8]) throws -> Bool {
        try AVIStructure.hasDisagreement(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    private static func oldIndex(_ entries: [(name: String, position: Int, size: Int)]) -> [UInt8] {
        chunk(
            "idx1",
            entries.flatMap { Array($0.name.utf8) + number(16) + number($0.position) + number($0.size) })
    }

    private static func index(_ positions: [Int], name: String = "00dc", size: Int = 3, from start: Int) -> [UInt8] {
        let head = [2, 0, 0, 1] + number(positions.count) + Array(name.utf8) + number(start, size: 8) + number(0)
        return chunk("ix00", head + positions.flatMap { number($0 + 8) + number(size) })
    }

    /// The entries of an old index that names all chunks of frames.
    private static func entries(from start: Int) -> [(name: String, position: Int, size: Int)] {
        [("00dc", start, 3), ("00dc", start + 24, 3), ("01dc", start + 36, 3)]
    }

    @Test("An index that names the chunks of the file raises no doubt, from the start of the file or of the frames")
    func honest() throws {
        #expect(try !Self.hasDisagreement(Self.file()))
        for start in [4, Self.first()] {
            #expect(try !Self.hasDisagreement(Self.file(behindList: Self.oldIndex(Self.entries(from: start)))))
        }
        let record = Self.oldIndex([("rec ", 4, 100)] + Self.entries(from: 4))
        #expect(try !Self.hasDisagreement(Self.file(behindList: record)))
        let index = Self.index([0, 24], from: Self.first())
        #expect(try !Self.hasDisagreement(Self.file(behindFrames: index)))
    }

    @Test("An index that leaves out a chunk is noticed, unless another index of its stream names all")
    func omissions() throws {
        for left in 0..<3 {
            var entries = Self.entries(from: 4)
            entries.remove(at: left)
            #expect(try Self.hasDisagreement(Self.file(behindList: Self.oldIndex(entries))), "\(left)")
        }
        #expect(try Self.hasDisagreement(Self.file(behindFrames: Self.index([0], from: Self.first()))))
        // Cameras name one chunk of each stream in the old index.
        let index = Self.index([0, 24], from: Self.first())
        let old = Self.oldIndex([("00dc", 4, 3), ("01dc", 40, 3)])
        #expect(try !Self.hasDisagreement(Self.file(behindFrames: index, behindList: old)))
    }

    @Test(
        "A chunk among frames that is neither filling nor of a stream, or is of another kind than its stream, is noticed"
    )
    func unknownChunks() throws {
        for name in ["00ix", "00xx", "0:dc", "abcd", "00wb", "00tx"] {
            #expect(try Self.hasDisagreement(Self.file(behindFrames: Self.chunk(name))), "\(name)")
        }
        for name in ["00dc", "00db", "00pc", "JUNK"] {
            #expect(try !Self.hasDisagreement(Self.file(behindFrames: Self.chunk(name))), "\(name)")
        }
        #expect(try !Self.hasDisagreement(Self.file(behindFrames: Self.list("rec ", Self.frame))))
        #expect(try Self.hasDisagreement(Self.file(behindFrames: Self.list("abcd", Self.frame))))
        #expect(try Self.hasDisagreement(Self.file(behindList: Self.frame)))
        #expect(try Self.hasDisagreement(Self.file(behindList: Self.list("abcd", Self.frame))))
    }

    @Test("A stream outside of the headers, of an unknown kind, or with a format that is too short is noticed")
    func streams() throws {
        let sound = Self.list("strl", Self.headers(of: "auds", formatSize: 14))
        #expect(try !Self.hasDisagreement(Self.file(headers: Self.streams + sound)))
        for other in [
            Self.list("strl", Self.headers(of: "auds", formatSize: 0)),
            Self.list("strl", Self.headers(of: "pads", formatSize: 40)),
            Self.list("strl", Self.headers(of: "vids", formatSize: 39)), Self.list("abcd", sound), Self.stream,
            Self.list("strl", Self.list("strl", Self.stream)),
        ] {
            #expect(try Self.hasDisagreement(Self.file(headers: Self.streams + other)))
        }
        #expect(try Self.hasDisagreement(Self.file(behindList: sound)))
    }

    @Test("An index that names a chunk of another name or size, or no chunk, is noticed")
    func misleading() throws {
        for (name, position, size) in [
            ("00dc", 4 + 12, 3), ("00dc", 4 + 36, 3), ("JUNK", 4, 3), ("00dc", 4, 4), ("00dc", 4, 2), ("00dc", 5, 3),
        ] {
            let index = Self.oldIndex(Self.entries(from: 4) + [(name, position, size)])
            #expect(try Self.hasDisagreement(Self.file(behindList: index)), "\(name) \(position) \(size)")
        }
        for index in [
            Self.index([0, 24, 12], from: Self.first()), Self.index([36, 0], name: "01dc", from: Self.first()),
            Self.index([0, 24], size: 4, from: Self.first()), Self.index([0, 24], from: Self.first() + 1),
            Self.chunk("ix00", [2, 0, 0, 1, 9, 0, 0, 0]), Self.chunk("ix00"),
        ] {
            #expect(try Self.hasDisagreement(Self.file(behindFrames: index)), "\(index)")
        }
    }

    @Test("An index of indexes leads to indexes, and to nothing else")
    func nested() throws {
        func file(to place: Int) -> [UInt8] {
            func headers(_ position: Int) -> [UInt8] {
                let head = [4, 0, 0, 0] + Self.number(1) + Array("00dc".utf8) + Self.number(0, size: 12)
                let index = Self.chunk("indx", head + Self.number(position, size: 8) + Self.number(40) + Self.number(2))
                return Self.list("strl", Self.stream + index) + Self.list("strl", Self.stream)
            }
            let first = Self.first(headers: headers(0))
            let index = Self.index([0, 24], from: first)
            return Self.file(headers: headers(first + place), behindFrames: index)
        }
        #expect(try !Self.hasDisagreement(file(to: Self.frames.count)))
        for place in [0, Self.places[1], Self.frames.count + 1] { #expect(try Self.hasDisagreement(file(to: place))) }
    }

    @Test("Headers and indexes that stand twice are noticed, and those of two streams are not")
    func repetition() throws {
        let stream = Self.list("strl", Self.stream)
        #expect(try !Self.hasDisagreement(Self.file(headers: stream + stream)))
        for name in ["strh", "strf", "strd", "strn", "vprp"] {
            let content = [UInt8]("vids".utf8) + [UInt8](repeating: 0, count: 36)
            let twice = Self.list("strl", Self.stream + Self.chunk(name, content) + Self.chunk(name, content))
            #expect(try Self.hasDisagreement(Self.file(headers: twice)), "\(name)")
        }
        let index = Self.oldIndex(Self.entries(from: 4))
        #expect(try !Self.hasDisagreement(Self.file(behindList: index)))
        #expect(try Self.hasDisagreement(Self.file(behindList: index + index)))
        #expect(try Self.hasDisagreement(Self.file(behindList: Self.list("hdrl", Self.chunk("abcd")))))
        #expect(try Self.hasDisagreement(Self.file(headers: Self.chunk("avih"))))
    }

    @Test("A file that ends anywhere is no contradiction by its end alone")
    func ends() throws {
        let file = Self.file(behindFrames: Self.index([0, 24], from: Self.first()))
        let indexStart = Self.first() + Self.frames.count
        for count in 1...indexStart { #expect(try !Self.hasDisagreement(Array(file.prefix(count))), "\(count)") }
    }
}
