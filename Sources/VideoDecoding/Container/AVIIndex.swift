// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Checks where the index of an AVI file leads.
///
/// Source: Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions, 1.02.
enum AVIIndex {
    /// Whether a chunk begins at each position that the index names; those behind the end of the file lead nowhere.
    ///
    /// A player that seeks goes on where the index leads, and could find chunks inside of another one there.
    /// - Throws: `unreadable`.
    static func leadsToChunks(at positions: Set<Int>, in file: InputFile) throws(DecodingFailure) -> Bool {
        var left = positions.filter { $0 < file.byteCount }.sorted()[...]
        // Chunks of streams lie in the list "movi".
        var (position, hasBegun) = (0, false)
        while let next = left.first {
            if next < position { return false }
            if next == position {
                guard hasBegun else { return false }
                left.removeFirst()
            }
            let head = try file.bytes(at: position, count: chunkHeaderSize)
            guard let size: UInt32 = head.littleEndian(at: 4) else { break }
            if head.hasText("RIFF", at: 0) || head.hasText("LIST", at: 0) {
                // The chunks of a list follow its name.
                if try file.bytes(at: position + chunkHeaderSize, count: nameSize).hasText("movi", at: 0) {
                    hasBegun = true
                }
                position += chunkHeaderSize + nameSize
            } else {
                position += chunkHeaderSize + Int(size) + Int(size & 1)
            }
        }
        return left.isEmpty
    }

    private static let chunkHeaderSize = 8
    private static let nameSize = 4
}
