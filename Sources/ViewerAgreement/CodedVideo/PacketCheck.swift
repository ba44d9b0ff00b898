// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds VP8 and VP9 packets that FFmpeg shows differently from libvpx, which browsers use.
package enum PacketCheck {
    /// Whether FFmpeg and libvpx may show a packet differently.
    ///
    /// - Parameter bytes: returns `count` bytes of the packet from `position` on, or fewer at its end.
    package static func isDoubtful(
        byteCount: Int, of codec: VideoCodec?, _ bytes: (_ position: Int, _ count: Int) -> [UInt8]
    ) -> Bool {
        switch codec {
        case .vp8: VP8Header.exchangesReferences(bytes(0, VP8Header.mostBytes))
        case .vp9: hidesFrame(byteCount: byteCount, bytes)
        default: false
        }
    }

    /// Whether a VP9 packet may hold a frame outside of its index, which FFmpeg passes over and libvpx shows.
    ///
    /// Source: VP9 bitstream and decoding process specification, section 6.2 and annex B.
    ///
    /// - Parameter bytes: returns `count` bytes of the packet from `position` on, or fewer at its end.
    static func hidesFrame(byteCount: Int, _ bytes: (_ position: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard byteCount > 0, let first = bytes(0, 1).first, let last = bytes(byteCount - 1, 1).first else {
            return false
        }
        let (frameCount, size) = (Int(last & 7) + 1, Int(last >> 3 & 3) + 1)
        let indexSize = 2 + frameCount * size
        let index = bytes(byteCount - indexSize, indexSize)
        if last & 0xE0 == 0xC0, index.count == indexSize, index.first == last {
            var sum = indexSize
            for frame in 0..<frameCount {
                for place in 0..<size { sum += Int(index[1 + frame * size + place]) << (8 * place) }
            }
            return sum != byteCount
        }
        // A packet that shows an earlier frame again is a header alone.
        let isProfile3 = first & 0x30 == 0x30
        let showsAnother = first & (isProfile3 ? 4 : 8) != 0
        return first & 0xC0 == 0x80 && showsAnother && byteCount > (isProfile3 ? 2 : 1)
    }
}

/// Reads the header of a VP8 frame, up to the fields that replace reference frames.
///
/// Source: RFC 6386, sections 7, 9 and 19.2.
struct VP8Header {
    private var bytes: ArraySlice<UInt8>
    private var (value, range, bitCount) = (0, 255, 0)

    /// Whether a frame swaps the golden and alternate reference frames; libvpx replaces one after the other instead.
    ///
    /// - Parameter bytes: the first `mostBytes` bytes of the frame, or all of it.
    static func exchangesReferences(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 3, bytes[0] & 1 == 1 else { return false }
        var header = VP8Header(bytes: bytes[3...])
        return header.exchangesReferences()
    }

    /// The most bytes that are read; all fields up to the replaced reference frames have fewer.
    static let mostBytes = 128

    private init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        value = next() << 8 | next()
    }

    private mutating func exchangesReferences() -> Bool {
        skipSegments()
        // The kind of the loop filter, its level, and its sharpness.
        _ = number(10)
        if number(1) == 1, number(1) == 1 { for _ in 0..<8 { skipOptional(7) } }
        // The number of partitions, and an index of quantizers.
        _ = number(9)
        for _ in 0..<5 { skipOptional(5) }
        let (refreshesGolden, refreshesAlternate) = (number(1) == 1, number(1) == 1)
        let golden = refreshesGolden ? 0 : number(2)
        let alternate = refreshesAlternate ? 0 : number(2)
        return golden == 2 && alternate == 2
    }

    private mutating func skipSegments() {
        guard number(1) == 1 else { return }
        let (hasMap, hasData) = (number(1) == 1, number(1) == 1)
        if hasData {
            _ = number(1)
            for _ in 0..<4 { skipOptional(8) }
            for _ in 0..<4 { skipOptional(7) }
        }
        if hasMap { for _ in 0..<3 { skipOptional(8) } }
    }

    /// Skips a number of so many bits, if the bit before it is set.
    private mutating func skipOptional(_ count: Int) {
        if number(1) == 1 { _ = number(count) }
    }

    private mutating func number(_ count: Int) -> Int {
        (0..<count).reduce(0) { number, _ in number << 1 | bit() }
    }

    /// Returns the next bit, for which 0 and 1 are equally likely.
    private mutating func bit() -> Int {
        let split = 1 + ((range - 1) * 128) >> 8
        let isOne = value >= split << 8
        if isOne {
            range -= split
            value -= split << 8
        } else {
            range = split
        }
        while range < 128 {
            value <<= 1
            range <<= 1
            bitCount += 1
            if bitCount == 8 {
                bitCount = 0
                value |= next()
            }
        }
        return isOne ? 1 : 0
    }

    /// Returns the next byte, or 0 behind the end of the partition.
    private mutating func next() -> Int { bytes.popFirst().map { Int($0) } ?? 0 }
}
