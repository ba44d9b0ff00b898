// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// The fields of a protobuf message, one after the other.
///
/// Source: https://protobuf.dev/programming-guides/encoding/
@safe
struct ProtobufFields {
    /// The value of a field.
    @safe
    enum Value {
        case number(UInt64)
        /// Four or eight bytes, the lowest first.
        case fixed(UnsafeRawBufferPointer)
        /// A text, a message or packed numbers.
        case bytes(UnsafeRawBufferPointer)
    }

    private let message: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter message: the bytes of the message, which must outlive the fields.
    init(_ message: UnsafeRawBufferPointer) {
        unsafe self.message = message
    }

    /// Returns the next field; nil at the end of the message.
    ///
    /// - Throws: `unusable` if the bytes are no message.
    mutating func next() throws(ModelFailure) -> (field: Int, value: Value)? {
        guard unsafe position < message.count else { return nil }
        let key = try number()
        guard key >> 3 > 0, key <= UInt64(UInt32.max) else { throw ONNXContents.noModel }
        let field = Int(key >> 3)
        switch key & 7 {
        case 0: return (field, .number(try number()))
        case 1: return unsafe (field, .fixed(try bytes(8)))
        case 5: return unsafe (field, .fixed(try bytes(4)))
        case 2:
            guard let count = Int(exactly: try number()) else { throw ONNXContents.noModel }
            return unsafe (field, .bytes(try bytes(count)))
        default: throw ONNXContents.noModel
        }
    }

    /// Reads packed numbers of variable length.
    ///
    /// - Throws: `unusable` if the bytes are no such numbers.
    static func numbers(in bytes: UnsafeRawBufferPointer) throws(ModelFailure) -> [UInt64] {
        var (fields, numbers) = unsafe (ProtobufFields(bytes), [UInt64]())
        while unsafe fields.position < bytes.count { numbers.append(try fields.number()) }
        return numbers
    }

    private mutating func bytes(_ count: Int) throws(ModelFailure) -> UnsafeRawBufferPointer {
        guard unsafe count <= message.count - position else { throw ONNXContents.noModel }
        defer { position += count }
        return unsafe UnsafeRawBufferPointer(rebasing: message[position..<(position + count)])
    }

    /// Reads a number of variable length, which is at most 10 bytes long.
    private mutating func number() throws(ModelFailure) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while unsafe position < message.count, shift < 70 {
            let byte = unsafe message[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw ONNXContents.noModel
    }
}
