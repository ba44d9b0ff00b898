// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The fields of an HEVC picture parameter set that are needed to read the header of a slice.
///
/// Source: ITU-T H.265, section 7.3.2.3.
struct HEVCPicture {
    let identifier: Int
    let sequence: Int
    let hasOutputFlag: Bool
    let extraBitCount: Int

    /// - Parameter payload: the bytes behind the header of the unit, without emulation prevention bytes.
    init?(_ payload: [UInt8]) {
        var bits = BitReader(payload[...])
        (identifier, sequence) = (bits.universal(), bits.universal())
        bits.skip(1)
        hasOutputFlag = bits.flag()
        extraBitCount = bits.number(3)
        guard identifier < 64, sequence < 16, !bits.isExhausted else { return nil }
    }
}
