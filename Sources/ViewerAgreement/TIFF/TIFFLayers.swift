// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The layers that Photoshop stores beside the picture, in an entry of the image file directory.
///
/// Source: Adobe Photoshop TIFF Technical Notes, 2002, "ImageSourceData".
enum TIFFLayers {
    /// Checks that there are no layers, because ImageMagick shows them as further pictures.
    ///
    /// - Parameters:
    ///   - entries: the bytes of all entries of the image file directory.
    ///   - entry: the position in `entries` of the entry with the layers, in bytes.
    /// - Throws: `inseparablePictures`, `malformed`, `unreadable`.
    static func check(
        _ entries: [UInt8], at entry: Int, in file: InputFile, _ numbers: TIFFNumbers
    ) throws(DecodingFailure) {
        let count = numbers.number(entries, at: entry + 4, size: numbers.offsetSize)
        let start = numbers.number(entries, at: entry + 4 + numbers.offsetSize, size: numbers.offsetSize)
        guard start <= file.byteCount else { throw TIFFDirectory.malformed("an entry outside of the file") }
        var (position, end) = (start + sourceSignatureSize, start + min(count, file.byteCount))
        for _ in 0..<mostSourceBlocks where position + 12 <= end {
            let header = try file.bytes(at: position, count: 12)
            let isBig = header.hasText("8BIM", at: 0)
            guard header.count == 12, isBig || header.hasText("MIB8", at: 0) else { end = file.byteCount; break }
            let layers: [StaticString] = isBig ? ["Layr", "Lr16", "Lr32"] : ["ryaL", "61rL", "23rL"]
            guard !layers.contains(where: { header.hasText($0, at: 4) }) else { break }
            let size = header[8...].reduce(0) { $0 << 8 | Int($1) }
            let length = isBig ? size : Int(UInt32(size).byteSwapped)
            position += 12 + (length + 3) / 4 * 4
        }
        guard position + 12 > end else {
            throw DecodingFailure(.inseparablePictures, format: .tiff, detail: "layers lie beside the picture")
        }
    }

    /// The length of "Adobe Photoshop Document Data Block" and a zero, in bytes.
    private static let sourceSignatureSize = 36
    private static let mostSourceBlocks = 1000
    /// The tag of the entry with the layers, `ImageSourceData`.
    static let tag = 37_724
}
