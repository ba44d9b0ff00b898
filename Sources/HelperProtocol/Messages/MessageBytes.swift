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

    /// Reads a case by its position in the order of declaration.
    mutating func readIndexed<Case: CaseIterable>() throws(MessageError) -> Case {
        let (cases, index) = (Array(Case.allCases), Int(try read(UInt8.self)))
        guard index < cases.count else { throw .valueOutOfRange }
        return cases[index]
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

/// Appends the little-endian fields of a message.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<(value.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    /// Writes the position of a case in the order of its declaration, in a byte.
    mutating func write<Case: CaseIterable & Equatable>(index value: Case) {
        write(UInt8(clamping: Array(Case.allCases).firstIndex(of: value) ?? Int(UInt8.max)))
    }

    /// Writes the length in two bytes and then the text in UTF-8, cut to what two bytes can count.
    mutating func write(_ text: String) {
        let encoded = Array(text.utf8.prefix(Int(UInt16.max)))
        write(UInt16(encoded.count))
        bytes.append(contentsOf: encoded)
    }

    /// Writes the printable ASCII characters of a text, up to a number of them.
    mutating func write(_ text: String, atMost limit: Int) {
        write(String(decoding: text.utf8.prefix(limit).map(ByteReader.printable), as: UTF8.self))
    }
}
