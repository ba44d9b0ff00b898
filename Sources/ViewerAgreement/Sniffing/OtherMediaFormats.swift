// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The formats of pictures and videos that viewers show and that are not read here.
enum OtherMediaFormats {
    /// Returns whether the file may be in one of the formats.
    ///
    /// Documents, such as PDF and HTML, and sound do not count.
    static func contain(_ prefix: [UInt8]) -> Bool {
        mayBe(prefix) || StreamsInside.areIn(prefix) || isSimple(prefix) || isPlaylist(prefix)
            || isVideoCall(prefix)
            || signatures.contains { prefix.starts(with: $0) } || texts.contains { prefix.hasText($1, at: $0) }
    }

    /// Returns whether a program may read a file of another format as a picture of one of these formats.
    ///
    /// Pillow tries formats without a signature for files that fit no other format. ImageMagick looks for some
    /// signatures in the middle of the file.
    private static func mayBe(_ prefix: [UInt8]) -> Bool {
        isIcon(prefix) || isTarga(prefix) || mayBeUnsigned(prefix)
    }

    private static func mayBeUnsigned(_ prefix: [UInt8]) -> Bool {
        isSpider(prefix) || isPress(prefix)
            || laterSignatures.contains { prefix.hasText($1, at: $0) }
    }

    /// Returns whether a program may read a file of a format as a picture of one of the other formats.
    static func mayBeOther(than format: MediaFormat, _ prefix: [UInt8]) -> Bool {
        switch format {
        case .jpeg, .png, .gif, .webp, .tiff, .bmp: mayBePicture(prefix)
        case .netpbm, .pcx: mayBe(prefix)
        case .icon: prefix[2] == 2 && isTarga(prefix) || mayBeUnsigned(prefix) || isSimple(prefix)
        case .targa: mayBeUnsigned(prefix) || isSimple(prefix) || isVideoCall(prefix)
        case .heic, .avif, .jpegXL, .jpeg2000, .qoi, .sgi, .dds, .photoshop, .svg, .camera, .video:
            mayBe(prefix) || isSimple(prefix)
        }
    }

    /// Returns whether a file with sound of a format that is not read has a place for covers that is in use.
    ///
    /// Players find tags behind other bytes and before other tags.
    ///
    /// Source: Audio Interchange File Format 1.3; DSF File Format Specification 1.01; EBU Tech 3306 (RF64).
    static func mayHoldCover(_ file: InputFile, _ prefix: [UInt8]) throws(DecodingFailure) -> Bool {
        if prefix.hasText("DSD ", at: 0) { return prefix.dropFirst(20).prefix(8).contains { $0 != 0 } }
        if prefix.hasText("FORM", at: 0), prefix.hasText("AIF", at: 8) {
            var position = 12
            for _ in 0..<mostChunks {
                let header = try file.bytes(at: position, count: 8)
                guard let size: UInt32 = header.bigEndian(at: 4) else { return false }
                if header.hasText("ID3 ", at: 0) || header.hasText("id3 ", at: 0) { return true }
                position += 8 + Int(size) + Int(size & 1)
            }
            return true
        }
        if soundSignatures.contains(where: { prefix.hasText($0, at: 0) }) { return true }
        return try SoundTagSearch.finds(in: file)
    }

    /// The beginnings of sound in RIFF's relatives and DSDIFF, which may have a chunk for covers anywhere.
    private static let soundSignatures: [StaticString] = ["RF64", "BW64", "RIFX", "FRM8", "riff"]

    private static let mostChunks = 64

    /// Returns whether Pillow may read a picture as another format.
    ///
    /// It tries TIFF and WebP last. If one format refuses a file, Pillow tries all others.
    private static func mayBePicture(_ prefix: [UInt8]) -> Bool {
        prefix.hasText("PCD_", at: 2048) || isSpider(prefix, isBig: true) || isSpider(prefix, isBig: false)
    }

