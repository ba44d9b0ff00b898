// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A writer of the little-endian fields of a message.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<(value.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    /// Writes the length in two bytes and then the text in UTF-8, cut to 65,535 bytes.
    mutating func write(_ text: String) {
        let encoded = Array(text.utf8.prefix(Int(UInt16.max)))
        write(UInt16(encoded.count))
        bytes.append(contentsOf: encoded)
    }

    /// Writes at most `limit` bytes of a text, with a question mark for each byte that is not printable ASCII.
    mutating func write(_ text: String, atMost limit: Int) {
        write(String(decoding: text.utf8.prefix(limit).map(ByteReader.printable), as: UTF8.self))
    }
}
