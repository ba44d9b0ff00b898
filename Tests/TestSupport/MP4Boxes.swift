// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Changes boxes of MP4 files in ways that no program would.
package enum MP4Boxes {
    /// The error for a box that the file does not have.
    package struct Missing: Error {
        package let name: String
    }

    /// Replaces the last bytes of a box, and changes the sizes of all boxes around it.
    package static func replace(last count: Int, by bytes: Data, in path: [String], of file: inout Data) throws {
        var (start, end) = (file.startIndex, file.endIndex)
        for name in path {
            guard let found = file.range(of: Data(name.utf8), in: start..<end) else { throw Missing(name: name) }
            let sizeAt = found.lowerBound - 4
            let size = (0..<4).reduce(0) { $0 << 8 | Int(file[sizeAt + $1]) }
            let changed = size + bytes.count - count
            for place in 0..<4 { file[sizeAt + place] = UInt8(truncatingIfNeeded: changed >> (24 - place * 8)) }
            (start, end) = (found.upperBound, sizeAt + size)
        }
        file.replaceSubrange((end - count)..<end, with: bytes)
    }

    /// Replaces the list of key frames, whose length is `count`; frames are counted from 1.
    package static func setKeyFrames(_ numbers: [Int], replacing count: Int, in file: inout Data) throws {
        let table = ([numbers.count] + numbers).reduce(into: Data()) { table, number in
            for shift in [24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        try replace(
            last: 4 + count * 4, by: table, in: ["moov", "trak", "mdia", "minf", "stbl", "stss"], of: &file)
    }
}
