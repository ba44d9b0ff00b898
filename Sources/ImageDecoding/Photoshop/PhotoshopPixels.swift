// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import ViewerAgreement

/// Reads the pixels of a Photoshop file: those of the merged picture, and those of a layer.
struct PhotoshopPixels {
    private let file: InputFile
    private let structure: PhotoshopStructure

    init(_ file: InputFile, _ structure: PhotoshopStructure) {
        (self.file, self.structure) = (file, structure)
    }

    /// Returns the merged picture, with the first extra channel as its opacity.
    func merged(_ limits: AnalysisLimits) throws(DecodingFailure) -> VipsPicture {
        let (width, height) = (structure.width, structure.height)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        let bytes = try file.bytes(at: structure.merged.lowerBound, count: structure.merged.count)
        let bandCount = min(structure.channelCount, structure.colours.channelCount + 1)
        let size = PlaneSize(width: width, height: height, depth: structure.depth)
        var position = 2
        var planes: [[UInt8]] = []
        switch bytes.bigEndian(at: 0, as: UInt16.self) {
        case 0:
            for _ in 0..<structure.channelCount {
                guard position + size.byteCount <= bytes.count else { throw .brokenPhotoshop("the picture is cut off") }
                if planes.count < bandCount { planes.append(Array(bytes[position..<(position + size.byteCount)])) }
                position += size.byteCount
            }
        case 1:
            let rows = Rows(count: structure.channelCount * height, byteCount: size.bytesPerRow)
            position += 2 * rows.count
            for index in 0..<structure.channelCount {
                let plane = try rows.unpacked(
                    bytes, tableAt: 2, (index * height)..<((index + 1) * height), from: &position)
                if planes.count < bandCount { planes.append(plane) }
            }
        default:
            throw DecodingFailure(.unsupportedVariant, format: .photoshop, detail: "the compression of the picture")
        }
        guard bytes[position...].allSatisfy({ $0 == 0 }) else { throw TrailingMedia.found(.photoshop) }
        return try picture(planes.map(size.inEightBits), width: width, height: height)
    }

    /// Returns a layer with its opacity.
    func layer(_ layer: PhotoshopLayer, _ limits: AnalysisLimits) throws(DecodingFailure) -> VipsPicture {
        try limits.checkPicture(width: layer.width, height: layer.height, isStreamed: false)
        let size = PlaneSize(width: layer.width, height: layer.height, depth: structure.depth)
        var planes: [[UInt8]] = []
        for number in Array(0..<structure.colours.channelCount) + [-1] {
            guard let place = layer.channels[number] else {
                guard number == -1 else { throw .brokenPhotoshop("a layer without a colour") }
                continue
            }
            planes.append(size.inEightBits(try plane(at: place, size)))
        }
        return try picture(planes, width: layer.width, height: layer.height)
    }

    private func plane(at place: Range<Int>, _ size: PlaneSize) throws(DecodingFailure) -> [UInt8] {
        let bytes = try file.bytes(at: place.lowerBound, count: place.count)
        switch bytes.bigEndian(at: 0, as: UInt16.self) {
        case 0:
            // Pillow reads the next channel directly behind this one.
            guard bytes.count == 2 + size.byteCount else { throw .brokenPhotoshop("a layer of another size") }
            return Array(bytes[2..<(2 + size.byteCount)])
        case 1:
            let rows = Rows(count: size.height, byteCount: size.bytesPerRow)
            var position = 2 + 2 * rows.count
            let plane = try rows.unpacked(bytes, tableAt: 2, 0..<size.height, from: &position)
            guard position == bytes.count else { throw .brokenPhotoshop("a layer of another size") }
            return plane
        case 2: return try inflated(bytes.dropFirst(2), size)
        case 3: return size.withoutDifferences(try inflated(bytes.dropFirst(2), size))
        default: throw DecodingFailure(.unsupportedVariant, format: .photoshop, detail: "the compression of a layer")
        }
    }

    private func inflated(_ packed: ArraySlice<UInt8>, _ size: PlaneSize) throws(DecodingFailure) -> [UInt8] {
        guard let plane = ZlibData.unpacked(packed, mostBytes: size.byteCount), plane.count == size.byteCount else {
            throw .brokenPhotoshop("a layer cannot be unpacked")
        }
        return plane
    }

