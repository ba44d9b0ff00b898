// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The blocks of a GIF file, found without decoding.
///
/// libvips shows at most 4,097 pictures and skips truncated or damaged pictures without an error. Source: GIF89a
/// specification, sections 18 to 27.
package struct GIFBlocks: ViewerStructure {
    private var pictures: [GIFPicture] = []
    private let screen: (width: Int, height: Int)
    /// The position of the first block, in bytes.
    private let startOfBlocks: Int
    /// The background colour's number in the common colour table; nil if the table has no such colour.
    private var background: UInt8?
    /// Whether a picture extends beyond the GIF's screen; programs crop it, enlarge the screen or show other pixels.
    package private(set) var hasPictureOutside = false

    /// The number of pictures in the file.
    package var pictureCount: Int { pictures.count }

    /// Reads all blocks of the file.
    /// - Throws: `malformed` if a block ends early or has an unknown kind. A file may end between two blocks, because
    ///   no visible part is missing. `ambiguousRendering` for unusual controls, a picture without colours or size,
    ///   numbers beyond its colours or an undefined disposal method. `inseparablePictures` if media follow the end.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var reader = BlockReader(file: file)
        _ = try reader.bytes(6)
        let description = try reader.bytes(7)
        screen = (Self.length(in: description, at: 0), Self.length(in: description, at: 2))
        let commonColours = try Self.skipColours(&reader, description[4])
        if let commonColours, description[5] < commonColours { background = description[5] }
        startOfBlocks = reader.position
        var transparent: Int?
        // `isCarried`: the picture before is removed, and some programs also apply its transparent number to the next.
        var (hasControl, isCarried, mayCarry) = (false, false, false)
        // The graphic controls since the last picture, which apply to the next.
        var controls: [GIFControl] = []
        var latest: (flags: UInt8, transparent: UInt8)?
        while let introducer = try reader.byteOrEnd() {
            switch introducer {
            case 0x3B:
                try Self.check(file, behind: reader.position)
                return
            // Viewers skip a zero byte between blocks.
            case 0x00: continue
            case 0x21:
                if try reader.byte() == Self.graphicControl {
                    let place = reader.position + 1
                    let control = try file.bytes(at: place - 1, count: 6)
                    if control.count >= 2, control[0] > 0 {
                        controls.append(GIFControl(position: place, flags: control[1]))
                    }
                    guard control.count < 6 || (control[0] == 4 && control[5] == 0) else {
                        throw DecodingFailure(.unusualControl, .gif)
                    }
                    if control.count == 6 {
                        // Of several controls, some programs obey the first and others the last.
                        let look = (flags: control[1], transparent: control[4])
                        guard latest.map({ $0 == look }) ?? true else { throw DecodingFailure(.unusualControl, .gif) }
                        latest = look
                        transparent = control[1] & 1 == 1 ? Int(control[4]) : nil
                        hasControl = true
                        mayCarry = transparent != nil && controls.last?.takesAway == true
                    }
                }
                try reader.skipSubBlocks()
            case 0x2C:
                let description = try reader.bytes(9)
                let (left, top) = (Self.length(in: description, at: 0), Self.length(in: description, at: 2))
                let right = left + Self.length(in: description, at: 4)
                let bottom = top + Self.length(in: description, at: 6)
                // Some programs give such a picture the size of the screen.
                guard right > left, bottom > top else { throw DecodingFailure(.emptyPicture, .gif) }
                if right > screen.width || bottom > screen.height { hasPictureOutside = true }
                let ownColours = try Self.skipColours(&reader, description[8])
                let isCleared =
                    controls.last.map { $0.disposal == GIFControl.restoresBackground && !$0.hasTransparency } ?? false
                let free = try Self.freeNumber(
                    &reader, ownColours ?? commonColours, transparent, isNeeded: isCleared)
                guard hasControl || !isCarried else { throw DecodingFailure(.missingControl, .gif) }
                (isCarried, mayCarry, hasControl) = (hasControl ? mayCarry : isCarried, false, false)
                transparent = nil
                guard pictures.last?.controls.allSatisfy({ $0.disposal <= GIFControl.highest }) != false
                else {
                    throw DecodingFailure(.unknownDisposal, .gif)
                }
                pictures.append(
                    GIFPicture(columns: left..<right, rows: top..<bottom, controls: controls, freeNumber: free))
                (controls, latest) = ([], nil)
            default: throw DecodingFailure(.malformed, format: .gif, detail: "a block of an unknown kind")
            }
        }
    }

    /// Skips a colour table and returns the number of its colours; nil if the flags announce no table.
    private static func skipColours(_ reader: inout BlockReader, _ flags: UInt8) throws(DecodingFailure) -> Int? {
        guard flags & 0x80 != 0 else { return nil }
        let count = 2 << Int(flags & 7)
        try reader.skip(3 * count)
        return count
    }

    /// Skips a picture's pixels and checks that the table has each colour number; programs invent missing colours.
    ///
    /// - Parameter isNeeded: whether to search the pixels for a colour number that none of them has.
    /// - Returns: a colour number that no pixel has; nil if none is known.
    private static func freeNumber(
        _ reader: inout BlockReader, _ colourCount: Int?, _ transparent: Int?, isNeeded: Bool
    ) throws(DecodingFailure) -> UInt8? {
        let codeSize = Int(try reader.byte())
        guard let colourCount else { throw DecodingFailure(.pictureWithoutColours, .gif) }
        let mayLackColours = (1...11).contains(codeSize) && 1 << codeSize > colourCount
        guard mayLackColours || (isNeeded && codeSize == 8) else {
            try reader.skipSubBlocks()
            return codeSize < 8 ? .max : nil
        }
        var codes = GIFCodes(codeSize: codeSize, transparent: transparent)
        while case let length = try reader.byte(), length > 0 {
            codes.add(try reader.bytes(Int(length)))
            guard codes.largest < colourCount else { throw DecodingFailure(.pixelsWithoutColour, .gif) }
        }
        return codes.free
    }

    // MARK: Renderings

    /// Returns the byte changes for each way in which viewers draw the animation; nil for libnsgif's own way.
    ///
    /// Some viewers keep pictures that should be removed. Others leave nothing in their place, which libnsgif fills
    /// with the background colour. The latter may also start with a screen of that colour; libnsgif never does.
    ///
    /// - Throws: `ambiguousRendering` if a rendering cannot be made.
    package func renderings() throws(DecodingFailure) -> [FilePart?] {
        let cleared = try partThatClears()
        let others: [FilePart] = [partThatKeepsPictures, cleared, partWithBackground(cleared)].compactMap { $0 }
        return [nil] + others
    }

    /// The byte changes that keep every picture on the screen when the next is drawn; nil if none is removed.
    private var partThatKeepsPictures: FilePart? {
        let changed = pictures.dropLast().flatMap(\.controls).filter(\.takesAway)
        guard !changed.isEmpty else { return nil }
        return FilePart(replacements: changed.map { ($0.position, [$0.keeping]) })
    }

    /// Returns the byte changes that make the area of each removed picture transparent; nil if that changes nothing.
    private func partThatClears() throws(DecodingFailure) -> FilePart? {
        var part = FilePart()
        for (picture, next) in zip(pictures, pictures.dropFirst())
        where picture.disposal == GIFControl.restoresBackground && !picture.hasTransparency && !next.covers(picture) {
            guard let number = picture.freeNumber else { throw DecodingFailure(.removedOpaquePicture, .gif) }
            part.replacements += picture.controls(withTransparentNumber: number)
        }
        return part.replacements.isEmpty ? nil : part
    }

    /// Returns the byte changes that insert a first picture of the background colour; nil if it would never be seen.
    private func partWithBackground(_ cleared: FilePart?) -> FilePart? {
        let whole = GIFPicture(columns: 0..<screen.width, rows: 0..<screen.height, controls: [], freeNumber: nil)
        guard let background, let first = pictures.first, !first.covers(whole),
            pictures.dropLast().contains(where: { picture in
                picture.disposal == GIFControl.restoresBackground
                    && (picture.columns != whole.columns || picture.rows != whole.rows)
            })
        else { return nil }
        var part = cleared ?? FilePart()
        part.insertion = (
            startOfBlocks, GIFFilling(width: screen.width, height: screen.height, number: background).bytes
        )
        return part
    }

    /// Checks that no picture follows the end block, because FFmpeg would show it.
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

    /// Returns a length in pixels; both bytes must exist.
    private static func length(in bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes.littleEndian(at: offset, as: UInt16.self) ?? 0)
    }
}

/// Reads the bytes of a GIF file forwards, through a buffer.
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
