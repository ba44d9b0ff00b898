// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The pictures among the items of a HEIF or AVIF file, with checks that viewers show no other picture.
///
/// libheif lists all pictures that are not hidden, auxiliary or a thumbnail. Viewers show the primary picture even if
/// it is one of these. Source: ISO/IEC 23008-12, sections 6 and 7.
package struct PictureItems: ViewerStructure {
    /// Whether the file has a sequence of pictures or a video beside its primary picture.
    package private(set) var hasSequence = false
    /// The bytes of a video in a box of its own, as in motion photos; nil if there is none.
    package private(set) var embeddedVideo: Range<Int>?
    /// The colours that the file names by code points, in order and each once.
    package private(set) var colours: [CodePoints] = []
    /// The positions of the boxes that declare colours as multiplied by opacity, in bytes.
    private var premultipliedPositions: [Int] = []
    /// The positions of the boxes that crop pictures, in bytes.
    private var cropPositions: [Int] = []
    /// The changes with which libheif and libvips read what the standard allows.
    private var repairs: [(position: Int, bytes: [UInt8])] = []
    private var visibleCount = 0
    /// All layers of pictures that have several; programs show different ones.
    package private(set) var layers: [Layer] = []
    /// The rows of tiles of the only visible picture; nil if there are other pictures, or no rows.
    package private(set) var tileRows: TileRows?
    /// The sizes in pixels that the tiles of all pictures have by their boxes.
    package private(set) var tileSizes: [(width: Int, height: Int)] = []
    private var hasItems = false
    /// The outermost boxes of the file.
    private let outerBoxes: [MediaBoxes.Box]

    /// - Throws: `malformed`, `tooManyPictures`; `ambiguousRendering` if viewers may show another picture than libheif.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var reader = MediaBoxes(file, maximumCount: Self.mostBoxes)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        outerBoxes = boxes
        // Another picture or video may follow the boxes that were read.
        guard !reader.isExhausted else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostBoxes), detail: "boxes")
        }
        hasSequence = boxes.contains { $0.name == "moov" || $0.name == "moof" }
        embeddedVideo = try EmbeddedVideo.part(in: boxes)
        if embeddedVideo != nil { hasSequence = true }
        // Newer versions of libheif read this box instead of the others, which most programs do not know.
        guard !boxes.contains(where: { $0.name == "mini" }) else {
            throw DecodingFailure(.boxMini)
        }
        let metas = boxes.filter { $0.name == "meta" }
        guard let meta = metas.first else { return }
        guard metas.count == 1 else { throw DecodingFailure(.metadataTwice) }
        guard meta.isWhole else { throw ItemBoxes.malformed("metadata that are cut off") }
        let items = try ItemBoxes(file, in: meta.content, maximumBoxCount: Self.mostBoxes)
        hasItems = !items.items.isEmpty
        guard hasItems else { return }
        let secondary = Set(items.references.filter { ["thmb", "auxl"].contains($0.type) }.map(\.from))
        try Self.checkPrimary(of: items, secondary)
        visibleCount = items.items.count { Self.isPicture($1) && !$1.isHidden && !secondary.contains($0) }
        cropPositions = items.properties.filter { $0.name == "clap" }.map(\.position)
        // Some loaders crop the opacity and the colours differently, and show one as the other.
        guard cropPositions.isEmpty || !items.references.contains(where: { $0.type == "auxl" }) else {
            throw DecodingFailure(.croppedOpacity)
        }
        repairs = try Self.repairs(of: items, in: file)
        try Self.checkOpacity(of: items, in: file)
        try Self.checkProperties(of: items, in: file)
        try Self.checkOrder(of: items)
        try GainMap.check(items, in: file)
        try Self.checkDerivedItems(of: items)
        try Self.checkTiles(of: items)
        if visibleCount == 1 {
            tileRows = try TileRows(items, in: file, data: boxes.filter { $0.name == "mdat" }.map(\.content))
        }
        tileSizes = try Self.tileSizes(of: items, in: file)
        premultipliedPositions = items.references.filter { $0.type == "prem" }.map(\.position)
        var colours: Set<CodePoints>
        (colours, layers) = try Self.checkCodedItems(of: items, in: file)
        colours.formUnion(try Self.namedColours(of: items, in: file))
        try Self.checkMatrices(of: colours)
        self.colours = colours.sorted { ($0.primaries, $0.transfer) < ($1.primaries, $1.transfer) }
    }

    /// Checks that no movie lies in a box in which only FFmpeg looks for one.
    ///
    /// - Throws: `ambiguousRendering`, `unreadable`.
    package func checkOtherBoxes(in file: InputFile) throws(DecodingFailure) {
        // If a movie lies in its usual place, the video decoder checks the boxes before it.
        guard !outerBoxes.contains(where: { $0.name == "moov" }) else { return }
        guard try !HiddenMovie.isIn(outerBoxes, of: file, hasMovie: false) else {
            throw DecodingFailure(.movieInOtherBox)
        }
    }

    /// Whether the file has pictures of its own; otherwise it has only a sequence or a video.
    package var hasPictures: Bool { hasItems || !hasSequence }

    /// Whether colours are multiplied by opacity already.
    package var isPremultiplied: Bool { !premultipliedPositions.isEmpty }

    /// The file with the changes that libheif needs to read its pictures; nil if it reads the file as it is.
    package var readable: FilePart? { repairs.isEmpty ? nil : FilePart(replacements: repairs) }

    /// The changes with which libheif gives colours as they are stored, also where they are multiplied by opacity.
    package var primaryPart: FilePart {
        // Once `prem` is renamed, libheif leaves colours as they are, also if opacity is 0.
        FilePart(replacements: repairs + premultipliedPositions.map { ($0 + 4, Array("free".utf8)) })
    }

    /// The changes with which libheif gives every look of each picture: a look for each change.
    ///
    /// - Parameter count: the number of pictures that libheif finds in `readable`.
    /// - Throws: `ambiguousRendering` if libheif finds another number of pictures.
    package func looks(count: Int) throws(DecodingFailure) -> [FilePart] {
        guard count == visibleCount else { throw DecodingFailure(.unshownItems(visibleCount, shown: count)) }
        let part = primaryPart
        guard !cropPositions.isEmpty else { return [part] }
        // Some programs show the edges that other programs crop.
        var whole = part
        whole.replacements += cropPositions.map { ($0 + 4, Array("free".utf8)) }
        return [part, whole]
    }

    /// A layer of the pictures in a file, among those of an operating point.
    package struct Layer {
        package let number, point: Int
    }

    private static func isPicture(_ item: ItemBoxes.Item) -> Bool {
        // Every item that is not metadata counts as a picture, also an item of an unknown type.
        !["Exif", "mime", "uri ", "tmap"].contains(item.type)
    }

    private static func checkPrimary(of items: ItemBoxes, _ secondary: Set<Int>) throws(DecodingFailure) {
        guard let primary = items.items[items.primary], isPicture(primary) else {
            throw ItemBoxes.malformed("its primary item is no picture")
        }
        guard !primary.isHidden, !secondary.contains(items.primary) else { throw DecodingFailure(.hiddenPrimaryItem) }
    }

    /// Checks that opacity has the size, rotation and mirroring of its picture, because programs differ otherwise.
    ///
    /// Programs may read an auxiliary item without a type as opacity. They never read depth and gain maps as opacity.
    private static func checkOpacity(of items: ItemBoxes, in file: InputFile) throws(DecodingFailure) {
        var withOpacity: Set<Int> = []
        for reference in items.references where reference.type == "auxl" {
            guard try isOpacity(reference.from, of: items, in: file) else { continue }
            let own = try shape(items.properties(of: reference.from), in: file)
            for picture in reference.to {
                guard withOpacity.insert(picture).inserted else { throw DecodingFailure(.opacityTwice) }
            }
            for picture in reference.to {
                // Opacity of an item that is not there is judged as that of the primary picture.
                let existing = items.items[picture] == nil ? items.primary : picture
                guard try shape(items.properties(of: existing), in: file) == own else {
                    throw DecodingFailure(.otherShapeOfOpacity)
                }
            }
        }
    }

    /// Whether programs may take an auxiliary item for the opacity of a picture.
    static func isOpacity(
        _ item: Int, of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> Bool {
        var kinds: [String] = []
        for box in items.properties(of: item) where box.name == "auxC" {
            let bytes = try file.bytes(at: box.content.lowerBound, count: min(64, box.content.count))
            kinds.append(String(decoding: bytes, as: UTF8.self))
        }
        return kinds.isEmpty || kinds.contains { kind in opacityKinds.contains { kind.contains($0) } }
    }

    /// Checks that no item has two property boxes of one kind, because programs use the first or the last.
    private static func checkProperties(of items: ItemBoxes, in file: InputFile) throws(DecodingFailure) {
        for number in items.items.keys {
            var names: Set<String> = []
            for box in items.properties(of: number) where descriptions.contains(box.name) {
                var name = box.name
                if name == "colr" {
                    name += String(decoding: try file.bytes(at: box.content.lowerBound, count: 4), as: UTF8.self)
                }
                guard names.insert(name).inserted else { throw DecodingFailure(.propertyTwice(box.name)) }
            }
        }
    }

    /// Checks that pictures are cropped before they are rotated or mirrored, as programs with libavif always do.
    ///
    /// Source: ISO/IEC 23000-22, section 7.3.6.7.
    private static func checkOrder(of items: ItemBoxes) throws(DecodingFailure) {
        for number in items.items.keys {
            let names = items.properties(of: number).map(\.name)
            guard let turned = names.firstIndex(where: { $0 == "irot" || $0 == "imir" }),
                names[turned...].contains("clap")
            else { continue }
            throw DecodingFailure(.cropAfterTurn)
        }
    }

    private static let descriptions: Set = ["auxC", "clap", "colr", "hvcC", "av1C", "ispe", "pixi"]

    /// Texts in the type of an auxiliary item of opacity; source: ISO/IEC 23008-12, and the names of AVIF and HEVC.
    private static let opacityKinds = ["alpha", ":aux:1", ":auxid:1"]

    /// Returns the boxes that give a picture its size, rotation and mirroring; the size first, the others in order.
    private static func shape(
        _ properties: [MediaBoxes.Box], in file: InputFile
    ) throws(DecodingFailure) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for box in properties where ["ispe", "irot", "imir"].contains(box.name) {
            found.append(
                Array(box.name.utf8) + (try file.bytes(at: box.content.lowerBound, count: min(12, box.content.count))))
        }
        // The size box may stand before or after the other boxes.
        let sizes = found.filter { $0.starts(with: "ispe".utf8) }
        return sizes + found.filter { !$0.starts(with: "ispe".utf8) }
    }

    /// Checks that pictures made of other pictures have only a few bytes of data of their own; FFmpeg decodes the data
    /// of any primary item.
    private static func checkDerivedItems(of items: ItemBoxes) throws(DecodingFailure) {
        for (number, item) in items.items where derivedTypes.contains(item.type) {
            let size = (items.parts[number] ?? []).reduce(0) { $0 + $1.count }
            guard size <= mostNumbers else { throw DecodingFailure(.derivedItemWithData) }
        }
    }

    /// Checks that the tiles of a grid are there, as coded pictures, and have no shape of their own.
    ///
    /// libheif turns and crops each tile as its properties say, and other programs only the grid. Newer versions of
    /// libheif leave the place of a tile blank that is missing or cut off.
    private static func checkTiles(of items: ItemBoxes) throws(DecodingFailure) {
        for reference in items.references where reference.type == "dimg" {
            guard let kind = items.items[reference.from]?.type else { continue }
            let parts = reference.to.map { items.items[$0]?.type }
            guard kind == "grid" else {
                guard !parts.contains("grid") else {
                    throw DecodingFailure(.unsupportedVariant, detail: "a picture made of grids")
                }
                continue
            }
            guard parts.allSatisfy({ $0 != nil }), items.cutItems.isDisjoint(with: reference.to) else {
                throw ItemBoxes.malformed("a tile that is missing or cut off")
            }
            guard parts.allSatisfy({ $0.map(codedTypes.contains) ?? false }) else {
                throw DecodingFailure(.unsupportedVariant, detail: "tiles of another kind")
            }
            for tile in reference.to {
                guard !items.properties(of: tile).contains(where: { ["irot", "imir", "clap"].contains($0.name) }) else {
                    throw DecodingFailure(.turnedTiles)
                }
            }
        }
    }

    private static let codedTypes: Set = ["av01", "hvc1", "hev1"]
    /// The types of items that are made of other items.
    private static let derivedTypes: Set = ["grid", "iden", "iovl"]
    /// The largest size of such data in bytes; a grid has 12 bytes, an overlay of a few pictures little more.
    private static let mostNumbers = 64

    /// Checks that every coded item holds one picture.
    ///
    /// - Returns: the colours that the coded data name, and all layers if a picture has several.
    private static func checkCodedItems(
        of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> (Set<CodePoints>, [Layer]) {
        var colours: Set<CodePoints> = []
        var (layerCount, pointCount) = (1, 1)
        var budget = mostLayers * file.byteCount + (1 << 20)
        for (number, item) in items.items where codedTypes.contains(item.type) {
            guard !items.itemsElsewhere.contains(number) else { throw DecodingFailure(.itemElsewhere) }
            var bytes: [UInt8] = []
            for part in items.parts[number] ?? [] {
                // Items may share data, but the budget bounds the time to read it.
                budget -= part.count
                guard budget >= 0 else { throw DecodingFailure(.overlappingItems) }
                bytes += try file.bytes(at: part.lowerBound, count: part.count)
            }
            let count: Int
            if item.type == "av01" {
                let found = CodedPictures.inAV1(bytes)
                count = found.count
                colours.formUnion(found.colours)
                (layerCount, pointCount) = (max(layerCount, count), max(pointCount, found.pointCount))
            } else {
                count = CodedPictures.countInHEVC(bytes, lengthSize: try lengthSize(of: items, in: file))
            }
            guard count <= (item.type == "av01" ? mostLayers : 1), pointCount <= mostLayers else {
                throw DecodingFailure(.severalPicturesInItem(count))
            }
        }
        guard layerCount > 1 else { return (colours, []) }
        // Programs choose a layer for each tile or part of a picture by itself, and they scale layers differently.
        let kinds = Set(items.items.values.map(\.type))
        guard kinds.isDisjoint(with: derivedTypes) else { throw DecodingFailure(.severalPicturesInItem(layerCount)) }
        return (
            colours,
            (0..<pointCount).flatMap { point in (0..<layerCount).map { Layer(number: $0, point: point) } }
        )
    }

    /// Returns the size in bytes of the length before each HEVC unit, which must be the same in all configurations.
    private static func lengthSize(of items: ItemBoxes, in file: InputFile) throws(DecodingFailure) -> Int {
        var sizes: Set<Int> = []
        for box in items.properties where box.name == "hvcC" {
            sizes.insert(Int((try file.bytes(at: box.content.lowerBound + 21, count: 1).first ?? 3) & 3) + 1)
        }
        guard sizes.count <= 1 else { throw DecodingFailure(.severalLengthSizes) }
        return sizes.first ?? 4
    }

    private static func namedColours(
        of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> Set<CodePoints> {
        var colours: Set<CodePoints> = []
        for box in items.properties where box.name == "colr" {
            let bytes = try file.bytes(at: box.content.lowerBound, count: min(11, box.content.count))
            guard bytes.hasText("nclx", at: 0), let primaries: UInt16 = bytes.bigEndian(at: 4),
                let transfer: UInt16 = bytes.bigEndian(at: 6), let matrix: UInt16 = bytes.bigEndian(at: 8)
            else { continue }
            colours.insert(
                CodePoints(primaries: Int(primaries), transfer: Int(transfer), matrix: Int(matrix)))
        }
        return colours
    }

    /// Checks that all colour matrices are usual and alike; programs use that of the container or of the coded data.
    private static func checkMatrices(of colours: Set<CodePoints>) throws(DecodingFailure) {
        let kinds = Set(colours.map(\.matrix)).map { [1, 2, 5, 6, 9].contains($0) ? 1 : $0 }
        guard Set(kinds).count <= 1, kinds.allSatisfy({ $0 <= 1 }) else {
            throw DecodingFailure(.unusualMatrix)
        }
    }

    private static let mostBoxes = 20_000
    /// The most layers and operating points of which every one is judged.
    private static let mostLayers = 4
}
