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

    /// Whether every stream in the file begins like sound, because later streams of a file may differ from the first.
    ///
    /// - Throws: `unreadable`.
    static func beginSoundOnly(in file: InputFile) throws(DecodingFailure) -> Bool {
        var position = 0
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize + longestHeader + longestName)
            guard !bytes.isEmpty else { break }
            for place in bytes.indices.prefix(pieceSize) where bytes[place] == 0x4F && isPage(bytes, at: place) {
                guard bytes[place + 5] & firstPageFlag != 0 else { continue }
                let content = place + headerSize + Int(bytes[place + headerSize - 1])
                guard soundNames.contains(where: { bytes.hasText($0, at: content) }) else { return false }
            }
            position += pieceSize
        }
        return true
    }

    /// The flag of the first page of a stream.
    private static let firstPageFlag: UInt8 = 2
    private static let longestName = 8
    /// The beginnings of streams of sound, and of the skeleton that describes other streams.
    ///
    /// Source: RFC 7845, RFC 5334 and the Vorbis I specification.
    private static let soundNames: [StaticString] = [
        "\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   ", "fishead\0",
    ]
    private static let pieceSize = 256 << 10
    private static let headerSize = 27
    private static let longestHeader = headerSize + 255
}
