// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds pages of an Ogg file that lie inside other pages.
///
/// A player that seeks looks for the nearest page, and may find a page inside the content of another page.
///
/// Source: RFC 3533, section 6.
package enum OggPages {
    /// Whether a page contains bytes that look like the header of another page.
    ///
    /// - Throws: `unreadable`.
    package static func areNested(in file: InputFile) throws(DecodingFailure) -> Bool {
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
    package static func holdSoundOnly(_ file: InputFile) throws(DecodingFailure) -> Bool {
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

    /// Returns the number of pictures that the comments of all streams name; nil for pictures that FFmpeg does not read,
    /// and for comments that are too long.
    ///
    /// A further stream may begin anywhere. Pages may divide a comment, so the contents of a stream's first pages are
    /// joined.
    ///
    /// - Throws: `unreadable`.
    package static func pictureCount(in file: InputFile) throws(DecodingFailure) -> Int? {
        var (position, byteCount) = (0, 0)
        var heads: [UInt32: (content: [UInt8], packetCount: Int)] = [:]
        var finished: [[UInt8]] = []
        while true {
            let header = try file.bytes(at: position, count: longestHeader)
            guard header.count >= headerSize, isPage(header, at: 0), let stream: UInt32 = header.littleEndian(at: 14)
            else { break }
            let sizes = header.dropFirst(headerSize).prefix(Int(header[headerSize - 1]))
            let (start, size) = (position + headerSize + sizes.count, sizes.reduce(0) { $0 + Int($1) })
            if header[5] & firstPageFlag != 0 {
                if let head = heads[stream] { finished.append(head.content) }
                heads[stream] = ([], 0)
            }
            if let head = heads[stream], head.packetCount < headPacketCount {
                byteCount += size
                guard byteCount <= mostCommentBytes else { return nil }
                heads[stream]?.content += try file.bytes(at: start, count: size)
                heads[stream]?.packetCount += sizes.count { $0 < 255 }
            }
            guard heads.count + finished.count <= mostStreams else { return nil }
            position = start + size
        }
        var count = 0
        for content in finished + heads.values.map(\.content) {
            guard let pictures = SoundTags.commentPictures(content) else { return nil }
            count += pictures
        }
        return count
    }

    private static let mostCommentBytes = 16 << 20
    /// The number of packets among which a stream has its comments: a head, the comments, and the set-up of Vorbis.
    private static let headPacketCount = 3
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
