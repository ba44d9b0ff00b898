// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

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
