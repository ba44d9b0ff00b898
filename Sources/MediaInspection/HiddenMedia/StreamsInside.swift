// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Streams and pictures for which FFmpeg plays a file in spite of its signature.
///
/// FFmpeg takes the format that gives a file the most points. Streams and some containers are found wherever they begin, and
/// have more points than most signatures. It reads 2 KiB for that, and up to 1 MiB of a file of weak signs.
enum StreamsInside {
    /// Whether FFmpeg may play something else than the format.
    static func claim(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        if isPICT(prefix) { return true }
        let search = StreamSearch(prefix)
        // To FFmpeg, these brands are weak signs, and it looks for a stream of video units in the whole file.
        if prefix.hasText("ftyp", at: 4), ["jp2 ", "jpx ", "jxl "].contains(where: { prefix.hasText($0, at: 8) }) {
            return true
        }
        // For videos, FFmpeg itself is asked later, which needs no guesses.
        guard format == .video else {
            return search.hasContainer || isMovie(prefix, format) || isAnimation(prefix)
                || (format == .tiff || isWeak(format)) && search.hasVideo
        }
        if !FormatSniffer.isTransportStream(prefix), search.hasContainer { return true }
        return FormatSniffer.isQuickTime(prefix) && !prefix.hasText("ftyp", at: 4) && search.hasVideo
    }

    /// Whether a format's signature is a weak sign to FFmpeg, which then reads on.
    ///
    /// That of JPEG is one until the end of the picture, that of BMP where some bytes are not 0.
    static func isWeak(_ format: MediaFormat) -> Bool { [.jpeg, .bmp, .jpegXL].contains(format) }

    /// Whether FFmpeg may play something else than a format of a weak signature.
    ///
    /// - Parameter bytes: the first MiB of the file.
    static func claimWeak(_ bytes: [UInt8]) -> Bool {
        let search = StreamSearch(bytes)
        return search.hasContainer || search.hasVideo
    }

    /// Of a file, in bytes.
    static let mostProbedBytes = 1 << 20

    /// Whether FFmpeg may play a file that has no other signature.
    static func areIn(_ prefix: [UInt8]) -> Bool {
        let search = StreamSearch(prefix)
        return isPICT(prefix) || search.hasContainer || search.hasVideo
    }

    private static func isPICT(_ prefix: [UInt8]) -> Bool {
        Array(prefix.dropFirst(522).prefix(6)) == [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00]
    }

    /// Whether the first bytes of a picture are those of a large box to FFmpeg, which then looks for a movie in it.
    private static func isMovie(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        guard ![.heic, .avif].contains(format), !prefix.hasText("JXL ", at: 4) else { return false }
        let boxes: [StaticString] = [
            "moov", "hoov", "free", "skip", "wide", "mdat", "junk", "pnot", "PICT", "ftyp", "udta", "uuid", "trak",
        ]
        return boxes.contains { prefix.hasText($0, at: 4) }
    }

    /// FLI and FLC.
    private static func isAnimation(_ prefix: [UInt8]) -> Bool {
        prefix.count > 5 && [0x11, 0x12].contains(prefix[4]) && prefix[5] == 0xAF
    }
}

/// The video that a phone puts into the file of a photograph, as a "motion photo".
///
/// Sources: "Motion Photo format 1.0" (developer.android.com), for the box `mpvd`; it leaves a video behind a JPEG to
/// metadata, which programs obey differently, so it is found by its own beginning.
package enum EmbeddedVideo {
    /// The bytes of the video in a file of pictures; nil where there is none.
    ///
    /// - Throws: what is wrong with the structure of the file; `ambiguousRendering` where there are several videos.
    package static func part(of file: InputFile, _ format: MediaFormat) throws(DecodingFailure) -> Range<Int>? {
        switch format {
        case .jpeg: return try JPEGStructure(file).video.map { $0..<file.byteCount }
        case .heic, .avif:
            var reader = MediaBoxes(file, maximumCount: mostBoxes)
            return try part(in: try reader.boxes(in: 0..<file.byteCount))
        default: return nil
        }
    }

    /// - Parameter boxes: the boxes of a HEIF or AVIF file that are in no other.
    package static func part(in boxes: [MediaBoxes.Box]) throws(DecodingFailure) -> Range<Int>? {
        let videos = boxes.filter { $0.name == "mpvd" }
        guard let video = videos.first else { return nil }
        guard videos.count == 1, video.isWhole, !boxes.contains(where: { $0.name == "moov" || $0.name == "moof" })
        else {
            throw DecodingFailure(.ambiguousRendering, detail: "several videos beside the picture")
        }
        return video.content
    }

    private static let mostBoxes = 10_000
}
