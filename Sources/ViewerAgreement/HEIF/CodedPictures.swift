// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Counts the pictures in the data of a coded item, without decoding.
///
/// An item should hold one picture. If it holds several, libheif decodes the first, and programs that read the data as
/// a stream show all of them.
enum CodedPictures {
    /// Returns the number of pictures in AV1 data and the colour code points that the data name.
    ///
    /// Source: AV1 bitstream specification, sections 5.3 to 5.5 and 6.2.2.
    static func inAV1(_ bytes: [UInt8]) -> (count: Int, colours: [CodePoints]) {
        var (count, colours): (Int, [CodePoints]) = (0, [])
        var position = 0
        while position < bytes.count {
            let header = bytes[position]
            position += header & 4 == 0 ? 1 : 2
            guard position <= bytes.count else { break }
            var size = max(0, bytes.count - position)
            if header & 2 != 0 {
                guard let (value, length) = lengthCoded(bytes, at: position) else { break }
                position += length
                size = min(value, max(0, bytes.count - position))
            }
            let end = position + size
            switch header >> 3 & 15 {
            case 1: AV1SequenceHeader(bytes[position..<end])?.colours.map { colours.append($0) }
            // A frame header, with or without its data.
            case 3, 6: count += 1
            default: break
            }
            position = end
        }
        return (count, colours)
    }

    private static func lengthCoded(_ bytes: [UInt8], at start: Int) -> (value: Int, length: Int)? {
        var value = 0
        for place in 0..<8 where start + place < bytes.count {
            let byte = bytes[start + place]
            value |= Int(byte & 127) << (7 * place)
            if byte & 128 == 0 { return (value, place + 1) }
        }
        return nil
    }

    /// Returns the number of pictures in HEVC data, whose units each begin with their length.
    ///
    /// Source: ITU-T H.265, sections 7.3.1 and 7.4.7.1; ISO/IEC 14496-15, section 8.3.
    ///
    /// - Parameter lengthSize: the size of a length, in bytes.
    static func countInHEVC(_ bytes: [UInt8], lengthSize: Int) -> Int {
        var (count, position) = (0, 0)
        while position + lengthSize + 3 <= bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            position += lengthSize
            let isSlice = bytes[position] >> 1 & 63 < 32
            if length > 2, isSlice, bytes[position + 2] & 128 != 0 { count += 1 }
            position += length
        }
        return count
    }
}

/// The sequence header of AV1 data, read up to its colours.
///
/// Source: AV1 bitstream specification, sections 5.5.1 and 5.5.2.
struct AV1SequenceHeader {
    /// The code points of the colours; nil if the header has none.
    let colours: CodePoints?

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes)
        let profile = bits.number(3)
        bits.skip(1)
        let isReduced = bits.flag()
        if isReduced { bits.skip(5) } else { Self.skipOperatingPoints(&bits) }
        let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
        bits.skip(widthBits + heightBits)
        if !isReduced, bits.flag() { bits.skip(7) }
        bits.skip(3)
        if !isReduced { Self.skipTools(&bits) }
        bits.skip(3)
        let isHigh = bits.flag()
        if profile == 2, isHigh { bits.skip(1) }
        if profile != 1 { bits.skip(1) }
        colours =
            bits.flag()
            ? CodePoints(primaries: bits.number(8), transfer: bits.number(8), matrix: bits.number(8)) : nil
        guard !bits.isExhausted else { return nil }
    }

    private static func skipOperatingPoints(_ bits: inout BitReader) {
        var delayBits = 0
        var hasModel = false
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { _ = bits.universal() }
            hasModel = bits.flag()
            if hasModel {
                delayBits = bits.number(5) + 1
                bits.skip(42)
            }
        }
        let hasDelay = bits.flag()
        for _ in 0...bits.number(5) {
            bits.skip(12)
            if bits.number(5) > 7 { bits.skip(1) }
            if hasModel, bits.flag() { bits.skip(2 * delayBits + 1) }
            if hasDelay, bits.flag() { bits.skip(4) }
        }
    }

    private static func skipTools(_ bits: inout BitReader) {
        bits.skip(4)
        let hasOrder = bits.flag()
        if hasOrder { bits.skip(2) }
        let screenTools = bits.flag() ? 2 : bits.number(1)
        if screenTools > 0, !bits.flag() { bits.skip(1) }
        if hasOrder { bits.skip(3) }
    }
}

/// The gain maps among the items of a HEIF or AVIF file.
enum GainMap {
    /// Checks that no gain map changes its picture on an ordinary display.
    ///
    /// Source: ISO/IEC 23008-12:2025, "tmap".
    ///
    /// - Throws: `ambiguousRendering` if a gain map does, `unreadable`.
    static func check(_ items: ItemBoxes, in file: InputFile) throws(DecodingFailure) {
        for (number, item) in items.items where item.type == "tmap" {
            let parts = items.parts[number] ?? []
            // The first byte is the version of the item.
            let bytes = try parts.first.map { part throws(DecodingFailure) in
                try file.bytes(at: part.lowerBound, count: min(64, part.count))
            }
            guard parts.count == 1, let bytes, bytes.first == 0, GainMapMetadata.isOrdinary(Array(bytes.dropFirst()))
            else {
                throw DecodingFailure(.ambiguousRendering, detail: "a gain map that changes it on every display")
            }
        }
    }
}
