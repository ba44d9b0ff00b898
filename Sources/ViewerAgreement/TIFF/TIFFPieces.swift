// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The pieces (strips or tiles) of a TIFF picture: how many there are, how many it needs, and their sizes.
struct TIFFPieces {
    /// The number of strips or tiles whose offsets the file lists; nil if it lists none.
    var count: Int?
    /// The widths and heights of the picture and of its strips or tiles in pixels, by TIFF tag.
    var lengths: [Int: Int] = [:]

    /// Returns the size in bytes of the uncompressed pixels of a strip or tile.
    func byteCount(of index: Int, bitsPerPixel: Int) -> Int {
        func bytes(_ columns: Int, _ rows: Int) -> Int { (columns &* bitsPerPixel &+ 7) / 8 &* rows }
        if let width = lengths[Self.widthOfTile], let height = lengths[Self.heightOfTile] {
            return bytes(width, height)
        }
        let (width, height) = (lengths[Self.width] ?? 0, lengths[Self.height] ?? 0)
        let rows = max(1, min(lengths[Self.rowsOfStrip] ?? height, height))
        let strips = max(1, height / rows + (height % rows == 0 ? 0 : 1))
        return bytes(width, min(rows, height - index % strips * rows))
    }

    static let lengths: Set<Int> = [width, height, rowsOfStrip, widthOfTile, heightOfTile]

    /// Returns whether there are no more strips or tiles than needed; libtiff reports an error for fewer.
    func fit(_ planeCount: Int) -> Bool {
        guard let height = lengths[Self.height], let count else { return true }
        func parts(_ length: Int, _ tag: Int) -> Int? {
            guard let part = lengths[tag], part > 0 else { return nil }
            return length / part + (length % part == 0 ? 0 : 1)
        }
        if let width = lengths[Self.width], let down = parts(height, Self.heightOfTile),
            let across = parts(width, Self.widthOfTile)
        {
            return count <= across &* down &* planeCount
        }
        return count <= (parts(height, Self.rowsOfStrip) ?? 1) &* planeCount
    }

    private static let width = 256
    private static let height = 257
    private static let rowsOfStrip = 278
    private static let widthOfTile = 322
    private static let heightOfTile = 323
}
