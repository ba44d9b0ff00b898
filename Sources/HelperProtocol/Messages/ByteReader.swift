// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Reads the little-endian fields of a message that somebody else has written.
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

    /// Reads a text, in which anything but printable ASCII is replaced so that it is safe to show.
    mutating func readText(atMost limit: Int) throws(MessageError) -> String {
        let count = Int(try read(UInt16.self))
        guard count <= limit else { throw .valueOutOfRange }
        guard rest.count >= count else { throw .tooShort }
        let text = String(decoding: rest.prefix(count).map(Self.printable), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }

    static func printable(_ byte: UInt8) -> UInt8 { (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?") }

    /// Throws if bytes are left over: a message is read to its end or not at all.
    func finish() throws(MessageError) {
        guard rest.isEmpty else { throw .tooLong }
    }
}

/// What is wrong with a message of the decoder protocol.
package enum MessageError: Error, Sendable, Equatable {
    case tooShort
    case tooLong
    case valueOutOfRange
    case unknownKind
}
