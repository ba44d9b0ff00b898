// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The first sixteen bytes of every message: what protocol this is, which version, what the message says, and which
/// request it is or answers.
package struct MessageHeader: Sendable, Equatable {
    let kind: UInt16
    /// Chosen by the host at random for each request, so that no answer can be given ahead of its request.
    package let serial: UInt64

    init(kind: UInt16, serial: UInt64) {
        self.kind = kind
        self.serial = serial
    }

    /// Reads the header alone.
    package init(of bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard try reader.read(UInt32.self) == Self.magic, try reader.read(UInt16.self) == Self.version else {
            throw .valueOutOfRange
        }
        self.init(kind: try reader.read(), serial: try reader.read())
    }

    func write(to writer: inout ByteWriter) {
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(kind)
        writer.write(serial)
    }

    /// The letters "SCAD".
    private static let magic: UInt32 = 0x4441_4353
    /// Raised with every change of a message's layout; a test pins the bytes.
    private static let version: UInt16 = 8
}
