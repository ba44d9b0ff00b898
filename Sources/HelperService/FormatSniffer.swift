// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// Tells the format of a file from its first bytes.
package enum FormatSniffer {
    /// The number of bytes that are looked at.
    package static let prefixLength = 2052

    /// The format, or nil for content in none of the formats, or in a picture format besides that is not read here.
    package static func format(of prefix: [UInt8]) -> MediaFormat? {
        guard let format = formatBySignature(of: prefix), !StreamsInside.claim(prefix, format) else { return nil }
        let isForPictures = [.jpeg, .png, .gif, .webp, .tiff, .bmp].contains(format)
        return isForPictures || !OtherPictureFormats.claim(prefix) ? format : nil
    }

    private static func formatBySignature(of prefix: [UInt8]) -> MediaFormat? {
        if prefix.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if prefix.hasText("GIF8", at: 0) { return .gif }
        if prefix.hasText("RIFF", at: 0) {
            if prefix.hasText("WEBP", at: 8) { return .webp }
            if prefix.hasText("AVI ", at: 8) || prefix.hasText("WAVE", at: 8) { return .video }
        }
        if prefix.starts(with: [0xFF, 0x0A]) { return .jpegXL }
        if prefix.starts(with: [0, 0, 0, 0x0C]) && prefix.hasText("JXL ", at: 4) { return .jpegXL }
        if isTIFF(prefix) { return .tiff }
        if prefix.hasText("ftyp", at: 4) { return isoMediaFormat(prefix) }
        if prefix.hasText("BM", at: 0) { return .bmp }
        return isVideo(prefix) ? .video : nil
    }

    private static func isTIFF(_ prefix: [UInt8]) -> Bool {
        // Versions 42 and, for BigTIFF, 43, in both byte orders.
        [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
            .contains { prefix.starts(with: $0) }
    }

    /// Source: ISO/IEC 23008-12 (HEIF), clause 10, and the AV1 Image File Format, section 6, list the brands.
    private static func isoMediaFormat(_ prefix: [UInt8]) -> MediaFormat? {
        let boxLength = Int(prefix.bigEndian(at: 0, as: UInt32.self) ?? 0)
        let end = min(max(boxLength, 16), prefix.count)
        var brands: Set<String> = []
        // The minor version stands between the major brand and the compatible ones.
        for offset in [8] + Array(stride(from: 16, to: max(end, 16), by: 4)) where offset + 4 <= end {
            brands.insert(String(decoding: prefix[offset..<(offset + 4)], as: UTF8.self))
        }
        if !brands.isDisjoint(with: ["avif", "avis"]) { return .avif }
        let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1"]
        return brands.isDisjoint(with: heif) ? .video : .heic
    }

    private static func isVideo(_ prefix: [UInt8]) -> Bool {
        let signatures: [[UInt8]] = [
            [0x1A, 0x45, 0xDF, 0xA3],  // Matroska, WebM
            [0x4F, 0x67, 0x67, 0x53],  // Ogg
            [0x46, 0x4C, 0x56, 0x01],  // FLV
            [0x00, 0x00, 0x01, 0xBA],  // MPEG program stream
            [0x00, 0x00, 0x01, 0xB3],  // MPEG video
            [0x30, 0x26, 0xB2, 0x75],  // ASF, WMV
        ]
        if signatures.contains(where: { prefix.starts(with: $0) }) { return true }
        return isQuickTime(prefix) || isTransportStream(prefix)
    }

    /// Whether the file starts as MP4 or QuickTime files do, also those from before there were brands.
    package static func isQuickTime(_ prefix: [UInt8]) -> Bool {
        let boxes: [StaticString] = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
        return boxes.contains { prefix.hasText($0, at: 4) }
    }

    /// Whether the file consists of packets of an MPEG transport stream, of 188 bytes each, or of 192 as on Blu-ray discs and
    /// from camcorders, which put the time of arrival before each packet.
    ///
    /// Files that begin in the middle of a packet are no transport streams here: the bytes before the first packet could be
    /// any other file.
    package static func isTransportStream(_ prefix: [UInt8]) -> Bool {
        func hasPackets(from start: Int, length: Int) -> Bool {
            (0...3).allSatisfy { prefix.count > start + $0 * length && prefix[start + $0 * length] == 0x47 }
        }
        if hasPackets(from: 0, length: 188) {
            // Neither scrambled nor empty.
            return prefix[3] & 0xC0 == 0 && prefix[3] & 0x30 != 0
        }
        // A time that begins as text or as a signature could be that of another file.
        return hasPackets(from: 4, length: 192) && prefix[0] < 0x20 && ![0x01, 0x0A].contains(prefix[0])
    }
}

/// Streams and pictures for which FFmpeg plays a file in spite of its signature.
///
/// FFmpeg reads 2 KiB and takes the format that gives it the most points: a transport stream and PICT have more than most
/// signatures, and a video stream without a container as many as JPEG, BMP and TIFF.
enum StreamsInside {
    /// Whether FFmpeg may play something else than the format.
    static func claim(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        if Array(prefix.dropFirst(522).prefix(6)) == [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00] { return true }
        let isStream = format == .video && FormatSniffer.isTransportStream(prefix)
        if !isStream, hasPackets(prefix) { return true }
        let isWeak =
            [.jpeg, .bmp, .tiff].contains(format)
            || FormatSniffer.isQuickTime(prefix) && !prefix.hasText("ftyp", at: 4)
        return isWeak && hasVideoUnits(prefix)
    }

    /// Whether there are packets of a transport stream, wherever they begin.
    private static func hasPackets(_ prefix: [UInt8]) -> Bool {
        for length in [188, 192, 204] {
            for start in 0..<length where start + (leastPackets - 1) * length < prefix.count {
                if (0..<leastPackets).allSatisfy({ prefix[start + $0 * length] == 0x47 }) { return true }
            }
        }
        return false
    }

    /// Whether there are the units with which a stream of H.264, HEVC or MPEG begins.
    private static func hasVideoUnits(_ prefix: [UInt8]) -> Bool {
        // The byte behind the start code, and the one behind that.
        var units: [(kind: UInt8, next: UInt8)] = []
        for place in 0..<max(0, prefix.count - 4)
        where prefix[place] == 0 && prefix[place + 1] == 0 && prefix[place + 2] == 1 {
            units.append((prefix[place + 3], prefix[place + 4]))
        }
        let kinds = Set(units.map(\.kind))
        // A sequence of a known profile, and a picture's parameters; for HEVC both, which are of the first layer.
        let isAdvanced =
            units.contains { $0.kind & 0x9F == 7 && profiles.contains($0.next) } && kinds.contains { $0 & 0x9F == 8 }
        let isEfficient = [0x42, 0x44].allSatisfy { kind in units.contains { $0.kind == kind && $0.next < 8 } }
        // A sequence and its first picture; objects and a picture; a pack with the bits that mark it.
        return isAdvanced || isEfficient || kinds.isSuperset(of: [0xB3, 0x00])
            || (kinds.contains(0xB6) && kinds.contains { (0x20...0x2F).contains($0) || $0 == 0xB0 })
            || units.contains { $0.kind == 0xBA && ($0.next & 0xC4 == 0x44 || $0.next & 0xF1 == 0x21) }
    }

    /// Source: ITU-T H.264, annex A and G to I.
    private static let profiles: Set<UInt8> = [44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 244]
    /// So many that ordinary bytes are not taken for packets.
    private static let leastPackets = 5
}

/// Picture formats that are not read here, and whose signature may stand in a file of another format.
///
/// Some programs go by it: Pillow tries formats without a signature for whatever nothing else has claimed, and ImageMagick
/// looks for some in the midst of the file.
enum OtherPictureFormats {
    /// Whether a program may take the file for a picture of such a format.
    static func claim(_ prefix: [UInt8]) -> Bool {
        isIcon(prefix) || isTarga(prefix) || isSpider(prefix) || laterSignatures.contains { prefix.hasText($1, at: $0) }
    }

    /// The signatures of DICOM, Photo CD and CALS, and where they stand.
    ///
    /// Source: the list of ImageMagick's signatures.
    private static let laterSignatures: [(Int, StaticString)] = [
        (128, "DICM"), (2048, "PCD_"), (9, "srcdocid:"), (9, "rorient:"), (9, "version:"), (21, "version:"),
    ]

    /// Windows icons and cursors.
    private static func isIcon(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0, 0, 1, 0]) || prefix.starts(with: [0, 0, 2, 0])
    }

    /// TGA, which has no signature.
    ///
    /// Source: Truevision TGA file format specification 2.0, fields 2 to 5.
    private static func isTarga(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= 18, prefix[1] <= 1, [1, 2, 3, 9, 10, 11].contains(prefix[2]) else { return false }
        let (width, height) = (prefix[12] | prefix[13], prefix[14] | prefix[15])
        return width > 0 && height > 0 && [1, 8, 15, 16, 24, 32].contains(prefix[16])
    }

    /// SPIDER, numbers in floating point of which the fifth is the kind of picture, in either order of bytes.
    private static func isSpider(_ prefix: [UInt8]) -> Bool {
        guard let big: UInt32 = prefix.bigEndian(at: 16), let little: UInt32 = prefix.littleEndian(at: 16) else {
            return false
        }
        return [1, 3, -11, -12, -21, -22].contains { (kind: Float) in
            kind.bitPattern == big || kind.bitPattern == little
        }
    }
}
