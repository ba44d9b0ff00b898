// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The formats of documents and archives, in which pictures may be.
enum DocumentFormats {
    /// Returns whether a file is in one of the formats.
    ///
    /// Source: shared-mime-info 2.2, the magic numbers of each format.
    static func contain(_ prefix: [UInt8]) -> Bool {
        signatures.contains { prefix.starts(with: $0) } || texts.contains { prefix.hasText($1, at: $0) }
            || isPage(prefix) || isPDF(prefix)
    }

    private static let signatures: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06],  // ZIP, and with it ODF, OOXML, EPUB and comic books
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],  // Microsoft's compound files, among them DOC and MSG
        [0x1F, 0x8B], [0x1F, 0x9D],  // gzip, compress
        [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],  // 7z
        [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],  // xz, Zstandard
        [0xC5, 0xD0, 0xD3, 0xC6],  // PostScript with a preview
    ]
    /// Signatures that consist of text, each with its position in the file, in bytes.
    private static let texts: [(Int, StaticString)] = [
        (0, "%!PS"), (0, "{\\rtf"), (0, "Rar!\u{1A}\u{7}"), (0, "BZh"), (257, "ustar"), (0, "MSCF"), (0, "!<arch>"),
        (60, "BOOKMOBI"), (0, "MIME-Version:"),
    ]

    /// Whether the file is PDF, before which programs accept other bytes.
    private static func isPDF(_ prefix: [UInt8]) -> Bool {
        prefix.prefix(mostBytesBeforePDF).indices.contains { prefix[$0] == percent && prefix.hasText("%PDF-", at: $0) }
    }

    /// Whether the file is a web page, which can hold pictures.
    private static func isPage(_ prefix: [UInt8]) -> Bool {
        let start = String(decoding: prefix.prefix(mostBytesBeforePage), as: UTF8.self).lowercased()
        return start.contains("<!doctype html") || start.contains("<html")
    }

    private static let percent: UInt8 = 0x25
    private static let mostBytesBeforePDF = 1024
    private static let mostBytesBeforePage = 256
}
