// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The shape of 8-bit RGB pixels in shared memory.
package struct PixelDescription: Sendable, Equatable {
    package var width: UInt32
    package var height: UInt32
    package var bytesPerRow: UInt32

    package init(width: UInt32, height: UInt32, bytesPerRow: UInt32) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }

    func write(to writer: inout ByteWriter) {
        writer.write(width)
        writer.write(height)
        writer.write(bytesPerRow)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        width = try reader.read()
        height = try reader.read()
        bytesPerRow = try reader.read()
    }
}
