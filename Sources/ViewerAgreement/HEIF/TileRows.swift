// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The rows of tiles of a large picture, in bands that are pictures of their own.
///
/// libheif decodes a picture as a whole. Byte changes make the list of tiles hold those of one band, so that libheif
/// composes the band alone. Source: ISO/IEC 23008-12, sections 6.6.2.3 and 6.5.10.
package struct TileRows {
    /// A band of whole rows.
    package struct Band {
        /// The changes that make the band the picture of the file.
        package fileprivate(set) var part = FilePart()
        package let height: Int
        package let tileCount: Int
    }

    /// The size of the whole picture before it is turned, in pixels.
    package let width, height: Int
    /// The EXIF orientation of the picture.
    package let orientation: Int
    package let tileSize: (width: Int, height: Int)
    /// The bands from the top.
    package private(set) var bands: [Band] = []

    /// - Parameter data: the places for coded data in the file.
    /// - Returns: nil if the primary picture has no tiles, few of them, opacity, or edges that are cut off, and for
    ///   unusual boxes.
    /// - Throws: `unreadable`, `malformed`.
    init?(_ items: ItemBoxes, in file: InputFile, data: [Range<Int>]) throws(DecodingFailure) {
        let properties = items.properties(of: items.primary)
        let lists = items.references.filter { $0.type == "dimg" && $0.from == items.primary }
        guard items.items[items.primary]?.type == "grid", lists.count == 1, let list = lists.first,
            let turn = try Self.orientation(of: properties, in: file),
            let sizeBox = properties.first(where: { $0.name == "ispe" }), sizeBox.content.count == 12,
            let size = try PictureItems.size(of: properties, in: file),
            let grid = try Grid(items.parts[items.primary] ?? [], in: file, data: data + [items.ownData]),
            grid.width == size.width, grid.height == size.height, let first = list.to.first,
            let tile = try PictureItems.size(of: items.properties(of: first), in: file)
        else { return nil }
        for reference in items.references where reference.type == "auxl" && reference.to.contains(items.primary) {
            guard try !PictureItems.isOpacity(reference.from, of: items, in: file) else { return nil }
        }
        (width, height, orientation, tileSize) = (size.width, size.height, turn, tile)
        let (rows, columns) = (grid.rows, grid.columns)
        let sides = 1...Self.largestSide
        guard sides.contains(tile.width), sides.contains(tile.height), sides.contains(width), sides.contains(height),
            list.to.count == rows * columns, width <= columns * tile.width, width > (columns - 1) * tile.width,
            height <= rows * tile.height, height > (rows - 1) * tile.height
        else { return nil }
        for number in Set(list.to) {
            guard let other = try PictureItems.size(of: items.properties(of: number), in: file), other == tile else {
                return nil
            }
        }
        let rowsPerBand = max(1, Self.bandHeight / tile.height)
        let turns = properties.filter { $0.name == "irot" }
        for start in stride(from: 0, to: rows, by: rowsPerBand) {
            let count = min(rowsPerBand, rows - start)
            let tiles = list.to[(start * columns)..<((start + count) * columns)]
            guard list.to.count - tiles.count >= Self.leastLeft else { return nil }
            var band = Band(
                height: min(count * tile.height, height - start * tile.height), tileCount: tiles.count)
            band.part.replacements += grid.changes(rows: count, height: band.height)
            band.part.replace(at: sizeBox.content.lowerBound + 8, with: Self.bytes(band.height, 4))
            for box in turns { band.part.replace(at: box.position + 4, with: Array("free".utf8)) }
            for (position, bytes) in Self.lists(of: tiles, in: list) { band.part.replace(at: position, with: bytes) }
            bands.append(band)
        }
        guard try Self.fits(list, in: file), !Self.meetTiles(bands, list, items) else { return nil }
    }

    /// Returns the heads of the list of a band, and of lists without a meaning that take the place of its rest.
    private static func lists(
        of tiles: ArraySlice<Int>, in list: ItemBoxes.Reference
    ) -> [(position: Int, bytes: [UInt8])] {
        let size = list.numberSize
        let headSize = 8 + size + 2
        func head(_ kind: String, count: Int) -> [UInt8] {
            bytes(headSize + count * size, 4) + Array(kind.utf8) + bytes(list.from, size) + bytes(count, 2)
        }
        var changes = [(list.position, head("dimg", count: tiles.count) + tiles.flatMap { bytes($0, size) })]
        var position = list.position + headSize + tiles.count * size
        var left = (list.to.count - tiles.count) * size
        if size == 4 {
            // A head has half a number too much, so that two lists fill the place.
            changes.append((position, head("free", count: 1)))
            position += headSize + size
            left -= headSize + size
        }
        // The numbers in the place of the rest stay, because newer versions of libheif refuse a number that is there twice.
        changes.append((position, head("free", count: (left - headSize) / size)))
        return changes
    }

    /// Whether a list has a short head, and nothing follows its numbers.
    private static func fits(_ list: ItemBoxes.Reference, in file: InputFile) throws(DecodingFailure) -> Bool {
        let length: UInt32? = try file.bytes(at: list.position, count: 4).bigEndian(at: 0)
        return length.map(Int.init) == 8 + list.numberSize + 2 + list.to.count * list.numberSize
    }

    /// Whether a change lies in the data of a tile, which would be decoded differently then.
    private static func meetTiles(_ bands: [Band], _ list: ItemBoxes.Reference, _ items: ItemBoxes) -> Bool {
        let parts = Set(list.to).flatMap { items.parts[$0] ?? [] }
        return bands.contains { band in
            band.part.replacements.contains { position, bytes in
                parts.contains { $0.overlaps(position..<(position + bytes.count)) }
            }
        }
    }

    /// Returns the EXIF orientation; nil for a picture that is mirrored, or whose edges are cut off.
    private static func orientation(
        of properties: [MediaBoxes.Box], in file: InputFile
    ) throws(DecodingFailure) -> Int? {
        guard !properties.contains(where: { $0.name == "imir" || $0.name == "clap" }) else { return nil }
        let turns = properties.filter { $0.name == "irot" }
        guard turns.count < 2 else { return nil }
        guard let turn = turns.first else { return 1 }
        // The angle counts quarters of a turn to the left.
        return [1, 8, 3, 6][Int(try file.bytes(at: turn.content.lowerBound, count: 1).first ?? 0) & 3]
    }

    fileprivate static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The longest side that libheif takes, in pixels.
    private static let largestSide = 32_768
    /// The most pixels in a column of a band, unless one tile has more.
    ///
    /// Fewer bands cost less time and more memory.
    private static let bandHeight = 1024
    /// The fewest numbers that are left over, so that lists without a meaning fit into their place.
    private static let leastLeft = 9
}

