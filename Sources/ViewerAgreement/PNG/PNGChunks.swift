// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CZlib

/// The chunks of a PNG file, read without decoding.
///
/// Source: PNG specification, third edition, sections 5.3, 11.2 and 11.3.
package struct PNGChunks: ViewerStructure {
    /// Whether the file announces an animation at any place; readers differ about the places that count.
    package private(set) var isAnimated = false
    /// The colour type in the header: 0 is grey, 4 is grey with opacity, and other types have colours.
    package let colourType: UInt8
    /// The content of the chunks that describe the colour space or the light, by their names.
    package private(set) var colours: [String: [UInt8]] = [:]
    /// The position after the IEND chunk, in bytes; nil if the file has no such chunk.
    package private(set) var end: Int?
    package private(set) var announcedPictureCount = 0
    package private(set) var pictureCount = 0
    private var hasTransparentColours = false
    /// Whether the picture for programs without animations is no frame.
    private var hasOtherPicture = false
    /// The content of the chunks that give the area and the disposal method of each animation frame.
    private var frames: [[UInt8]] = []

    /// - Throws: `malformed` for too many chunks, `ambiguousRendering` if programs read chunks differently.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var offset = 8
        var chunkCount = 0
        colourType = try file.bytes(at: 25, count: 1).first ?? 0
        var transparency = PNGTransparency(colourType: colourType)
        while end == nil {
            let header = try file.bytes(at: offset, count: 12)
            guard header.count == 12, let length: UInt32 = header.bigEndian(at: 0) else { return }
            let name = String(decoding: header[4..<8], as: UTF8.self)
            try transparency.note(name, size: Int(length))
            if name == "tRNS" {
                hasTransparentColours = true
                try checkTransparentColour(in: file)
            }
            if Self.colourChunks.contains(name) { try Self.checkSum(of: file, at: offset, size: Int(length), name) }
            switch name {
            case "IHDR" where offset > 8: throw DecodingFailure(.chunkTwice(name), .png)
            case "IEND": end = offset + 12 + Int(length)
            case "acTL":
                isAnimated = true
                announcedPictureCount = Int(header.bigEndian(at: 8, as: UInt32.self) ?? 0)
            case "IDAT" where pictureCount == 0: hasOtherPicture = true
            case "fcTL":
                pictureCount += 1
                frames.append(try file.bytes(at: offset + 8, count: 26))
            case "gAMA", "cHRM", "cICP", "sRGB", "mDCv", "mDCV", "cLLi", "cLLI":
                let content = try file.bytes(at: offset + 8, count: min(Int(length), 64))
                // If two such chunks differ, viewers use one or the other.
                guard colours.updateValue(content, forKey: name).map({ $0 == content }) ?? true else {
                    throw DecodingFailure(.chunkTwice(name), .png)
                }
            case "iCCP":
                let content = try file.bytes(at: offset + 8, count: Int(length))
                guard colours.updateValue(content, forKey: name) == nil else {
                    throw DecodingFailure(.profileTwice, .png)
                }
            default: break
            }
            chunkCount += 1
            guard chunkCount < Self.mostChunks else {
                throw DecodingFailure(.malformed, format: .png, detail: "more than \(chunkCount) chunks")
            }
            offset += 12 + Int(length)
        }
    }

    /// Whether the end of the file is missing, so programs show the rows that are there.
    package func isCut(in file: InputFile) -> Bool { end.map { $0 > file.byteCount } ?? true }

    /// Checks that no colour of 16-bit samples is transparent; Pillow compares single bytes of it.
    private func checkTransparentColour(in file: InputFile) throws(DecodingFailure) {
        guard colourType == 2, try file.bytes(at: 24, count: 1) == [16] else { return }
        throw DecodingFailure(.wideTransparentColour, .png)
    }

    /// Checks that an animation has its end and all pictures that it announces.
    ///
    /// - Throws: `malformed`.
    package func checkAnimation(in file: InputFile) throws(DecodingFailure) {
        guard let end, end <= file.byteCount else {
            throw DecodingFailure(.malformed, format: .png, detail: "it ends in the midst of its pictures")
        }
        guard pictureCount >= announcedPictureCount else {
            throw DecodingFailure(
                .malformed, format: .png,
                detail: "\(pictureCount) pictures, where \(announcedPictureCount) are announced")
        }
    }

    /// Returns whether programs draw frames differently.
    ///
    /// Pillow mixes the opacity of a frame with that of the frames below it as if it were a colour.
    /// FFmpeg 5.1 cannot draw samples of 16 bits over others. In frames that cover only a part of the picture, it reads
    /// samples of less than a byte for the whole width. It clears opaque pictures to black; browsers clear them to
    /// transparent. Pictures with a transparent colour count as opaque here.
    ///
    /// - Throws: `malformed`; `ambiguousRendering` for grey of 16 bits, which Pillow cuts off at 255.
    package func areFramesDisputed(in file: InputFile) throws(DecodingFailure) -> Bool {
        // The width and height of the picture, and the bits of a sample.
        let header = try file.bytes(at: 16, count: 9)
        guard header.count == 9 else {
            throw DecodingFailure(.malformed, format: .png, detail: "it ends in its header")
        }
        guard colourType != 0 || header[8] != 16 else { throw DecodingFailure(.wideGreyAnimation, .png) }
        let isOpaque = colourType == 0 || colourType == 2 || colourType == 3
        let isDrawnOver = frames.contains { $0.last == 1 }
        // Pillow draws the frames over the picture for other programs.
        if hasOtherPicture, frames.contains(where: { $0.count == 26 && $0[4..<12] != header[0..<8] }) { return true }
        if isDrawnOver, hasTransparentColours || colourType > 3 { return true }
        // Pillow takes back only frames that replace what they cover.
        if Set(frames.filter { $0.count == 26 && $0[24] == 2 }.map { $0[25] }).count > 1 { return true }
        var isCleared = false
        for (index, frame) in frames.enumerated() {
            guard frame.count == 26 else {
                throw DecodingFailure(.malformed, format: .png, detail: "it ends in a frame")
            }
            let isPart = frame[4..<12] != header[0..<8]
            if header[8] == 16 || isPart && (header[8] < 8 || isCleared) { return true }
            isCleared = isOpaque && (frame[24] == 1 || (frame[24] == 2 && index == 0))
        }
        return false
    }

    /// Checks the checksum of a chunk that changes colours; libraries drop a damaged chunk, other programs use it.
    private static func checkSum(
        of file: InputFile, at offset: Int, size: Int, _ name: String
    ) throws(DecodingFailure) {
        let bytes = try file.bytes(at: offset + 4, count: min(size, mostColourBytes) + 8)
        guard size <= mostColourBytes, bytes.count == size + 8,
            bytes.bigEndian(at: size + 4, as: UInt32.self) == Self.checksum(of: Array(bytes.prefix(size + 4)))
        else {
            throw DecodingFailure(.damagedChunk(name), .png)
        }
    }

    /// Returns the checksum of a chunk by its name and content; source: PNG specification, third edition, annex D.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        unsafe UInt32(crc32(0, bytes, UInt32(bytes.count)))
    }

    private static let colourChunks: Set<String> = ["tRNS", "gAMA", "cHRM", "cICP", "sRGB", "iCCP"]
    private static let mostColourBytes = 16 << 20

    /// A bound that is far above the hundreds or thousands of chunks that programs write.
    private static let mostChunks = 1_000_000
}

/// Checks the chunk of transparent colours in a PNG file; libraries accept fewer such chunks than other programs.
private struct PNGTransparency {
    let colourType: UInt8
    private var paletteCount: Int?
    private var isKnown = false
    private var hasData = false

    init(colourType: UInt8) {
        self.colourType = colourType
    }

    /// Notes a chunk, and checks it if it names transparent colours.
    ///
    /// - Throws: `ambiguousRendering` if libpng ignores the chunk and other programs obey it.
    mutating func note(_ name: String, size: Int) throws(DecodingFailure) {
        switch name {
        case "PLTE": paletteCount = size / 3
        case "IDAT": hasData = true
        case "tRNS":
            let fits =
                switch colourType {
                case 0: size == 2
                case 2: size == 6
                case 3: paletteCount.map { size > 0 && size <= $0 } ?? false
                default: false
                }
            guard fits, !isKnown, !hasData else { throw DecodingFailure(.misplacedTransparency, .png) }
            isKnown = true
        default: break
        }
    }
}