    /// Joins planes of 8 bits to a picture with the colours of the file.
    private func picture(_ planes: [[UInt8]], width: Int, height: Int) throws(DecodingFailure) -> VipsPicture {
        var planes = planes
        switch structure.colours {
        case .bitmap, .grey, .duotone, .rgb: break
        // The file has 255 for no ink.
        case .inks: for index in 0..<4 { planes[index] = planes[index].map { 255 - $0 } }
        case .indexed:
            let palette = try file.bytes(at: structure.palette.lowerBound, count: 768)
            let colours = (0..<3).map { band in planes[0].map { palette[256 * band + Int($0)] } }
            planes = colours + planes.dropFirst()
        }
        let bandCount = planes.count
        var samples = [UInt8](repeating: 0, count: width * height * bandCount)
        for (band, plane) in planes.enumerated() {
            var target = band
            for level in plane {
                samples[target] = level
                target += bandCount
            }
        }
        let interpretation =
            switch structure.colours {
            case .bitmap, .grey, .duotone: VIPS_INTERPRETATION_B_W
            case .rgb, .indexed: VIPS_INTERPRETATION_sRGB
            case .inks: VIPS_INTERPRETATION_CMYK
            }
        return try VipsPicture.inMemory(samples, width: width, height: height, bandCount: bandCount)
            .interpreted(as: interpretation)
    }
}

/// The size of one channel.
private struct PlaneSize {
    let width, height, depth: Int

    var bytesPerRow: Int { (width * depth + 7) / 8 }
    var byteCount: Int { bytesPerRow * height }

    /// Returns the levels of a plane with 8 bits.
    ///
    /// Of 16 bits the upper ones count. A set bit is black.
    func inEightBits(_ plane: [UInt8]) -> [UInt8] {
        switch depth {
        case 8: return plane
        case 16: return stride(from: 0, to: plane.count, by: 2).map { plane[$0] }
        default:
            var levels: [UInt8] = []
            levels.reserveCapacity(width * height)
            for row in 0..<height {
                for column in 0..<width {
                    let byte = plane[row * bytesPerRow + column / 8]
                    levels.append(byte & 0x80 >> UInt8(column % 8) == 0 ? 255 : 0)
                }
            }
            return levels
        }
    }

    /// Returns a plane whose samples were stored as differences from the sample before them in the row.
    func withoutDifferences(_ plane: [UInt8]) -> [UInt8] {
        var plane = plane
        let step = depth / 8
        for row in 0..<height {
            let start = row * bytesPerRow
            for offset in stride(from: start + step, to: start + bytesPerRow, by: step) {
                guard step == 2 else {
                    plane[offset] &+= plane[offset - 1]
                    continue
                }
                let before = UInt16(plane[offset - 2]) << 8 | UInt16(plane[offset - 1])
                let sum = before &+ (UInt16(plane[offset]) << 8 | UInt16(plane[offset + 1]))
                (plane[offset], plane[offset + 1]) = (UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum))
            }
        }
        return plane
    }
}

/// Rows that are packed as run lengths (PackBits), behind a table with the length of each packed row.
private struct Rows {
    /// The number of rows in the table.
    let count: Int
    /// The number of bytes of an unpacked row.
    let byteCount: Int

    /// - Parameters:
    ///   - table: the position of the table.
    ///   - position: the position of the first packed row, and then of the row behind the last one.
    /// - Throws: `malformed`, or a disagreement if programs unpack a row differently.
    func unpacked(
        _ bytes: [UInt8], tableAt table: Int, _ rows: Range<Int>, from position: inout Int
    ) throws(DecodingFailure) -> [UInt8] {
        guard table + 2 * count <= bytes.count else { throw .brokenPhotoshop("the table of rows is cut off") }
        var plane: [UInt8] = []
        plane.reserveCapacity(rows.count * byteCount)
        for row in rows {
            let end = position + Int(bytes[table + 2 * row]) << 8 + Int(bytes[table + 2 * row + 1])
            guard end <= bytes.count else { throw .brokenPhotoshop("a row is cut off") }
            let full = plane.count + byteCount
            while position < end {
                let head = bytes[position]
                position += 1
                // FFmpeg takes this for a run, and other programs pass over it.
                guard head != 0x80 else { throw DecodingFailure(.runBeyondRow, .photoshop) }
                let isRun = head > 0x80
                let length = isRun ? 257 - Int(head) : Int(head) + 1
                guard position + (isRun ? 1 : length) <= end, plane.count + length <= full else {
                    throw DecodingFailure(.runBeyondRow, .photoshop)
                }
                if isRun {
                    plane += repeatElement(bytes[position], count: length)
                } else {
                    plane += bytes[position..<(position + length)]
                }
                position += isRun ? 1 : length
            }
            guard plane.count == full else { throw .brokenPhotoshop("a row is too short") }
        }
        return plane
    }
}
