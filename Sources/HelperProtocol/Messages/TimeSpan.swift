// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A span of a track, in microseconds from its start.
package struct TimeSpan: Sendable, Hashable {
    package var start: UInt64
    /// The end, which is later than `start`.
    package var end: UInt64

    package init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    func write(to writer: inout ByteWriter) {
        writer.write(start)
        writer.write(end)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        self.init(start: try reader.read(), end: try reader.read())
    }
}
