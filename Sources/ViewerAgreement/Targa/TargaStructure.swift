// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of a TGA file.
///
/// Source: Truevision TGA file format specification 2.0.
enum TargaStructure {
    /// Returns whether a header is one that all programs read alike, because the format has no signature.
    static func fits(_ prefix: [UInt8]) -> Bool {
        guard let header = Header(prefix), header.reserved == 0 else { return false }
        let indexed = [1, 9].contains(header.kind) && header.depth == 8 && header.hasPalette
        let coloured = [2, 10].contains(header.kind) && [15, 16, 24, 32].contains(header.depth)
        let grey = [3, 11].contains(header.kind) && header.depth == 8
        guard indexed || (coloured || grey) && !header.hasPalette else { return false }
        return header.hasPalette
            ? header.paletteStart == 0 && (1...256).contains(header.paletteCount)
                && [15, 16, 24, 32].contains(header.paletteDepth)
            : header.paletteStart == 0 && header.paletteCount == 0 && header.paletteDepth == 0
    }

    /// The fields of the header, which has 18 bytes.
    private struct Header {
        let kind: UInt8
        let hasPalette: Bool
        let paletteStart, paletteCount: Int
        let paletteDepth: UInt8
        let width, height: Int
        let depth: UInt8
        let attributeDepth: UInt8
        /// Bits of an old order of rows.
        let reserved: UInt8
        /// The position of the first pixel, in bytes.
        let pixelStart: Int
        let bytesPerPixel: Int

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 18, bytes[1] <= 1 else { return nil }
            func number(_ offset: Int) -> Int { Int(bytes.littleEndian(at: offset, as: UInt16.self) ?? 0) }
            (kind, hasPalette) = (bytes[2], bytes[1] == 1)
            (paletteStart, paletteCount, paletteDepth) = (number(3), number(5), bytes[7])
            (width, height, depth) = (number(12), number(14), bytes[16])
            guard width > 0, height > 0 else { return nil }
            (attributeDepth, reserved) = (bytes[17] & 15, bytes[17] & 0xC0)
            pixelStart = 18 + Int(bytes[0]) + paletteCount * ((Int(paletteDepth) + 7) / 8)
            bytesPerPixel = (Int(depth) + 7) / 8
        }
    }

    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        guard fits(bytes), let header = Header(bytes) else { throw broken("the header is broken") }
        // Pillow reads a file with such lines as its format IMT, which has no signature.
        let text = String(decoding: bytes.prefix(2048), as: UTF8.self)
        guard !bytes.prefix(100).contains(0x0A) || !text.contains("width ") else {
            throw DecodingFailure(.otherFormat, .targa)
        }
        let count = header.width * header.height
        let end =
            header.kind < 8
            ? header.pixelStart + count * header.bytesPerPixel
            : try endOfPackets(bytes, from: header.pixelStart, count: count, bytesPerPixel: header.bytesPerPixel)
        guard end <= bytes.count else { throw broken("the file ends before its last row") }
        // FFmpeg ignores the sixteenth bit, which some programs read as opacity.
        let bits = highestBits(ofPixels: bytes, header, end: end).union(highestBits(ofPalette: bytes, header))
        guard bits.count <= 1, header.bytesPerPixel != 2 || header.attributeDepth == 0 else {
            throw DecodingFailure(.opacityBit, .targa)
        }
        var picture = StillPicture(.targa, width: header.width, height: header.height)
        let footer = bytes.count - 26
        if footer >= end, bytes.hasText("TRUEVISION-XFILE.\0", at: footer + 8) {
            let areas = Int(bytes.littleEndian(at: footer, as: UInt32.self) ?? 0)
            picture.otherFiles = [try smallCopy(bytes, header, areas: areas)].compactMap(\.self)
        } else {
            try StillPicture.checkEnd(bytes[end...], .targa)
        }
        return picture
    }

    /// Returns the values of the sixteenth bits of pixels; none if pixels have another size.
    private static func highestBits(ofPixels bytes: [UInt8], _ header: Header, end: Int) -> Set<UInt8> {
        guard header.bytesPerPixel == 2 else { return [] }
        var bits: Set<UInt8> = []
        var position = header.pixelStart
        while position < end {
            var count = (end - position) / 2
            if header.kind >= 8 {
                count = bytes[position] & 0x80 == 0 ? Int(bytes[position] & 0x7F) + 1 : 1
                position += 1
            }
            for index in 0..<count { bits.insert(bytes[position + 2 * index + 1] & 0x80) }
            position += 2 * count
        }
        return bits
    }

    private static func highestBits(ofPalette bytes: [UInt8], _ header: Header) -> Set<UInt8> {
        guard header.paletteDepth <= 16 else { return [] }
        let start = 18 + Int(bytes[0])
        return Set((0..<header.paletteCount).map { bytes[start + 2 * $0 + 1] & 0x80 })
    }

    private static func endOfPackets(
        _ bytes: [UInt8], from start: Int, count: Int, bytesPerPixel: Int
    ) throws(DecodingFailure) -> Int {
        var (position, left) = (start, count)
        while left > 0 {
            guard position < bytes.count else { throw broken("the file ends before its last row") }
            let length = Int(bytes[position] & 0x7F) + 1
            guard length <= left else { throw DecodingFailure(.runBeyondPicture, .targa) }
            left -= length
            position += 1 + bytesPerPixel * (bytes[position] & 0x80 == 0 ? length : 1)
        }
        return position
    }

    /// Returns the postage stamp of version 2 as a file of its own; nil if there is none.
    ///
    /// - Parameter areas: the position of the extension area, which names the stamp; 0 if there is none.
    private static func smallCopy(_ bytes: [UInt8], _ header: Header, areas: Int) throws(DecodingFailure) -> [UInt8]? {
        guard areas > 0 else { return nil }
        guard let position: UInt32 = bytes.littleEndian(at: areas + 486), areas + 494 < bytes.count else {
            throw broken("the extension area is cut off")
        }
        guard bytes[areas + 494] != 4 else { throw DecodingFailure(.multipliedColours, .targa) }
        guard position > 0 else { return nil }
        let start = Int(position) + 2
        guard start <= bytes.count else { throw broken("the small copy is cut off") }
        let size = Int(bytes[start - 2]) * Int(bytes[start - 1]) * header.bytesPerPixel
        guard size > 0, start + size <= bytes.count else { throw broken("the small copy is cut off") }
        var copy = Array(bytes[..<18])
        // The copy has neither a comment nor runs.
        copy[0] = 0
        copy[2] &= 7
        copy.replaceSubrange(12..<16, with: [bytes[start - 2], 0, bytes[start - 1], 0])
        return copy + bytes[(18 + Int(bytes[0]))..<header.pixelStart] + bytes[start..<(start + size)]
    }

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .targa, detail: detail)
    }
}
