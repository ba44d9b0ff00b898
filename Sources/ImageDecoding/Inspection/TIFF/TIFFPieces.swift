// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The strips or tiles that a picture is made of, and how many it needs.
struct TIFFPieces {
    /// How many offsets there are.
    var count: Int?
    /// Lengths by their tags.
    var lengths: [Int: Int] = [:]

    /// The number of bytes of the pixels of a piece.
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

    /// Whether there are no more than needed; fewer are an error of libtiff.
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
