// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The positions that the index of a container names, for comparison with the units of the file.
///
/// A player that seeks continues at such a position. A wrong position may lie in a unit and hide other units there.
private struct NamedPositions {
    /// The positions that the check has not reached yet, ascending, without the harmless ones behind the file.
    private var left: ArraySlice<Int>

    init(_ positions: Set<Int>, in file: InputFile) {
        left = positions.filter { $0 < file.byteCount }.sorted()[...]
    }

    var isEmpty: Bool { left.isEmpty }

    /// Notes that a unit begins at a position.
    ///
    /// - Returns: whether the index names the position; nil if it names a position inside the unit before.
    mutating func reach(_ position: Int) -> Bool? {
        guard let next = left.first, next <= position else { return false }
        if next < position { return nil }
        left.removeFirst()
        return true
    }
}

/// Checks the index of an AVI file.
///
/// Source: Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions, 1.02.
package enum AVIIndex {
    /// Whether a chunk begins at each position that the index names.
    ///
    /// - Throws: `unreadable`.
    package static func leadsToChunks(at positions: Set<Int>, in file: InputFile) throws(DecodingFailure) -> Bool {
        var named = NamedPositions(positions, in: file)
        // Chunks of streams lie in the list "movi", so an index must name no earlier position.
        var (position, hasBegun) = (0, false)
        while !named.isEmpty {
            guard let isNamed = named.reach(position), hasBegun || !isNamed else { return false }
            let head = try file.bytes(at: position, count: chunkHeaderSize)
            guard let size: UInt32 = head.littleEndian(at: 4) else { break }
            if head.hasText("RIFF", at: 0) || head.hasText("LIST", at: 0) {
                // Lists are entered: their chunks follow the name of the list.
                if try file.bytes(at: position + chunkHeaderSize, count: nameSize).hasText("movi", at: 0) {
                    hasBegun = true
                }
                position += chunkHeaderSize + nameSize
            } else {
                position += chunkHeaderSize + Int(size) + Int(size & 1)
            }
        }
        return named.isEmpty
    }

    private static let chunkHeaderSize = 8
    private static let nameSize = 4
}

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
