// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Checks where the index of an FLV file leads.
///
/// Source: Adobe Flash Video File Format Specification 10.1, annex E.
enum FLVIndex {
    /// Whether a tag begins at each position that the index names; those behind the end of the file lead nowhere.
    ///
    /// A player that seeks goes on where the index leads, and could find tags inside of another one there.
    /// - Throws: `unreadable`.
    static func leadsToTags(at positions: Set<Int>, in file: InputFile) throws(DecodingFailure) -> Bool {
        var left = positions.filter { $0 < file.byteCount }.sorted()[...]
        // Behind the header is the size of a tag that is not there.
        guard !left.isEmpty, let offset: UInt32 = try file.bytes(at: 0, count: 9).bigEndian(at: 5) else {
            return left.isEmpty
        }
        var position = Int(offset) + 4
        while let next = left.first {
            if next < position { return false }
            if next == position { left.removeFirst() }
            guard let head: UInt32 = try file.bytes(at: position, count: 4).bigEndian(at: 0) else { break }
            position += Int(head & 0xFF_FFFF) + tagOverhead
        }
        return left.isEmpty
    }

    /// The header of a tag, and its size behind it, in bytes.
    private static let tagOverhead = 15
}
