// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Counts the covers of an MP4 file.
///
/// FFmpeg leaves out a cover whose type it does not know; other programs tell its kind by the content.
///
/// Source: QuickTime File Format, "Metadata"; ISO/IEC 14496-12, section 8.11.
enum MovieCovers {
    /// Returns the number of covers in the user data of a movie; nil if something else in it looks like a picture.
    static func count(
        among parts: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Int? {
        var count = 0
        for data in parts where data.name == "udta" {
            var (start, covers) = (data.content.lowerBound, [MediaBoxes.Box]())
            for list in try lists(in: data, &reader) {
                for item in try reader.boxes(in: list.content) where item.name == "covr" {
                    covers.append(item)
                    count += try reader.boxes(in: item.content).count { $0.name == "data" }
                }
            }
            // The rest of the user data must not hold a picture.
            for cover in covers {
                guard try isPlain(start..<max(start, cover.position), in: file) else { return nil }
                start = max(start, cover.content.upperBound)
            }
            guard try isPlain(start..<max(start, data.content.upperBound), in: file) else { return nil }
        }
        return count
    }

    private static func lists(
        in data: MediaBoxes.Box, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> [MediaBoxes.Box] {
        var lists: [MediaBoxes.Box] = []
        for meta in try reader.boxes(in: data.content) where meta.name == "meta" {
            let start = min(meta.content.lowerBound + 4, meta.content.upperBound)
            lists += try reader.boxes(in: start..<meta.content.upperBound).filter { $0.name == "ilst" }
        }
        return lists
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
    private static let beginnings: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("WEBP".utf8), Array("ftyp".utf8),
        Array("covr".utf8), Array("IHDR".utf8), Array("JFIF".utf8), Array("iVBOR".utf8), Array("/9j/".utf8),
    ]
}
