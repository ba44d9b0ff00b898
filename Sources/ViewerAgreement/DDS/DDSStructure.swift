// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of a DDS texture.
///
/// Source: Microsoft, "Programming Guide for DDS".
enum DDSStructure {
    static func fits(_ prefix: [UInt8]) -> Bool {
        prefix.count >= headerSize && prefix.hasText("DDS ", at: 0) && number(prefix, 4) == 124
            && number(prefix, 76) == 32
    }

    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        guard fits(bytes) else { throw broken("the header is broken") }
        let (height, width) = (number(bytes, 12), number(bytes, 16))
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { throw broken("the header is broken") }
        let layout = try layout(bytes)
        // Cubes and volumes have several surfaces, which one program shows side by side.
        guard number(bytes, 112) & 0x0020_FE00 == 0, number(bytes, 8) & 0x0080_0000 == 0 else {
            throw unsupported("a cube or a volume")
        }
        let levels = max(number(bytes, 28), 1)
        guard levels <= Int.bitWidth - max(width, height).leadingZeroBitCount else {
            throw broken("it has too many levels")
        }
        var picture = StillPicture(.dds, width: width, height: height)
        var position = layout.start
        for level in 0..<levels {
            let (levelWidth, levelHeight) = (max(width >> level, 1), max(height >> level, 1))
            let end = position + layout.byteCount(width: levelWidth, height: levelHeight)
            guard end <= bytes.count else { throw broken("the file ends before its last row") }
            if level > 0, max(levelWidth, levelHeight) > smallestLevel {
                let header = header(bytes[..<layout.start], width: levelWidth, height: levelHeight)
                picture.otherFiles.append(header + bytes[position..<end])
            }
            position = end
        }
        try StillPicture.checkEnd(bytes[position...], .dds)
        return picture
    }

    /// The arrangement of the pixels of a surface.
    private struct Layout {
        /// The position of the first surface, in bytes.
        let start: Int
        /// The bytes of a block of 4 × 4 pixels, or of one pixel.
        let unit: Int
        let isOfBlocks: Bool

        func byteCount(width: Int, height: Int) -> Int {
            isOfBlocks ? (width + 3) / 4 * ((height + 3) / 4) * unit : width * height * unit
        }
    }

    private static func layout(_ bytes: [UInt8]) throws(DecodingFailure) -> Layout {
        // FFmpeg finds other meanings of the pixels in words that other programs ignore.
        guard number(bytes, 44) == 0 || !["AEXP", "YCG1", "YCG2"].contains(text(bytes, 44)) else {
            throw DecodingFailure(.privateMeaning, .dds)
        }
        let flags = number(bytes, 80)
        let hasOpacity = flags & 1 != 0
        if flags & ~1 == 4 {
            guard number(bytes, 88) < 0x100 else { throw DecodingFailure(.privateMeaning, .dds) }
            switch text(bytes, 84) {
            case "DXT1": return Layout(start: headerSize, unit: 8, isOfBlocks: true)
            case "DXT3", "DXT5": return Layout(start: headerSize, unit: 16, isOfBlocks: true)
            case "DX10": return try layoutOfDirectX10(bytes)
            case let code: throw unsupported("pixels of the kind \(code)")
            }
        }
        let masks = [number(bytes, 92), number(bytes, 96), number(bytes, 100), hasOpacity ? number(bytes, 104) : 0]
        let isKnown =
            switch (flags & ~1, number(bytes, 88)) {
            case (0x40, 16): masks == [0xF800, 0x7E0, 0x1F, 0]
            case (0x40, 24): masks == [0xFF0000, 0xFF00, 0xFF, 0]
            case (0x40, 32):
                [[0xFF0000, 0xFF00, 0xFF], [0xFF, 0xFF00, 0xFF0000]].contains(masks.dropLast())
                    && masks[3] == (hasOpacity ? 0xFF00_0000 : 0)
            case (0x20000, 8): masks[0] == 0xFF && Set(masks.dropFirst()).isSubset(of: [0, 0xFF]) && !hasOpacity
            default: false
            }
        // FFmpeg reads the mask of opacity without its flag.
        guard isKnown, hasOpacity || number(bytes, 104) == 0 else {
            throw unsupported("pixels of \(number(bytes, 88)) bits")
        }
        return Layout(start: headerSize, unit: number(bytes, 88) / 8, isOfBlocks: false)
    }

    private static func layoutOfDirectX10(_ bytes: [UInt8]) throws(DecodingFailure) -> Layout {
        guard bytes.count >= headerSize + 20 else { throw broken("the header is broken") }
        let isTexture = number(bytes, headerSize + 4) == 3
        guard isTexture, number(bytes, headerSize + 8) & 4 == 0, number(bytes, headerSize + 12) == 1 else {
            throw unsupported("a cube, a volume or an array")
        }
        // Bits 0 to 2 say whether colours are multiplied by opacity.
        guard [0, 1, 3].contains(number(bytes, headerSize + 16) & 7) else {
            throw DecodingFailure(.multipliedColours, .dds)
        }
        switch number(bytes, headerSize) {
        case 70...72: return Layout(start: headerSize + 20, unit: 8, isOfBlocks: true)
        case 73...78: return Layout(start: headerSize + 20, unit: 16, isOfBlocks: true)
        case let kind: throw unsupported("pixels of the kind \(kind)")
        }
    }

    /// Returns the header of a file whose only surface has another size.
    private static func header(_ bytes: ArraySlice<UInt8>, width: Int, height: Int) -> [UInt8] {
        var header = Array(bytes)
        for (offset, value) in [(12, height), (16, width), (28, 1)] {
            for index in 0..<4 { header[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        return header
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes.littleEndian(at: offset, as: UInt32.self) ?? 0)
    }

    private static func text(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
    }

    private static let headerSize = 128
    /// Levels of at most this edge, in pixels, show nothing.
    private static let smallestLevel = 8

    private static func unsupported(_ detail: String) -> DecodingFailure {
        DecodingFailure(.unsupportedVariant, format: .dds, detail: detail)
    }

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .dds, detail: detail)
    }
}
