// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The place of the pictures of a picture file that only the video decoder can decode.
package enum SequencePlace: Sendable, Hashable {
    /// The file itself is a sequence, such as an animated PNG.
    case wholeFile
    /// A video lies in these bytes of the file, as in a motion photo.
    case part(Range<UInt64>)

    static func write(_ place: SequencePlace?, to writer: inout ByteWriter) {
        switch place {
        case nil: writer.write(UInt8(0))
        case .wholeFile: writer.write(UInt8(1))
        case .part(let range):
            writer.write(UInt8(2))
            writer.write(range.lowerBound)
            writer.write(range.upperBound)
        }
    }

    static func read(from reader: inout ByteReader) throws(MessageError) -> SequencePlace? {
        switch try reader.read(UInt8.self) {
        case 0: return nil
        case 1: return .wholeFile
        case 2:
            let (start, end): (UInt64, UInt64) = (try reader.read(), try reader.read())
            guard start < end else { throw .valueOutOfRange }
            return .part(start..<end)
        default: throw .valueOutOfRange
        }
    }
}
