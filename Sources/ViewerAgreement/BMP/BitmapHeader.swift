// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The headers of a BMP file.
///
/// libvips reads BMP only through ImageMagick, which is too much code to expose to hostile media. Source: Microsoft,
/// "Bitmap Storage" and "BITMAPV5HEADER"; IBM, OS/2 1.x "BITMAPCOREHEADER".
package struct BitmapHeader: ViewerStructure {
    package let width: Int
    package let height: Int
    package let isTopDown: Bool
    package let bitsPerPixel: Int
    package let compression: Compression
    /// The position of the first stored row in the file, in bytes.
    package let pixelOffset: Int
    /// The bit masks of red, green, blue and, if there is any, opacity in a pixel of 16 or 32 bits.
    package let masks: [UInt32]
    /// Whether some viewers read bits of each pixel as opacity although no mask names them.
    package let mayHaveOpacity: Bool
    /// The red, green and blue level of each palette colour.
    package let palette: [[UInt8]]
    /// The place of a colour profile, which browsers apply; nil for a picture without one.
    package let profile: Range<Int>?
    /// The position of the rows of an icon's mask, in bytes; nil for a picture without a mask.
    package let maskOffset: Int?

    package enum Compression {
        case none, runLength8, runLength4
    }

    package init(_ file: InputFile) throws(DecodingFailure) {
        maskOffset = nil
        // This count covers both headers, up to four masks after the second header, and 256 colours of four bytes.
        let bytes = try file.bytes(at: 0, count: 14 + 124 + 16 + 1024)
        func number16(_ offset: Int) throws(DecodingFailure) -> Int {
            guard let value = bytes.littleEndian(at: offset, as: UInt16.self) else { throw Self.broken }
            return Int(value)
        }
        func number32(_ offset: Int) throws(DecodingFailure) -> UInt32 {
            guard let value = bytes.littleEndian(at: offset, as: UInt32.self) else { throw Self.broken }
            return value
        }
        pixelOffset = Int(try number32(10))
        let headerSize = Int(try number32(14))
        let isCore = headerSize == 12
        guard isCore || [40, 52, 56, 64, 108, 124].contains(headerSize) else { throw Self.broken }

        if isCore {
            (width, height, isTopDown) = (try number16(18), try number16(20), false)
            bitsPerPixel = try number16(24)
        } else {
            width = Int(Int32(bitPattern: try number32(18)))
            let signedHeight = Int(Int32(bitPattern: try number32(22)))
            (height, isTopDown) = (abs(signedHeight), signedHeight < 0)
            bitsPerPixel = try number16(28)
        }
        guard bitsPerPixel != 2 else {
            throw DecodingFailure(.unsupportedVariant, format: .bmp, detail: "two bits a pixel")
        }
        guard [1, 4, 8, 16, 24, 32].contains(bitsPerPixel), width > 0, height > 0 else { throw Self.broken }

        // Browsers apply a profile only if the header is a BITMAPV5HEADER, which has 124 bytes. No viewer opens the file
        // that a linked profile names.
        if headerSize == 124, try number32(70) == Self.embeddedProfile {
            let (start, size) = (14 + Int(try number32(126)), Int(try number32(130)))
            guard size > 0, size <= Self.mostProfileBytes, start >= 14 + headerSize, start + size <= file.byteCount
            else {
                throw DecodingFailure(.profileOfBitmap, .bmp)
            }
            profile = start..<(start + size)
        } else {
            profile = nil
        }

        let method = isCore ? 0 : try number32(30)
        var maskCount = 0
        switch (method, bitsPerPixel) {
        case (0, _): compression = .none
        case (1, 8): compression = .runLength8
        case (2, 4): compression = .runLength4
        case (3, 16), (3, 32): (compression, maskCount) = (.none, headerSize >= 56 && headerSize != 64 ? 4 : 3)
        case (6, 16), (6, 32): (compression, maskCount) = (.none, 4)
        default: throw DecodingFailure(.unsupportedVariant, detail: "compression \(method)")
        }
        var masks: [UInt32] = []
        for index in 0..<maskCount {
            masks.append(try number32(54 + index * 4))
        }
        if maskCount == 0 {
            // The format prescribes these masks. Some viewers read the unused byte of 32 bits as opacity.
            masks = bitsPerPixel == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF0000, 0xFF00, 0xFF]
            if bitsPerPixel == 32 { masks.append(0xFF00_0000) }
        }
        // After three masks in a header of more than 40 bytes, ImageMagick reads four bytes as a mask of opacity. Bits
        // that no mask names therefore count as opacity, with every header.
        let unnamed = bitsPerPixel == 32 && maskCount == 3 ? ~masks.reduce(0, |) : 0
        if unnamed != 0 { masks.append(unnamed) }
        self.masks = masks
        guard maskCount == 0 || Self.areUsual(masks, bitsPerPixel: bitsPerPixel) else {
            throw DecodingFailure(.unusualMasks, .bmp)
        }
        // Pillow pads literal runs to an even position in the file, other programs to an even position in the data.
        guard compression == .none || pixelOffset % 2 == 0 else { throw DecodingFailure(.oddRunLengths, .bmp) }
        guard profile == nil || masks.count < 4 || masks[3] == 0 || bitsPerPixel <= 8 else {
            throw DecodingFailure(.profileOfBitmap, .bmp)
        }
        mayHaveOpacity = bitsPerPixel == 32 && (maskCount == 0 || unnamed != 0)

        let trailingMasks = headerSize == 40 ? maskCount * 4 : 0
        let paletteStart = 14 + headerSize + trailingMasks
        let entrySize = isCore ? 3 : 4
        // If the pixels begin inside the headers, some programs look for them elsewhere.
        guard pixelOffset >= paletteStart + (bitsPerPixel <= 8 ? entrySize : 0) else { throw Self.broken }
        guard bitsPerPixel <= 8 else {
            palette = []
            return
        }
        let used = isCore ? 0 : Int(try number32(46))
        let most = 1 << bitsPerPixel
        // If there is no room for colours of four bytes, some programs read three bytes for each.
        guard pixelOffset >= paletteStart + entrySize * min(used == 0 ? most : used, most) else {
            throw DecodingFailure(.paletteWithoutRoom, .bmp)
        }
        let available = max(0, bytes.count - paletteStart) / entrySize
        palette = (0..<min(used == 0 ? most : used, most, available)).map { index in
            let start = paletteStart + index * entrySize
            return [bytes[start + 2], bytes[start + 1], bytes[start]]
        }
        guard !palette.isEmpty else { throw Self.broken }
        guard !isReadAsLevels(used: used) else { throw DecodingFailure(.paletteOfItsNumbers, .bmp) }
    }

    /// Reads the header of a picture in an icon, which counts the rows of the mask as well.
    ///
    /// - Parameter part: the picture, which has no header of a file.
    package init(ofIcon part: InputFile) throws(DecodingFailure) {
        let bytes = try part.bytes(at: 0, count: Self.sizeInIcon + 1024)
        guard bytes.littleEndian(at: 0, as: UInt32.self) == UInt32(Self.sizeInIcon), bytes.count >= Self.sizeInIcon,
            let width = bytes.littleEndian(at: 4, as: UInt32.self).flatMap({ Int32(exactly: $0) }),
            let rows = bytes.littleEndian(at: 8, as: UInt32.self).flatMap({ Int32(exactly: $0) }), rows % 2 == 0,
            (1...Self.longestEdgeInIcon).contains(width), (1...2 * Self.longestEdgeInIcon).contains(rows),
            let used: UInt32 = bytes.littleEndian(at: 32)
        else { throw Self.broken }
        (self.width, height, isTopDown, compression) = (Int(width), Int(rows) / 2, false, .none)
        bitsPerPixel = Int(bytes.littleEndian(at: 14, as: UInt16.self) ?? 0)
        guard [1, 4, 8, 24, 32].contains(bitsPerPixel), bytes.littleEndian(at: 16, as: UInt32.self) == 0 else {
            throw DecodingFailure(.unsupportedVariant, detail: "compressed, or \(bitsPerPixel) bits a pixel")
        }
        profile = nil
        masks = bitsPerPixel == 32 ? [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000] : [0xFF0000, 0xFF00, 0xFF]
        mayHaveOpacity = bitsPerPixel == 32
        let count = bitsPerPixel > 8 ? 0 : used == 0 ? 1 << bitsPerPixel : Int(used)
        pixelOffset = Self.sizeInIcon + 4 * count
        guard count <= 1 << bitsPerPixel, bytes.count >= pixelOffset else { throw Self.broken }
        palette = (0..<count).map { index in
            let start = Self.sizeInIcon + 4 * index
            return [bytes[start + 2], bytes[start + 1], bytes[start]]
        }
        let (end, rowSize) = (
            pixelOffset + (self.width * bitsPerPixel + 31) / 32 * 4 * height, (self.width + 31) / 32 * 4
        )
        let hasMask = end + rowSize * height <= part.byteCount
        // Pictures with opacity of their own need no mask.
        guard hasMask || bitsPerPixel == 32 else { throw Self.broken }
        maskOffset = hasMask ? end : nil
        guard !isReadAsLevels(used: Int(used)) else { throw DecodingFailure(.paletteOfItsNumbers, .icon) }
    }

    /// Whether Pillow ignores the palette and reads the pixels as grey levels of one or eight bits.
    ///
    /// It does so for a palette of black and white, or if the levels of each colour equal its number in the palette.
    private func isReadAsLevels(used: Int) -> Bool {
        if used == 2 || used == 0 && bitsPerPixel == 1 {
            return bitsPerPixel > 1 && palette == [[0, 0, 0], [255, 255, 255]]
        }
        return bitsPerPixel < 8
            && palette.enumerated().allSatisfy { number, colour in colour.allSatisfy { $0 == number } }
    }

    /// Whether each mask is one run of bits within a pixel and no two masks overlap; only the opacity mask may be 0.
    private static func areUsual(_ masks: [UInt32], bitsPerPixel: Int) -> Bool {
        var seen: UInt32 = 0
        for (index, mask) in masks.enumerated() where mask != 0 || index < 3 {
            guard mask != 0, mask & seen == 0, bitsPerPixel == 32 || mask <= 0xFFFF else { return false }
            let part = mask >> UInt32(mask.trailingZeroBitCount)
            guard part & (part &+ 1) == 0 else { return false }
            seen |= mask
        }
        return true
    }

    private static let sizeInIcon = 40
    private static let longestEdgeInIcon: Int32 = 1 << 15

    /// The length of an uncompressed row in bytes, padded to a multiple of four.
    package var bytesPerRow: Int { (width * bitsPerPixel + 31) / 32 * 4 }

    private static let embeddedProfile: UInt32 = 0x4D42_4544
    private static let mostProfileBytes = 16 << 20
    static let broken = DecodingFailure(.malformed, format: .bmp, detail: "the header is broken")
}

extension TrailingMedia {
    /// Checks that no media follow the end of a BMP file, by the size in its header or by the size of its pixels.
    package static func checkBitmap(_ file: InputFile, _ header: BitmapHeader) throws(DecodingFailure) {
        let size = Int(try file.bytes(at: 2, count: 4).littleEndian(at: 0, as: UInt32.self) ?? 0)
        // No limit has been applied to the header yet, so the product may overflow.
        let (pixelSize, isTooLarge) = header.bytesPerRow.multipliedReportingOverflow(by: header.height)
        let hasKnownEnd = header.compression == .none && !isTooLarge && pixelSize <= file.byteCount
        let pixelEnd = hasKnownEnd ? header.pixelOffset + pixelSize : size
        for end in [size, pixelEnd] where try file.bytes(at: end, count: 2) == [0x42, 0x4D] && end > 0 {
            throw found(.bmp)
        }
        try check(file, from: min(pixelEnd, file.byteCount), .bmp)
    }
}
