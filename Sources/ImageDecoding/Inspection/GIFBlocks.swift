// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// The blocks of a GIF file, counted without decoding: libvips shows no more than 4,097 pictures, and passes over what is
/// cut or damaged without a word.
///
/// Source: GIF89a specification, sections 18 to 27.
struct GIFBlocks {
    /// The number of pictures in the file.
    private(set) var pictureCount = 0
    /// Whether a picture reaches over the edges of the screen: programs cut it off or make room for it, and some
    /// then show other pixels.
    private(set) var hasPictureOutside = false
    /// The bytes that say how a picture is taken away before the next one is drawn, except that of the last picture.
    private(set) var disposals: [(position: Int, byte: UInt8)] = []

    /// Walks through the file.
    ///
    /// - Throws: `malformed` where a block ends early or is none; a file that ends between two blocks is complete, since all
    ///   that can be shown is there. `ambiguousRendering` for a picture without colours, with numbers that are none of its
    ///   colours, or with a way of disposal that has no meaning.
    init(_ file: InputFile) throws(DecodingFailure) {
        var reader = BlockReader(file: file)
        _ = try reader.bytes(6)
        let screen = try reader.bytes(7)
        let (screenWidth, screenHeight) = (Self.length(in: screen, at: 0), Self.length(in: screen, at: 2))
        let commonColours = try Self.skipColours(&reader, screen[4])
        var transparent: Int?
        // Whether the picture before is taken away and has a transparent number, which some programs apply to the next.
        var (hasControl, isCarried, mayCarry) = (false, false, false)
        // Those before the next picture, and those of the last picture so far.
        var (waiting, pending): ([(position: Int, byte: UInt8)], [(position: Int, byte: UInt8)]) = ([], [])
        while let introducer = try reader.byteOrEnd() {
            switch introducer {
            case 0x3B:
                try Self.check(file, behind: reader.position)
                return
            // A filling, which viewers pass over.
            case 0x00: continue
            case 0x21:
                if try reader.byte() == Self.graphicControl {
                    let place = reader.position + 1
                    let control = try file.bytes(at: place - 1, count: 6)
                    if control.count >= 2, control[0] > 0 { waiting.append((place, control[1])) }
                    guard control.count < 6 || (control[0] == 4 && control[5] == 0) else {
                        throw DecodingFailure(.ambiguousRendering, format: .gif, detail: "a control of an unusual size")
                    }
                    if control.count == 6 {
                        transparent = control[1] & 1 == 1 ? Int(control[4]) : nil
                        hasControl = true
                        mayCarry = transparent != nil && control[1] & Self.disposal > Self.keeps
                    }
                }
                try reader.skipSubBlocks()
            case 0x2C:
                let description = try reader.bytes(9)
                let right = Self.length(in: description, at: 0) + Self.length(in: description, at: 4)
                let bottom = Self.length(in: description, at: 2) + Self.length(in: description, at: 6)
                if right > screenWidth || bottom > screenHeight { hasPictureOutside = true }
                let ownColours = try Self.skipColours(&reader, description[8])
                try Self.checkNumbers(&reader, ownColours ?? commonColours, transparent)
                guard hasControl || !isCarried else {
                    throw DecodingFailure(
                        .ambiguousRendering, format: .gif,
                        detail: "a picture without a control behind a transparent one")
                }
                (isCarried, mayCarry, hasControl) = (hasControl ? mayCarry : isCarried, false, false)
                transparent = nil
                pictureCount += 1
                guard pending.allSatisfy({ $0.byte & Self.disposal <= Self.restoresPrevious }) else {
                    throw DecodingFailure(
                        .ambiguousRendering, format: .gif, detail: "a way of disposal without a meaning")
                }
                disposals += pending
                (pending, waiting) = (waiting, [])
            default: throw DecodingFailure(.malformed, format: .gif, detail: "a block of an unknown kind")
            }
        }
    }

