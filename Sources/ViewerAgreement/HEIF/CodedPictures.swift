// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Counts the pictures in the data of a coded item, without decoding.
///
/// An item should hold one picture, or in AV1 several layers of it, of which programs show different ones.
enum CodedPictures {
    /// Returns the numbers of pictures and operating points in AV1 data, and the colour code points that the data name.
    ///
    /// Source: AV1 bitstream specification, sections 5.3 to 5.5 and 6.2.2.
    static func inAV1(_ bytes: [UInt8]) -> (count: Int, pointCount: Int, colours: [CodePoints]) {
        var (count, pointCount, colours): (Int, Int, [CodePoints]) = (0, 1, [])
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
            case 1:
                if let header = AV1SequenceHeader(bytes[position..<end]) {
                    header.colours.map { colours.append($0) }
                    pointCount = max(pointCount, header.pointCount)
                }
            // A frame header, with or without its data.
            case 3, 6: count += 1
            default: break
            }
            position = end
        }
        return (count, pointCount, colours)
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
    /// Decoders ignore units of other layers than the first.
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
            let isInFirstLayer = bytes[position] & 1 == 0 && bytes[position + 1] >> 3 == 0
            if length > 2, isSlice, isInFirstLayer, bytes[position + 2] & 128 != 0 { count += 1 }
            position += length
        }
        return count
    }
}
