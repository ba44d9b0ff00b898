// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Appends the little-endian fields of a message.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<(value.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    /// Writes the length in two bytes and then the text in UTF-8, cut to what two bytes can count.
    mutating func write(_ text: String) {
        let encoded = Array(text.utf8.prefix(Int(UInt16.max)))
        write(UInt16(encoded.count))
        bytes.append(contentsOf: encoded)
    }
}
