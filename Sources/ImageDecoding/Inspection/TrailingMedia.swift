// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Finds media behind the end of a picture.
///
/// Programs that read pictures one behind the other from a stream, as ffmpeg does, show a second picture there.
enum TrailingMedia {
    /// - Parameter end: where the picture ends; nil where the file ends before it.
    /// - Throws: `severalPictures` where other media follow, at once or behind a filling.
    static func check(_ file: InputFile, from end: Int?, _ format: MediaFormat) throws(DecodingFailure) {
        guard var position = end else { return }
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize)
            // A signature may lie on the edge of two pieces.
            for offset in bytes.indices where beginnings.contains(bytes[offset]) {
                guard signatures.contains(where: { bytes[offset...].starts(with: $0) }) else { continue }
                throw DecodingFailure(.severalPictures, format: format)
            }
            guard bytes.count == pieceSize else { return }
            position += pieceSize - longestSignature
        }
    }

    /// Where the chunks of a WebP file end by its header.
    static func endOfWebP(_ file: InputFile) throws(DecodingFailure) -> Int? {
        try file.bytes(at: 4, count: 4).littleEndian(at: 0, as: UInt32.self).map { 8 + Int($0) }
    }

    /// Checks what lies where a BMP file ends by its header or by its size.
    static func checkBitmap(_ file: InputFile, _ header: BitmapHeader) throws(DecodingFailure) {
        let size = Int(try file.bytes(at: 2, count: 4).littleEndian(at: 0, as: UInt32.self) ?? 0)
        // The header is not checked against any limit yet.
        let (pixelSize, isTooLarge) = header.bytesPerRow.multipliedReportingOverflow(by: header.height)
        let hasKnownEnd = header.compression == .none && !isTooLarge && pixelSize <= file.byteCount
        let pixelEnd = hasKnownEnd ? header.pixelOffset + pixelSize : size
        for end in [size, pixelEnd] where try file.bytes(at: end, count: 2) == [0x42, 0x4D] && end > 0 {
            throw DecodingFailure(.severalPictures, format: .bmp)
        }
        try check(file, from: min(pixelEnd, file.byteCount), .bmp)
    }

    private static let signatures: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("WEBPVP8".utf8), [0xFF, 0xD8, 0xFF, 0xE0],
        [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xDB], Array("GIF89a".utf8), Array("GIF87a".utf8),
        Array("ftypavif".utf8), Array("ftypheic".utf8), Array("ftypmif1".utf8), Array("ftypisom".utf8),
        Array("ftypmp4".utf8), Array("ftypqt  ".utf8),
    ]
    /// The first bytes of the signatures: most bytes are none of them.
    private static let beginnings = Set(signatures.map { $0[0] })
    private static let longestSignature = 16
    private static let pieceSize = 64 << 10
}
