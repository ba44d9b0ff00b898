// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The records of the program that captures from PipeWire: the bytes of a Matroska stream, or the start of another.
package enum NodeRecord: Sendable, Equatable {
    case bytes([UInt8])
    /// The frames have another size or other colours from here on, so another stream begins.
    case nextStream

    /// The number of bytes before each record, which hold the number of bytes in it, the lowest first.
    package static let headerLength = 4
    /// The most bytes of one record.
    package static let mostBytes = 1 << 20

    /// Returns the header of a record with so many bytes; none begin another stream.
    package static func header(ofLength length: Int) -> [UInt8] {
        (0..<headerLength).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }

    /// Reads a header; nil if the record would be too long.
    package static func length(ofHeader header: [UInt8]) -> Int? {
        let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        return header.count == headerLength && length <= mostBytes ? length : nil
    }
}
