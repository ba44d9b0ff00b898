// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The place of the pictures of a picture file that only the video decoder can decode.
package enum SequencePlace: Sendable, Hashable {
    /// The file itself is a sequence, such as an animated PNG.
    case wholeFile
    /// The file itself, whose pictures were drawn already as some viewers draw them.
    ///
    /// The video decoder draws them as other viewers do, which miss the pictures that it cannot decode.
    case otherDrawing
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
        case .otherDrawing: writer.write(UInt8(3))
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
        case 3: return .otherDrawing
        default: throw .valueOutOfRange
        }
    }
}
