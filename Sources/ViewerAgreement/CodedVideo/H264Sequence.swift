// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The fields of an H.264 sequence parameter set that are needed to read the header of a slice.
///
/// Source: ITU-T H.264, sections 7.3.2.1.1 and 7.3.3.
struct H264Sequence: Equatable {
    let hasSeparateColours: Bool
    /// The number of bits of a frame's number in the header of a slice.
    let frameNumberBits: Int
    /// Whether a frame may be coded as two fields.
    let mayHaveFields: Bool

    /// - Parameter payload: the bytes behind the header of the unit, without emulation prevention bytes.
    init?(_ payload: [UInt8]) {
        var bits = BitReader(payload[...])
        let profile = bits.number(8)
        bits.skip(16)
        _ = bits.universal()
        var hasSeparateColours = false
        if Self.profilesWithFormats.contains(profile) {
            let chroma = bits.universal()
            hasSeparateColours = chroma == 3 && bits.flag()
            for _ in 0..<2 { _ = bits.universal() }
            bits.skip(1)
            if bits.flag() { Self.skipScaling(&bits, listCount: chroma == 3 ? 12 : 8) }
        }
        self.hasSeparateColours = hasSeparateColours
        frameNumberBits = bits.universal() + 4
        switch bits.universal() {
        case 0: _ = bits.universal()
        case 1:
            bits.skip(1)
            for _ in 0..<2 { _ = bits.universal() }
            let count = bits.universal()
            guard count <= 255 else { return nil }
            for _ in 0..<count { _ = bits.universal() }
        default: break
        }
        _ = bits.universal()
        bits.skip(1)
        for _ in 0..<2 { _ = bits.universal() }
        mayHaveFields = !bits.flag()
        guard frameNumberBits <= 16, !bits.isExhausted else { return nil }
    }

    private static func skipScaling(_ bits: inout BitReader, listCount: Int) {
        for list in 0..<listCount where bits.flag() {
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                let code = bits.universal()
                next = (last + (code % 2 == 1 ? (code + 1) / 2 : -code / 2) + 256) & 255
                last = next == 0 ? last : next
            }
        }
    }

    /// The profiles whose parameters say how colours are stored.
    private static let profilesWithFormats: Set<Int> = [
        44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
    ]
}
