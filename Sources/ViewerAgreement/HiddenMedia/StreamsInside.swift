// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Finds streams and pictures that FFmpeg plays in spite of a file's signature.
///
/// FFmpeg chooses the format with the highest score. It finds streams and some containers at any position, and scores
/// them higher than most signatures. It reads 2 KiB for that, or up to 1 MiB if the signature is weak.
enum StreamsInside {
    /// Returns whether FFmpeg may play a file of the format as something else.
    static func hasDisagreement(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        if isPICT(prefix) { return true }
        let search = StreamSearch(prefix)
        // FFmpeg reads these brands as a weak signature, and looks for a stream of video units in the whole file.
        if prefix.hasText("ftyp", at: 4), ["jp2 ", "jpx ", "jxl "].contains(where: { prefix.hasText($0, at: 8) }) {
            return true
        }
        // For videos, FFmpeg itself chooses later, so no guess is needed.
        guard format == .video else {
            return search.hasContainer || isMovie(prefix, format) || isAnimation(prefix)
                || (format == .tiff || isWeak(format)) && search.hasVideo
        }
        let isTransportStream = FormatSniffer.isTransportStream(prefix) || FormatSniffer.beginsInPacket(prefix)
        if !isTransportStream, search.hasContainer { return true }
        return FormatSniffer.isQuickTime(prefix) && !prefix.hasText("ftyp", at: 4) && search.hasVideo
    }

    /// Returns whether FFmpeg rates a format's signature as weak and therefore reads more bytes.
    ///
    /// The signature of JPEG is weak unless `JPEGRecognition` finds it plain, and that of BMP if some bytes are not 0. TGA has none.
    static func isWeak(_ format: MediaFormat) -> Bool {
        [.jpeg, .bmp, .jpegXL, .icon, .jpeg2000, .photoshop, .svg].contains(format)
            || StillPicture.formats.contains(format)
    }

    /// Returns whether FFmpeg may play a file with a weak signature as something else.
    ///
    /// - Parameter bytes: the first MiB of the file.
    static func hasDisagreementAboutWeakFormat(_ bytes: [UInt8]) -> Bool {
        let search = StreamSearch(bytes)
        return search.hasContainer || search.hasVideo
    }

    /// The largest number of a file's bytes that FFmpeg examines.
    static let mostProbedBytes = 1 << 20
    /// The number of first bytes in which GStreamer looks for packets, and FFmpeg in a file of a plain format.
    static let fewestProbedBytes = 9 << 10

    /// Returns whether FFmpeg may play a file that has no other signature.
    static func areIn(_ prefix: [UInt8]) -> Bool {
        let search = StreamSearch(prefix)
        return isPICT(prefix) || search.hasContainer || search.hasVideo
    }

    private static func isPICT(_ prefix: [UInt8]) -> Bool {
        Array(prefix.dropFirst(522).prefix(6)) == [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00]
    }

    /// Returns whether FFmpeg reads the first bytes of a picture as a large box, in which it then looks for a movie.
    private static func isMovie(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        guard ![.heic, .avif].contains(format), !prefix.hasText("JXL ", at: 4) else { return false }
        let boxes: [StaticString] = [
            "moov", "hoov", "free", "skip", "wide", "mdat", "junk", "pnot", "PICT", "ftyp", "udta", "uuid", "trak",
        ]
        return boxes.contains { prefix.hasText($0, at: 4) }
    }

    /// Returns whether the file begins like FLI or FLC.
    private static func isAnimation(_ prefix: [UInt8]) -> Bool {
        prefix.count > 5 && [0x11, 0x12].contains(prefix[4]) && prefix[5] == 0xAF
    }
}
