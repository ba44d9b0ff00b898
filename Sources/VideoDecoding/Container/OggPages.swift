// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// Finds pages of an Ogg file that lie inside other pages.
///
/// A player that seeks looks for the nearest page, and may find a page inside the content of another page.
///
/// Source: RFC 3533, section 6.
enum OggPages {
    /// Whether a page contains bytes that look like the header of another page.
    ///
    /// - Throws: `unreadable`.
    static func areNested(in file: InputFile) throws(DecodingFailure) -> Bool {
        var (end, position) = (0, 0)
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize + longestHeader)
            guard !bytes.isEmpty else { break }
            for place in bytes.indices.prefix(pieceSize) where bytes[place] == 0x4F && isPage(bytes, at: place) {
                if position + place < end { return true }
                let segmentCount = Int(bytes[place + headerSize - 1])
                let sizes = bytes[(place + headerSize)...].prefix(segmentCount)
                end = position + place + headerSize + segmentCount + sizes.reduce(0) { $0 + Int($1) }
            }
            position += pieceSize
        }
        return false
    }

    /// Whether a page header may begin at a position: its pattern, its only version, and no unknown flags.
    private static func isPage(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes.hasText("OggS", at: place) && place + headerSize <= bytes.count && bytes[place + 4] == 0
            && bytes[place + 5] < 8
    }

    private static let pieceSize = 256 << 10
    private static let headerSize = 27
    private static let longestHeader = headerSize + 255
}
