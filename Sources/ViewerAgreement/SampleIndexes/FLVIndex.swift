// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks the index of an FLV file.
///
/// Source: Adobe Flash Video File Format Specification 10.1, annex E.
package enum FLVIndex {
    /// Whether a tag begins at each position that the index names.
    ///
    /// - Throws: `unreadable`.
    package static func leadsToTags(at positions: Set<Int>, in file: InputFile) throws(DecodingFailure) -> Bool {
        var named = NamedPositions(positions, in: file)
        // The size of a previous tag follows the header, although there is no previous tag.
        guard !named.isEmpty, let offset: UInt32 = try file.bytes(at: 0, count: 9).bigEndian(at: 5) else {
            return named.isEmpty
        }
        var position = Int(offset) + 4
        while !named.isEmpty {
            guard named.reach(position) != nil else { return false }
            guard let head: UInt32 = try file.bytes(at: position, count: 4).bigEndian(at: 0) else { break }
            position += Int(head & 0xFF_FFFF) + tagOverhead
        }
        return named.isEmpty
    }

    /// The size of a tag's header and of the length behind the tag, in bytes.
    private static let tagOverhead = 15
}