/// The data of a picture that is made of tiles: their rows and columns, and the size of the picture in pixels.
private struct Grid {
    let rows, columns: Int
    let width, height: Int
    private let start: Int
    private let isWide: Bool

    /// - Parameters:
    ///   - parts: the places of the data in the file.
    ///   - data: the places in the file where no other structure lies.
    /// - Returns: nil for data of another size or elsewhere.
    init?(_ parts: [Range<Int>], in file: InputFile, data: [Range<Int>]) throws(DecodingFailure) {
        guard parts.count == 1, let part = parts.first,
            data.contains(where: { $0.lowerBound <= part.lowerBound && part.upperBound <= $0.upperBound })
        else { return nil }
        let bytes = try file.bytes(at: part.lowerBound, count: part.count)
        guard bytes.count >= 8, bytes.count == (bytes[1] & 1 == 1 ? 12 : 8) else { return nil }
        (start, isWide) = (part.lowerBound, bytes[1] & 1 == 1)
        (rows, columns) = (Int(bytes[2]) + 1, Int(bytes[3]) + 1)
        let sides = bytes.dropFirst(4)
        let numbers = [sides.prefix(sides.count / 2), sides.suffix(sides.count / 2)].map { side in
            side.reduce(0) { $0 << 8 | Int($1) }
        }
        (width, height) = (numbers[0], numbers[1])
    }

    /// Returns the changes that give the picture fewer rows.
    func changes(rows: Int, height: Int) -> [(position: Int, bytes: [UInt8])] {
        [
            (start + 2, [UInt8(rows - 1)]),
            (start + (isWide ? 8 : 6), TileRows.bytes(height, isWide ? 4 : 2)),
        ]
    }
}

extension PictureItems {
    /// Returns the sizes that the tiles of all pictures have by their boxes, each once.
    static func tileSizes(
        of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> [(width: Int, height: Int)] {
        var sizes: [(width: Int, height: Int)] = []
        var known: Set<Int> = []
        for list in items.references where list.type == "dimg" && items.items[list.from]?.type == "grid" {
            for tile in list.to where known.insert(tile).inserted {
                guard let size = try size(of: items.properties(of: tile), in: file),
                    !sizes.contains(where: { $0 == size })
                else { continue }
                sizes.append(size)
            }
        }
        return sizes
    }

    /// Returns the size in pixels that a picture has by its box; nil without a box.
    static func size(
        of properties: [MediaBoxes.Box], in file: InputFile
    ) throws(DecodingFailure) -> (width: Int, height: Int)? {
        guard let box = properties.first(where: { $0.name == "ispe" }) else { return nil }
        let bytes = try file.bytes(at: box.content.lowerBound, count: 12)
        guard let width: UInt32 = bytes.bigEndian(at: 4), let height: UInt32 = bytes.bigEndian(at: 8) else {
            return nil
        }
        return (Int(width), Int(height))
    }
}

extension FilePart {
    private static let mostReplacedBytes = 8

    /// Adds a change of any length.
    fileprivate mutating func replace(at position: Int, with bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: Self.mostReplacedBytes) {
            let piece = Array(bytes[start..<min(start + Self.mostReplacedBytes, bytes.count)])
            replacements.append((position + start, piece))
        }
    }
}
