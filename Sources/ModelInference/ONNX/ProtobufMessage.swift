// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a protobuf message, written field by field.
///
/// Source: https://protobuf.dev/programming-guides/encoding/
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: Int, _ field: Int) {
        writeNumber(field << 3)
        writeNumber(value)
    }

    mutating func write(_ text: String, _ field: Int) { write(bytes: Array(text.utf8), field) }

    mutating func write(_ message: ProtobufMessage, _ field: Int) { write(bytes: message.bytes, field) }

    mutating func write(bytes content: [UInt8], _ field: Int) {
        writeNumber(field << 3 | 2)
        writeNumber(content.count)
        bytes += content
    }

    private mutating func writeNumber(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
