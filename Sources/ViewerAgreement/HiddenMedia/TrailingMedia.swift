// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds media after the end of a picture.
///
/// Programs that read successive pictures from a stream, such as FFmpeg, show a second picture there.
package enum TrailingMedia {
    /// Checks that no media follow the end of a picture.
    ///
    /// - Parameter end: the end of the picture, in bytes; nil if the file ends before it.
    /// - Throws: `inseparablePictures` if other media follow, directly or after other bytes.
    package static func check(_ file: InputFile, from end: Int?, _ format: MediaFormat) throws(DecodingFailure) {
        guard var position = end else { return }
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize)
            // A signature may cross the edge of two blocks that are read, so the blocks overlap.
            for offset in bytes.indices where beginnings.contains(bytes[offset]) {
                guard
                    signatures.contains(where: { bytes[offset...].starts(with: $0) }) || isBitmap(bytes[offset...])
                else { continue }
                throw found(format)
            }
            guard bytes.count == pieceSize else { return }
            position += pieceSize - longestSignature
        }
    }

    /// Returns the end of a WebP file's chunks according to its header, in bytes.
    package static func endOfWebP(_ file: InputFile) throws(DecodingFailure) -> Int? {
        try file.bytes(at: 4, count: 4).littleEndian(at: 0, as: UInt32.self).map { 8 + Int($0) }
    }

    package static func found(_ format: MediaFormat) -> DecodingFailure {
        DecodingFailure(.inseparablePictures, format: format, detail: "another may follow its end")
    }

    /// Whether bytes begin like a BMP file: two letters, reserved zeros, and the size of a known header.
    private static func isBitmap(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: [0x42, 0x4D]), bytes.count >= 18 else { return false }
        let header = Array(bytes.prefix(18))
        return header[6..<10].allSatisfy { $0 == 0 } && [12, 16, 40, 52, 56, 64, 108, 124].contains(header[14])
            && header[15..<18].allSatisfy { $0 == 0 }
    }

    private static let signatures: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0x8A, 0x4D, 0x4E, 0x47],
        [0x8B, 0x4A, 0x4E, 0x47], Array("RIFF".utf8), Array("VP8 ".utf8), Array("VP8L".utf8), Array("VP8X".utf8),
        Array("ALPH".utf8), Array("ANMF".utf8), [0xFF, 0xD8, 0xFF, 0xE0],
        [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xDB], Array("GIF89a".utf8), Array("GIF87a".utf8),
        Array("ftypavif".utf8), Array("ftypheic".utf8), Array("ftypmif1".utf8), Array("ftypisom".utf8),
        Array("ftypmp4".utf8), Array("ftypqt  ".utf8),
    ]
    /// The first bytes of the signatures, which exclude most positions quickly.
    private static let beginnings = Set(signatures.map { $0[0] } + [0x42])
    private static let longestSignature = 18
    private static let pieceSize = 64 << 10
}
