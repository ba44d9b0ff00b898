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

    /// Whether the file consists of pages from its first to its last byte, and every stream in it begins like sound.
    ///
    /// Later streams of a file may differ from the first. Players find pages at any place, and read flags that are not
    /// defined.
    ///
    /// - Throws: `unreadable`.
    static func holdSoundOnly(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var (position, streams) = (0, Set<UInt32>())
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: longestHeader + longestName)
            guard bytes.count >= headerSize, isPage(bytes, at: 0), let stream: UInt32 = bytes.littleEndian(at: 14)
            else {
                return false
            }
            let segmentCount = Int(bytes[headerSize - 1])
            guard bytes.count >= headerSize + segmentCount else { return false }
            if bytes[5] & firstPageFlag != 0 {
                let content = headerSize + segmentCount
                guard soundNames.contains(where: { bytes.hasText($0, at: content) }) else { return false }
                streams.insert(stream)
            }
            // Each page belongs to a stream whose first page was seen.
            guard streams.contains(stream), streams.count <= mostStreams else { return false }
            position += headerSize + segmentCount
            position += bytes[headerSize..<(headerSize + segmentCount)].reduce(0) { $0 + Int($1) }
        }
        return position == file.byteCount
    }

    /// Returns the number of pictures that comments in the first MiB name; nil for pictures that FFmpeg does not read.
    ///
    /// Pages may divide a comment, so their contents are joined.
    ///
    /// - Throws: `unreadable`.
    static func pictureCount(in file: InputFile) throws(DecodingFailure) -> Int? {
        let bytes = try file.bytes(at: 0, count: mostCommentBytes)
        var (content, position) = ([UInt8](), 0)
        while position + headerSize <= bytes.count, isPage(bytes, at: position) {
            let start = position + headerSize + Int(bytes[position + headerSize - 1])
            guard start <= bytes.count else { break }
            let size = bytes[(position + headerSize)..<start].reduce(0) { $0 + Int($1) }
            content += bytes[start..<min(bytes.count, start + size)]
            position = start + size
        }
        return SoundTags.commentPictures(content)
    }

    private static let mostCommentBytes = 1 << 20
    /// The flag of the first page of a stream.
    private static let firstPageFlag: UInt8 = 2
    private static let longestName = 8
    private static let mostStreams = 64
    /// The beginnings of streams of sound, and of the skeleton that describes other streams.
    ///
    /// FLAC in Ogg is missing, because its blocks may hold pictures. Source: RFC 7845 and the Vorbis I specification.
    private static let soundNames: [StaticString] = ["\u{1}vorbis", "OpusHead", "Speex   ", "fishead\0"]
    private static let pieceSize = 256 << 10
    private static let headerSize = 27
    private static let longestHeader = headerSize + 255
}
