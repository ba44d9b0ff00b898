// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bytes from the highest to the lowest.
    var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }

    /// The bytes from the lowest to the highest.
    var littleEndianBytes: [UInt8] {
        stride(from: 0, to: Self.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }
}
