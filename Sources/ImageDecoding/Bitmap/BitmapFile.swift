// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import DecoderService
internal import ViewerAgreement

/// Reads the pixels of a BMP file, or of a picture in an icon, row by row and averages them.
struct BitmapFile {
    private let file: InputFile
    private let header: BitmapHeader
    private let factors: (horizontal: Int, vertical: Int)

    init(
        _ file: InputFile, _ header: BitmapHeader, _ limits: AnalysisLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) {
        self.file = file
        self.header = header
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: header.compression == .none)
        factors = target.averagingFactors(width: header.width, height: header.height)
    }

    /// Decodes the picture and averages its renderings.
    ///
    /// Some viewers obey an alpha channel, some ignore it, and some ignore it only if it is all 0. Pixels that run
    /// lengths skip are transparent in some viewers and have the first palette colour in others.
    func rendered() throws(DecodingFailure) -> RenderedPicture {
        let hasAlpha = header.masks.count == 4 && header.masks[3] != 0 && header.bitsPerPixel > 8
        let indices = header.compression == .none ? nil : try RunLengthDecoder(file, header).indices()
        let skips = indices?.contains(-1) == true
        let bandCount = hasAlpha || skips ? 4 : 3
        let averages = try ViewAverages(
            width: header.width, height: header.height, bandCount: bandCount, factors: factors)
        try forEachRow(indices, bandCount: bandCount) { row in unsafe averages.add(row) }
        var averaged = try averages.finish()
        if header.mayHaveOpacity, averaged.views.count > 1 {
            // The last view, usually without opacity, comes first. Blank views, the result of opacity 0, are dropped.
            let others = averaged.views.dropLast().reversed().filter { view in view.contains { $0 != view[0] } }
            averaged.views = [averaged.views[averaged.views.count - 1]] + others
        }
        if let mask = header.maskOffset { try averaged.add(try masked(at: mask).views) }
        return RenderedPicture(
            views: averaged.views, width: averaged.width, height: averaged.height, originalWidth: header.width,
            originalHeight: header.height)
    }

    /// Returns the picture as most viewers show it: with the opacity that the header or an icon states, if it shows any.
    func picture() throws(DecodingFailure) -> VipsPicture {
        let hasAlpha = header.masks.count == 4 && header.masks[3] != 0 && header.bitsPerPixel > 8
        let obeysAlpha = hasAlpha && (header.maskOffset != nil || !header.mayHaveOpacity)
        let indices = header.compression == .none ? nil : try RunLengthDecoder(file, header).indices()
        let bandCount = obeysAlpha || indices?.contains(-1) == true ? 4 : 3
        var (pixels, isVisible): ([UInt8], Bool) = ([], false)
        pixels.reserveCapacity(bandCount * header.width * header.height)
        try forEachRow(indices, bandCount: bandCount) { row in
            pixels += row
            if bandCount == 4, !isVisible { isVisible = stride(from: 3, to: row.count, by: 4).contains { row[$0] > 0 } }
        }
        var picture = try VipsPicture.inMemory(
            pixels, width: header.width, height: header.height, bandCount: bandCount)
        if bandCount == 4, !isVisible { picture = try picture.bands(from: 0, count: 3) }
        if let mask = header.maskOffset, picture.bandCount == 3 {
            picture = try VipsPicture.inMemory(
                try maskedPixels(at: mask), width: header.width, height: header.height, bandCount: 4)
        }
        return try picture.interpreted(as: VIPS_INTERPRETATION_sRGB)
    }

    /// Returns all colours without opacity, from the upper row on.
    func pixels() throws(DecodingFailure) -> [UInt8] {
        let indices = header.compression == .none ? nil : try RunLengthDecoder(file, header).indices()
        guard indices?.contains(-1) != true else { throw DecodingFailure(.profileOfBitmap, .bmp) }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * header.width * header.height)
        try forEachRow(indices, bandCount: 3) { row in pixels += row }
        return pixels
    }

    /// Passes each row of pixels to the closure, from the upper row on.
    ///
    /// - Parameter indices: the numbers of the colours of all pixels, if they are stored as run lengths.
    private func forEachRow(
        _ indices: [Int16]?, bandCount: Int, _ take: ([UInt8]) -> Void
    ) throws(DecodingFailure) {
        for row in 0..<header.height {
            let stored = header.isTopDown ? row : header.height - 1 - row
            if let indices {
                let start = stored * header.width
                take(try coloured(indices[start..<(start + header.width)], hasOpacity: bandCount == 4))
            } else {
                take(try self.row(stored, bandCount: bandCount))
            }
        }
    }

    /// Averages the renderings of the colours with a mask of one bit a pixel, which is 1 where nothing is shown.
    private func masked(at offset: Int) throws(DecodingFailure) -> ViewAverages.Averages {
        let averages = try ViewAverages(width: header.width, height: header.height, bandCount: 4, factors: factors)
        try forEachMaskedRow(at: offset) { row in unsafe averages.add(row) }
        return try averages.finish()
    }

    /// Returns the colours with a mask as opacity, from the upper row on.
    private func maskedPixels(at offset: Int) throws(DecodingFailure) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * header.width * header.height)
        try forEachMaskedRow(at: offset) { row in pixels += row }
        return pixels
    }

    private func forEachMaskedRow(at offset: Int, _ take: ([UInt8]) -> Void) throws(DecodingFailure) {
        let rowSize = (header.width + 31) / 32 * 4
        for stored in (0..<header.height).reversed() {
            let mask = try file.bytes(at: offset + stored * rowSize, count: rowSize)
            guard mask.count == rowSize else { throw DecodingFailure(.malformed, detail: "the mask is cut off") }
            let colours = try row(stored, bandCount: 3)
            var pixels = [UInt8](repeating: 0, count: header.width * 4)
            for column in 0..<header.width {
                for channel in 0..<3 { pixels[column * 4 + channel] = colours[column * 3 + channel] }
                pixels[column * 4 + 3] = mask[column / 8] & (0x80 >> UInt8(column % 8)) == 0 ? 255 : 0
            }
            take(pixels)
        }
    }

    private func row(_ stored: Int, bandCount: Int) throws(DecodingFailure) -> [UInt8] {
        let bytes = try file.bytes(
            at: header.pixelOffset + stored * header.bytesPerRow, count: header.bytesPerRow)
        // The file may lack the padding of the last row, but none of its pixels.
        guard bytes.count >= (header.width * header.bitsPerPixel + 7) / 8 else {
            throw DecodingFailure(.malformed, detail: "the file ends before its last row")
        }
        switch header.bitsPerPixel {
        case 24:
            var row = [UInt8](repeating: 0, count: header.width * 3)
            for pixel in 0..<header.width {
                row[pixel * 3] = bytes[pixel * 3 + 2]
                row[pixel * 3 + 1] = bytes[pixel * 3 + 1]
                row[pixel * 3 + 2] = bytes[pixel * 3]
            }
            return row
        case 16, 32: return masked(bytes, bandCount: bandCount)
        default:
            let bits = header.bitsPerPixel
            let perByte = 8 / bits
            let indices = (0..<header.width).map { pixel in
                Int16(bytes[pixel / perByte] >> UInt8((perByte - 1 - pixel % perByte) * bits) & UInt8((1 << bits) - 1))
            }
            return try coloured(indices[...], hasOpacity: false)
        }
    }

    private func masked(_ bytes: [UInt8], bandCount: Int) -> [UInt8] {
        let size = header.bitsPerPixel / 8
        let channels = header.masks.prefix(bandCount).map { mask in
            (mask: mask, shift: mask == 0 ? 0 : mask.trailingZeroBitCount)
        }
        var row: [UInt8] = []
        row.reserveCapacity(header.width * bandCount)
        for pixel in 0..<header.width {
            var value: UInt32 = 0
            for byte in 0..<size { value |= UInt32(bytes[pixel * size + byte]) << UInt32(byte * 8) }
            for (mask, shift) in channels {
                let most = mask >> UInt32(shift)
                let part = UInt64((value & mask) >> UInt32(shift))
                row.append(most == 0 ? 0 : UInt8((part * 255 + UInt64(most) / 2) / UInt64(most)))
            }
        }
        return row
    }

    private func coloured(_ indices: ArraySlice<Int16>, hasOpacity: Bool) throws(DecodingFailure) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(indices.count * (hasOpacity ? 4 : 3))
        for index in indices {
            guard Int(index) < header.palette.count else {
                // Such a pixel is black in some viewers and grey in others.
                throw DecodingFailure(.colourBeyondPalette, .bmp)
            }
            row.append(contentsOf: header.palette[max(0, Int(index))])
            if hasOpacity { row.append(index < 0 ? 0 : 255) }
        }
        return row
    }
}
