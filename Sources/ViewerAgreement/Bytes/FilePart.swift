// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A part of a file, with replacements and an insertion of bytes.
package struct FilePart {
    /// The start of the part, in bytes; the part ends at the end of the file.
    package var start: Int
    /// Positions in the part, with up to eight bytes that are read in place of the file's bytes.
    package var replacements: [(position: Int, bytes: [UInt8])]
    /// Bytes that are inserted at a position of the part; only GIF files need this.
    package var insertion: (position: Int, bytes: [UInt8])?

    package init(
        start: Int = 0, replacements: [(position: Int, bytes: [UInt8])] = [],
        insertion: (position: Int, bytes: [UInt8])? = nil
    ) {
        (self.start, self.replacements, self.insertion) = (start, replacements, insertion)
    }
}

extension InputFile {
    /// Returns the bytes of a part, with its replacements and without an insertion.
    package func bytes(of part: FilePart) throws(DecodingFailure) -> [UInt8] {
        var bytes = try bytes(at: part.start, count: byteCount - part.start)
        for (position, replacement) in part.replacements where position + replacement.count <= bytes.count {
            bytes.replaceSubrange(position..<(position + replacement.count), with: replacement)
        }
        return bytes
    }
}
