// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The covers and the thumbnails in the user data of an MP4 file.
///
/// FFmpeg leaves out a cover whose type it does not know; other programs tell its kind by the content. Cameras and
/// phones store a thumbnail in a box of their own (`thmb`, `CNTH`, `NCDT`), which FFmpeg does not report.
///
/// Source: QuickTime File Format, "Metadata"; ISO/IEC 14496-12, section 8.11; 3GPP TS 26.244, section 8.
struct MovieCovers {
    /// The number of covers; nil if something else in the user data looks like a picture.
    private(set) var count: Int? = 0
    /// The bytes from the start of each JPEG thumbnail to the end of its box.
    private(set) var thumbnails: [Range<Int>] = []

    /// - Parameter parts: the boxes of a movie.
    init(
        among parts: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) {
        for data in parts where data.name == "udta" {
            var (start, known) = (data.content.lowerBound, [MediaBoxes.Box]())
            for box in try reader.boxes(in: data.content) {
                if box.name == "meta" {
                    known += try covers(in: box, &reader)
                } else if let found = try Self.thumbnails(in: box, of: file) {
                    thumbnails += found
                    known.append(box)
                }
            }
            // The rest of the user data must not hold a picture.
            for box in known {
                if try !Self.isPlain(start..<max(start, box.position), in: file) { count = nil }
                start = max(start, box.content.upperBound)
            }
            if try !Self.isPlain(start..<max(start, data.content.upperBound), in: file) { count = nil }
        }
        if thumbnails.count > Self.mostThumbnails { count = nil }
    }

    /// Counts the covers in a box of metadata, and returns their boxes.
    private mutating func covers(
        in metadata: MediaBoxes.Box, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> [MediaBoxes.Box] {
        var covers: [MediaBoxes.Box] = []
        let start = min(metadata.content.lowerBound + 4, metadata.content.upperBound)
        for list in try reader.boxes(in: start..<metadata.content.upperBound) where list.name == "ilst" {
            for item in try reader.boxes(in: list.content) where item.name == "covr" {
                covers.append(item)
                let data = try reader.boxes(in: item.content).count { $0.name == "data" }
                count = count.map { $0 + data }
            }
        }
        return covers
    }

    /// Returns the JPEG pictures in a box of user data; nil if there is none, or a picture of another format.
    private static func thumbnails(
        in box: MediaBoxes.Box, of file: InputFile
    ) throws(DecodingFailure) -> [Range<Int>]? {
        guard box.isWhole, box.content.count <= mostPlainBytes else { return nil }
        let bytes = try file.bytes(at: box.content.lowerBound, count: box.content.count)
        let starts = bytes.indices.filter { bytes[$0] == 0xFF && bytes[$0...].starts(with: jpeg) }
        let hasOthers = bytes.indices.contains { place in
            others.contains { bytes[place] == $0[0] && bytes[place...].starts(with: $0) }
        }
        guard !starts.isEmpty, !hasOthers else { return nil }
        return starts.map { (box.content.lowerBound + $0)..<box.content.upperBound }
    }

    /// Whether bytes contain no beginning of a picture of a common format.
    private static func isPlain(_ range: Range<Int>, in file: InputFile) throws(DecodingFailure) -> Bool {
        guard range.count <= mostPlainBytes else { return false }
        let bytes = try file.bytes(at: range.lowerBound, count: range.count)
        return !bytes.indices.contains { place in
            beginnings.contains { beginning in
                bytes[place] == beginning[0] && bytes[place...].starts(with: beginning)
            }
        }
    }

    private static let mostPlainBytes = 1 << 20
    /// A thumbnail may have a thumbnail in turn.
    private static let mostThumbnails = 8
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
    /// The beginnings of pictures of other formats, and the names of boxes that hold some.
    private static let others: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("WEBP".utf8), Array("ftyp".utf8), Array("covr".utf8),
        Array("IHDR".utf8), Array("iVBOR".utf8), Array("/9j/".utf8),
    ]
    private static let beginnings = others + [jpeg, Array("JFIF".utf8)]
}