    /// - Returns: how many colours there are; nil where the flags say none.
    private static func skipColours(_ reader: inout BlockReader, _ flags: UInt8) throws(DecodingFailure) -> Int? {
        guard flags & 0x80 != 0 else { return nil }
        let count = 2 << Int(flags & 7)
        try reader.skip(3 * count)
        return count
    }

    /// Passes over the pixels of a picture, and checks that each has a colour: programs make up others.
    private static func checkNumbers(
        _ reader: inout BlockReader, _ colourCount: Int?, _ transparent: Int?
    ) throws(DecodingFailure) {
        let codeSize = Int(try reader.byte())
        guard let colourCount else {
            throw DecodingFailure(.ambiguousRendering, format: .gif, detail: "a picture without colours")
        }
        guard (1...11).contains(codeSize), 1 << codeSize > colourCount else { return try reader.skipSubBlocks() }
        var codes = GIFCodes(codeSize: codeSize, transparent: transparent)
        while case let length = try reader.byte(), length > 0 {
            codes.add(try reader.bytes(Int(length)))
            guard codes.largest < colourCount else {
                throw DecodingFailure(.ambiguousRendering, format: .gif, detail: "pixels of no colour")
            }
        }
    }

    /// The file with all pictures left in place; nil where none is taken away.
    var partThatKeepsPictures: FilePart? {
        let changed = disposals.filter { $0.byte & Self.disposal > Self.keeps }
        guard !changed.isEmpty else { return nil }
        return FilePart(replacements: changed.map { ($0.position, [$0.byte & ~Self.disposal | Self.keeps]) })
    }

    /// The bits that say how a picture is taken away, and their value where it stays.
    private static let disposal: UInt8 = 0x1C
    /// The highest value for which programs agree: some files have it for the one before.
    private static let restoresPrevious: UInt8 = 0x10
    private static let keeps: UInt8 = 0x04

    /// Checks that no picture follows the end, where ffmpeg goes on.
    private static func check(_ file: InputFile, behind end: Int) throws(DecodingFailure) {
        let next = try file.bytes(at: end, count: 1024).first { $0 != 0 }
        guard next != imageSeparator, next != extensionIntroducer else {
            throw TrailingMedia.found(.gif)
        }
        try TrailingMedia.check(file, from: end, .gif)
    }

    private static let imageSeparator: UInt8 = 0x2C
    private static let extensionIntroducer: UInt8 = 0x21
    private static let graphicControl: UInt8 = 0xF9

    /// A length in pixels, of bytes that are all there.
    private static func length(in bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes.littleEndian(at: offset, as: UInt16.self) ?? 0)
    }
}

/// Reads a file forwards in pieces.
private struct BlockReader {
    let file: InputFile
    private var piece: [UInt8] = []
    private var start = 0
    private(set) var position = 0

    init(file: InputFile) {
        self.file = file
    }

    mutating func byteOrEnd() throws(DecodingFailure) -> UInt8? {
        if !(start..<(start + piece.count)).contains(position) {
            piece = try file.bytes(at: position, count: 64 << 10)
            start = position
            if piece.isEmpty { return nil }
        }
        position += 1
        return piece[position - 1 - start]
    }

    mutating func byte() throws(DecodingFailure) -> UInt8 {
        guard let byte = try byteOrEnd() else {
            throw DecodingFailure(.malformed, format: .gif, detail: "it ends in the midst of a block")
        }
        return byte
    }

    mutating func bytes(_ count: Int) throws(DecodingFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte()) }
        return bytes
    }

    mutating func skip(_ count: Int) throws(DecodingFailure) {
        position += count
        guard position <= file.byteCount else {
            throw DecodingFailure(.malformed, format: .gif, detail: "it ends in the midst of a block")
        }
    }

    mutating func skipSubBlocks() throws(DecodingFailure) {
        while case let length = try byte(), length > 0 { try skip(Int(length)) }
    }
}
