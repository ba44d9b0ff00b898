// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The first sixteen bytes of every message: the protocol, its version, the kind of message, and the request's serial.
package struct MessageHeader: Sendable, Equatable {
    let kind: UInt16
    /// The random number of a request after the greeting, which the reply repeats; a helper cannot guess it in advance.
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

    /// Encodes a message of a kind: the header, and the members that the closure writes.
    static func message(
        _ kind: UInt16, _ serial: UInt64, _ writeMembers: (inout ByteWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = ByteWriter()
        MessageHeader(kind: kind, serial: serial).write(to: &writer)
        writeMembers(&writer)
        return writer.bytes
    }

    private func write(to writer: inout ByteWriter) {
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(kind)
        writer.write(serial)
    }

    /// The first four bytes of every message: the letters "SCAD".
    private static let magic: UInt32 = 0x4441_4353
    /// The version of the protocol, raised with every change of a message's layout; a test pins the bytes.
    private static let version: UInt16 = 20
}
