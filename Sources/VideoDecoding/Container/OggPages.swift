// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// Finds pages of an Ogg file that lie inside of others.
///
/// Players look for the nearest page when they seek, and may land in one that is a part of another's content.
///
/// Source: RFC 3533, section 6.
enum OggPages {
    /// Whether what is in a page looks like a page.
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

    /// Whether there is the pattern of a page, its only version, and no flags besides the three that there are.
    private static func isPage(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes.hasText("OggS", at: place) && place + headerSize <= bytes.count && bytes[place + 4] == 0
            && bytes[place + 5] < 8
    }

    private static let pieceSize = 256 << 10
    private static let headerSize = 27
    private static let longestHeader = headerSize + 255
}
