// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds the format of a file by its first bytes.
package enum FormatSniffer {
    /// The number of bytes that are examined.
    package static let prefixLength = 2052

    /// Returns the format, or nil for content in no format that is read here.
    ///
    /// - Throws: `ambiguousRendering` if programs may read the file as another format than that of its signature.
    package static func format(of prefix: [UInt8]) throws(DecodingFailure) -> MediaFormat? {
        guard let format = formatBySignature(of: prefix) else { return nil }
        guard !StreamsInside.hasDisagreement(prefix, format), !OtherMediaFormats.mayBeText(prefix),
            !OtherMediaFormats.mayBeOther(than: format, prefix)
        else { throw ambiguous(format) }
        return format
    }

    static func ambiguous(_ format: MediaFormat) -> DecodingFailure {
        DecodingFailure(.otherFormat, format)
    }

    /// Returns the format that the signature names, whatever else programs may find in the file.
    static func formatBySignature(of prefix: [UInt8]) -> MediaFormat? {
        if prefix.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if prefix.hasText("GIF87a", at: 0) || prefix.hasText("GIF89a", at: 0) { return .gif }
        if prefix.hasText("RIFF", at: 0) {
            if prefix.hasText("WEBP", at: 8) { return .webp }
            if prefix.hasText("AVI ", at: 8) || prefix.hasText("WAVE", at: 8) { return .video }
        }
        if prefix.starts(with: [0xFF, 0x0A]) { return .jpegXL }
        if prefix.starts(with: [0, 0, 0, 0x0C]) && prefix.hasText("JXL ", at: 4) { return .jpegXL }
        if isTIFF(prefix) { return .tiff }
        if prefix.hasText("BM", at: 0) { return .bmp }
        if prefix.hasText("ftyp", at: 4) { return isoMediaFormat(prefix) }
        if isVideo(prefix) { return .video }
        if prefix.hasText("qoif", at: 0) { return .qoi }
        if NetpbmStructure.fits(prefix) { return .netpbm }
        if PCXStructure.fits(prefix) { return .pcx }
        if PhotoshopStructure.fits(prefix) { return .photoshop }
        if SGIStructure.fits(prefix) { return .sgi }
        if DDSStructure.fits(prefix) { return .dds }
        if IconEntries.fits(prefix) { return .icon }
        if JPEG2000Structure.fits(prefix) { return .jpeg2000 }
        if SVGStructure.fits(prefix) { return .svg }
        if CameraFile.fits(prefix) { return .camera }
        return TargaStructure.fits(prefix) ? .targa : nil
    }

    private static func isTIFF(_ prefix: [UInt8]) -> Bool {
        // Versions 42 and, for BigTIFF, 43, in both byte orders.
        [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
            .contains { prefix.starts(with: $0) }
    }

    /// Returns the format by the brands; source: ISO/IEC 23008-12 (HEIF), clause 10; AV1 Image File Format, section 6.
    private static func isoMediaFormat(_ prefix: [UInt8]) -> MediaFormat? {
        var boxLength = Int(prefix.bigEndian(at: 0, as: UInt32.self) ?? 0)
        // The length 1 means that a longer length follows, and 0 that the box fills the file.
        let start = boxLength == 1 ? 16 : 8
        if boxLength == 1 { boxLength = Int(clamping: prefix.bigEndian(at: 8, as: UInt64.self) ?? 0) }
        let end = boxLength == 0 ? prefix.count : min(max(boxLength, start + 8), prefix.count)
        var brands: Set<String> = []
        // The minor version stands between the major brand and the compatible ones.
        for offset in [start] + Array(stride(from: start + 8, to: max(end, start + 8), by: 4)) where offset + 4 <= end {
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
            [0x49, 0x44, 0x33],  // ID3v2, whose tag may hold a cover
            [0x66, 0x4C, 0x61, 0x43],  // FLAC
            [0x00, 0x00, 0x01, 0xBA],  // MPEG program stream
            [0x00, 0x00, 0x01, 0xB3],  // MPEG video
            [0x30, 0x26, 0xB2, 0x75],  // ASF, WMV
            DVFrames.signature,
        ]
        if signatures.contains(where: { prefix.starts(with: $0) }) { return true }
        return isQuickTime(prefix) || isTransportStream(prefix) || beginsInPacket(prefix)
    }

    /// Returns whether the file starts like an MP4 or QuickTime file, also one from before there were brands.
    package static func isQuickTime(_ prefix: [UInt8]) -> Bool {
        let boxes: [StaticString] = ["ftyp", "moov", "mdat", "wide", "free", "skip"]
        return boxes.contains { prefix.hasText($0, at: 4) }
    }

    /// Returns whether the file consists of packets of an MPEG transport stream, each of 188 or 192 bytes.
    ///
    /// Blu-ray discs and camcorders use 192 bytes, with the time of arrival before each packet.
    package static func isTransportStream(_ prefix: [UInt8]) -> Bool {
        if hasPackets(prefix, from: 0, length: 188, count: 4) {
            return isPlainPacket(prefix, at: 0)
        }
        // A time that begins like text or a signature could belong to another file.
        return hasPackets(prefix, from: 4, length: 192, count: 4) && prefix[0] < 0x20
            && ![0x01, 0x0A].contains(prefix[0])
    }

    /// Returns whether the file begins in the middle of a packet of a transport stream, as recordings of broadcasts do.
    ///
    /// The bytes before the first packet could be a file of any other format, so this holds only if no format fits.
    package static func beginsInPacket(_ prefix: [UInt8]) -> Bool {
        let length = 188
        guard let start = (1..<length).first(where: { hasPackets(prefix, from: $0, length: length, count: 10) }) else {
            return false
        }
        let head = Array(prefix[..<start])
        // Most other formats, such as PDF, begin with letters.
        let beginsWithText = head.prefix(4).allSatisfy { (0x09...0x7E).contains($0) }
        return isPlainPacket(prefix, at: start) && !beginsWithText && formatBySignature(of: head) == nil
            && !OtherMediaFormats.contain(head)
    }

    /// Returns whether a packet of a transport stream is neither scrambled nor empty.
    static func isPlainPacket(_ bytes: [UInt8], at place: Int) -> Bool {
        place + 3 < bytes.count && bytes[place + 3] & 0xC0 == 0 && bytes[place + 3] & 0x30 != 0
    }

    /// Returns whether `count` packets of a transport stream follow each other; each begins with the same byte.
    static func hasPackets(_ prefix: [UInt8], from start: Int, length: Int, count: Int) -> Bool {
        start + (count - 1) * length < prefix.count
            && (0..<count).allSatisfy { prefix[start + $0 * length] == 0x47 }
    }
}
