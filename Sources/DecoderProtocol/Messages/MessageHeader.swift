// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The first eight bytes of every message: what protocol this is, which version, and what the message says.
enum MessageHeader {
    /// The letters "SCAD".
    static let magic: UInt32 = 0x4441_4353
    /// Raised with every change of a message's layout; a test pins the bytes.
    static let version: UInt16 = 1

    static func write(kind: UInt16, to writer: inout ByteWriter) {
        writer.write(magic)
        writer.write(version)
        writer.write(kind)
    }

    static func read(from reader: inout ByteReader) throws(MessageError) -> UInt16 {
        guard try reader.read(UInt32.self) == magic, try reader.read(UInt16.self) == version else {
            throw .valueOutOfRange
        }
        return try reader.read()
    }
}
