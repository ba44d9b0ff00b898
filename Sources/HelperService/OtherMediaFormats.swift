// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