    /// Returns whether Pillow may read a file as its format IM, which begins with lines of text, the first of any kind.
    static func mayBeText(_ prefix: [UInt8]) -> Bool {
        guard let first = prefix.first, isLetter(first),
            let end = prefix.prefix(mostLineBytes).firstIndex(of: lineFeed), prefix[..<end].contains(colon)
        else { return false }
        return prefix.indices.contains { place in
            prefix[place] == lineFeed && lineNames.contains { prefix.hasText($0, at: place + 1) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static let (lineFeed, colon): (UInt8, UInt8) = (10, 0x3A)
    private static let mostLineBytes = 101
    private static let lineNames: [StaticString] = [
        "Comment", "Date", "Digitalization equipment", "File size (no of images)", "Lut", "Name", "Scale (x,y)",
        "Image size (x*y)", "Image type",
    ]

    // MARK: Signatures

    /// The signatures at the start of a file; source: ImageMagick, Pillow and FFmpeg.
    private static let signatures: [[UInt8]] = [
        [0x49, 0x49, 0xBC],  // JPEG XR
        [0x01, 0xDA],  // SGI
        [0x76, 0x2F, 0x31, 0x01],  // OpenEXR
        [0x59, 0xA6, 0x6A, 0x95],  // Sun
        [0x80, 0x2A, 0x5F, 0xD7],  // Cineon
        [0x97, 0x4A, 0x42, 0x32],  // JBIG2
        [0x53, 0x80, 0xF6, 0x34],  // Softimage PIC
        [0xAB, 0x4B, 0x54, 0x58],  // KTX
        [0x8A, 0x4D, 0x4E, 0x47], [0x8B, 0x4A, 0x4E, 0x47],  // MNG, JNG
        [0xD7, 0xCD, 0xC6, 0x9A], [0x01, 0x00, 0x09, 0x00, 0x00, 0x03],  // WMF
        [0x06, 0x0E, 0x2B, 0x34],  // MXF
        [0x12, 0x00, 0x0A],  // AV1, units of a stream
        [0xB7, 0xD8, 0x00, 0x20],  // WTV
        [0x00, 0x00, 0x00, 0x00, 0x01, 0xBC],  // GXF
        [0x84, 0x10, 0xFF, 0xFF, 0xFF, 0xFF],  // RoQ
    ]

    /// Signatures that consist of text, each with its position in the file, in bytes.
    private static let texts: [(Int, StaticString)] = [
        (4, "idsc"), (4, "idat"), (4, "iicc"), (2, "Version:Vivo"), (0, "GIF8"), (0, "8BPS"), (0, "icns"), (0, "DDS "),
        (0, "gimp xcf"), (0, "farbfeld"),
        (0, "FLIF"),
        (0, "BPG"), (0, "SDPX"), (0, "XPDS"), (0, "id=ImageMagick"), (0, "#?RADIANCE"), (0, "#?RGBE"), (0, "SIMPLE  ="),
        (0, "/* XPM */"), (0, "Paint Shop Pro Image File"), (0, "AT&TFORM"), (40, " EMF"),
        (8, "ILBM"), (8, "PBM "), (8, "ANIM"), (8, "ACON"), (8, "CDXA"), (8, "AMV "),
        // Videos.
        (4, "RED1"), (4, "RED2"),
        (0, "nut/multimedia container"), (0, "YUV4MPEG2"), (0, "DKIF"), (0, ".RMF"), (0, "NSVf"), (0, "SMK2"),
        (0, "SMK4"),
        (0, "BIK"), (0, "KB2"), (0, "FWS"), (0, "CWS"), (0, "ZWS"), (0, "MLVI"), (0, "BBCD"), (0, "\0\nSMJPEG"),
        (0, "FILM"),
    ]

    /// The signatures of DICOM, Photo CD, CALS, Palm and XPM, and their positions, in bytes.
    ///
    /// Source: the list of ImageMagick's signatures.
    private static let laterSignatures: [(Int, StaticString)] = [
        (128, "DICM"), (2048, "PCD_"), (9, "srcdocid:"), (8, "rorient:"), (9, "rorient:"), (9, "version:"),
        (21, "version:"), (60, "vIMGView"), (1, "* XPM *"),
    ]

    /// Returns whether the file is a Windows icon or cursor.
    private static func isIcon(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0, 0, 1, 0]) || prefix.starts(with: [0, 0, 2, 0])
    }

    /// Returns whether the file begins with IPTC records, which press agencies put before pictures.
    private static func isPress(_ prefix: [UInt8]) -> Bool {
        prefix.count > 2 && prefix[0] == 0x1C && ((1...9).contains(prefix[1]) || prefix[1] == 240)
    }

    /// Returns whether the header fits TGA, which has no signature.
    ///
    /// Source: Truevision TGA file format specification 2.0, fields 2 to 5.
    private static func isTarga(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= 18, prefix[1] <= 1, [1, 2, 3, 9, 10, 11].contains(prefix[2]) else { return false }
        let (width, height) = (prefix[12] | prefix[13], prefix[14] | prefix[15])
        return width > 0 && height > 0 && [1, 8, 15, 16, 24, 32].contains(prefix[16])
    }

    /// Returns whether the file begins like PNM, PCX, XBM, or the animations FLI and FLC.
    private static func isSimple(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= 12 else { return false }
        let isPortable = prefix[0] == 0x50 && Array("1234567Ff".utf8).contains(prefix[1]) && isSpace(prefix[2])
        let isPaintbrush = prefix[0] == 10 && prefix[1] <= 5 && prefix[2] <= 1 && [1, 2, 4, 8].contains(prefix[3])
        let isAnimation = [0x11, 0x12, 0x44].contains(prefix[4]) && prefix[5] == 0xAF
        return isPortable || isPaintbrush || isAnimation
            || prefix.hasText("#define ", at: 0) && contains("_width ", prefix.prefix(mostNameBytes))
    }

    /// Returns whether the file is a playlist whose parts play as one video, or a series of pictures with headers.
    ///
    /// The parts may be encrypted, and then they have no format of their own. Source: RFC 8216; ISO/IEC 23009-1; RFC 2046.
    private static func isPlaylist(_ prefix: [UInt8]) -> Bool {
        if prefix.hasText("#EXTM3U", at: 0) { return contains("#EXT-X-", prefix[...]) }
        if prefix.hasText("--", at: 0) {
            return String(decoding: prefix, as: UTF8.self).lowercased().contains("content-type: image/")
        }
        return prefix.hasText("<", at: 0) && contains("<MPD", prefix[...])
    }

    /// Returns whether the file begins with a picture of H.261 or H.263, which were made for video calls.
    ///
    /// Fonts begin with the start code of H.261, so the first group of blocks has to follow its picture's head.
    ///
    /// Source: ITU-T H.261, section 4.2; ITU-T H.263, section 5.1.
    private static func isVideoCall(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= 7, prefix[0] == 0 else { return false }
        if prefix[1] == 0 { return prefix[2] & 0xFC == 0x80 && prefix[3] & 3 == 2 }
        return prefix[1] == 1 && prefix[2] < 0x10 && prefix[3] & 1 == 0 && prefix[4] == 0 && prefix[5] == 1
            && (0x10..<0xD0).contains(prefix[6])
    }

    private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    /// The number of first bytes within which the name of an XBM picture must end.
    private static let mostNameBytes = 256

    /// Returns whether all numbers of a SPIDER header fit together.
    ///
    /// Source: SPIDER, "Format of image files", locations 1, 2, 5, 12, 13, 22 and 23.
    private static func isSpider(_ prefix: [UInt8], isBig: Bool) -> Bool {
        func number(_ location: Int) -> Float? {
            let offset = 4 * (location - 1)
            let bits: UInt32? = isBig ? prefix.bigEndian(at: offset) : prefix.littleEndian(at: offset)
            return bits.map { Float(bitPattern: $0) }
        }
        let numbers = [1, 2, 5, 12, 13, 22, 23].map { number($0) ?? .nan }
        return numbers.allSatisfy { $0.isFinite && $0 == $0.rounded(.towardZero) }
            && spiderKinds.contains(numbers[2]) && numbers[5] == numbers[4] * numbers[6]
    }

    /// The kinds of SPIDER files: pictures and volumes, and their transforms.
    private static let spiderKinds: Set<Float> = [1, 3, -11, -12, -21, -22]

    /// Returns whether the fifth floating-point number is a kind of SPIDER picture, in either byte order.
    private static func isSpider(_ prefix: [UInt8]) -> Bool {
        guard let big: UInt32 = prefix.bigEndian(at: 16), let little: UInt32 = prefix.littleEndian(at: 16) else {
            return false
        }
        return spiderKinds.contains { $0.bitPattern == big || $0.bitPattern == little }
    }
}
