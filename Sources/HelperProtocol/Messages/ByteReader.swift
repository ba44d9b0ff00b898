// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A reader of the little-endian fields of an untrusted message.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func read<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type = Value.self
    ) throws(MessageError) -> Value {
        let size = Value.bitWidth / 8
        guard rest.count >= size else { throw .tooShort }
        var value: Value = 0
        for (index, byte) in rest.prefix(size).enumerated() {
            value |= Value(byte) << (8 * index)
        }
        rest = rest.dropFirst(size)
        return value
    }

    /// Reads a text, and replaces all bytes that are not printable ASCII, so that the text is safe to show.
    mutating func readText(atMost limit: Int) throws(MessageError) -> String {
        let count = Int(try read(UInt16.self))
        guard count <= limit else { throw .valueOutOfRange }
        guard rest.count >= count else { throw .tooShort }
        let text = String(decoding: rest.prefix(count).map(Self.printable), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }

    static func printable(_ byte: UInt8) -> UInt8 { (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?") }

    /// Throws if bytes are left over, because a message must be read to its end.
    func finish() throws(MessageError) {
        guard rest.isEmpty else { throw .tooLong }
    }

    /// Reads a byte that is 0 or 1.
    mutating func readFlag() throws(MessageError) -> Bool {
        switch try read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .valueOutOfRange
        }
    }
}
