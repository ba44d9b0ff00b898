// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// One image file directory of a TIFF file: a picture, and the places of the directories behind and below it.
///
/// Camera files are TIFF files as well, and many keep a thumbnail in the first directory and the picture in a
/// directory below it. Source: TIFF revision 6.0, sections 2 and 8; BigTIFF; DNG specification, chapter 2.
struct TIFFDirectory {
    let start: Int
    private(set) var isReducedVersion = false
    /// Where the directories below this one begin.
    private(set) var below: [Int] = []
    /// Where the next directory begins; nil where there is none.
    private(set) var next: Int?
    /// Whether colours are multiplied by opacity already.
    private(set) var isPremultiplied = false
    private let numbers: TIFFNumbers
    private let nextPosition: Int
    private var extraSamplesPosition = 0
    private var extraSamplesSize = 2

    /// Whether there are more strips or tiles than the picture has: some programs draw every one, also over another.
    let hasSurplusPieces: Bool
    private let pieces: TIFFPieces
    /// The pieces that zlib compressed; none where the compression is another.
    private var deflate = TIFFDeflate()
    /// Of the samples that lie together.
    private let bitsPerPixel: Int

    /// Whether all that zlib compressed ends as it should; programs show different parts of what does not.
    ///
    /// - Throws: `unreadable`, `outOfMemory`.
    func hasWholePieces(in file: InputFile) throws(DecodingFailure) -> Bool {
        try deflate.areWhole(in: file) { pieces.byteCount(of: $0, bitsPerPixel: bitsPerPixel) }
    }

    /// - Throws: `malformed` where it has more entries than libtiff reads, or ends early; `tooManyPictures`,
    ///   `ambiguousRendering`.
    init(_ file: InputFile, _ numbers: TIFFNumbers, at start: Int) throws(DecodingFailure) {
        self.start = start
        self.numbers = numbers
        let counter = try file.bytes(at: start, count: numbers.countSize)
        guard counter.count == numbers.countSize else { throw Self.malformed("a directory outside of the file") }
        let count = numbers.number(counter, at: 0, size: numbers.countSize)
        guard count <= Self.mostEntries else { throw Self.malformed("\(count) entries in a directory") }
        let entrySize = numbers.isBig ? 20 : 12
        nextPosition = start + numbers.countSize + count * entrySize
        let bytes = try file.bytes(
            at: start + numbers.countSize, count: count * entrySize + numbers.offsetSize)
        guard bytes.count >= count * entrySize else { throw Self.malformed("a directory that ends early") }
        var (sampleCount, photometric, compression, predictor): (Int?, Int?, Int?, Int?)
        var (hasPlanes, depths) = (false, [1])
        var places: Set<Int> = []
        var pieces = TIFFPieces()
        var lastTag = -1
        func value(at offset: Int) throws(DecodingFailure) -> Int? {
            try numbers.values(of: bytes, at: offset, in: file, most: 1).first
        }
        for offset in stride(from: 0, to: count * entrySize, by: entrySize) {
            let tag = numbers.number(bytes, at: offset, size: 2)
            // Of entries out of order, libtiff leaves out those that depend on a later one, such as the palette before the
            // number of bits, and Pillow obeys them. Of two of a kind, a program may take either.
            guard tag > lastTag else {
                throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "entries out of order or twice")
            }
            lastTag = tag
            try Self.checkType(numbers.number(bytes, at: offset + 2, size: 2), of: tag)
            switch tag {
            case Self.stripOffsets, Self.tileOffsets:
                places.insert(tag)
                pieces.count = numbers.number(bytes, at: offset + 4, size: numbers.offsetSize)
                // The compression comes before, and the planes behind.
                guard compression.map(Self.deflateCompressions.contains) == true else { break }
                deflate.offsets = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostPieces)
            case Self.stripLengths, Self.tileLengths:
                guard compression.map(Self.deflateCompressions.contains) == true else { break }
                deflate.lengths = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostPieces)
            case let tag where TIFFPieces.lengths.contains(tag): pieces.lengths[tag] = try value(at: offset)
            case Self.newSubfileType:
                isReducedVersion = (try value(at: offset) ?? 0) & 1 == 1
            case Self.extraSamples:
                let kinds = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostSamples)
                guard kinds.contains(Self.associatedAlpha) else { break }
                // Several extra samples are refused later.
                isPremultiplied = true
                extraSamplesPosition = start + numbers.countSize + offset + 4 + numbers.offsetSize
                extraSamplesSize = numbers.valueSize(of: bytes, at: offset) ?? 2
            case Self.imageSourceData: try Self.checkLayers(bytes, at: offset, in: file, numbers)
            case Self.samplesPerPixel: sampleCount = try value(at: offset)
            case Self.photometric: photometric = try value(at: offset)
            case Self.bitsPerSample:
                let values = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostSamples)
                if !values.isEmpty { depths = values }
            case Self.compression: compression = try value(at: offset)
            case Self.predictor: predictor = try value(at: offset)
            case Self.planarConfiguration: hasPlanes = try value(at: offset) == 2
            case Self.subIFDs: below = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostBelow)
            default: break
            }
        }
        guard places.count < 2 else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "strips and tiles in one picture")
        }
        hasSurplusPieces = !pieces.fit(hasPlanes ? max(sampleCount ?? 1, 1) : 1)
        self.pieces = pieces
        // Of fewer depths than samples, the last one holds for the rest.
        let last = depths.last ?? 1
        let missing = max(0, (sampleCount ?? 1) - depths.count)
        bitsPerPixel = hasPlanes ? last : depths.reduce(0) { $0 &+ $1 } &+ missing &* last
        // libvips 8.14 reads some pictures otherwise than other programs: the planes of grey and opacity, and of other
        // colours than grey, RGB and inks, as if their samples alternated; and YCbCr as RGB, unless libjpeg converts it.
        // It reads none of the planes of less than 8 bits.
        guard
            !hasPlanes
                || (sampleCount != 2 && depths.allSatisfy { $0 >= 8 }
                    && photometric.map(Self.photometricsInPlanes.contains) != false)
        else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "samples in planes")
        }
        // FFmpeg takes the numbers of a palette for grey where opacity follows them.
        guard photometric != Self.palette || (sampleCount ?? 1) <= 1 else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "a palette with opacity")
        }
        guard photometric != Self.yCbCr || compression == Self.jpegCompression else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "YCbCr that is not JPEG")
        }
        // libtiff leaves a predictor out where it knows of none, and Pillow and FFmpeg differ about that.
        guard predictor ?? 1 == 1 || compression.map(Self.compressionsWithPredictor.contains) == true else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "a predictor without its compression")
        }
        // libvips 8.14 reads the opacity of Lab colours of 16 bits as a negative number.
        guard photometric.map(Self.labPhotometrics.contains) != true || (sampleCount ?? 0) <= 3 else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "opacity of Lab colours")
        }
        let isEnded = bytes.count < count * entrySize + numbers.offsetSize
        let following = isEnded ? 0 : numbers.number(bytes, at: count * entrySize, size: numbers.offsetSize)
        next = following == 0 ? nil : following
    }

    /// Checks that no layers lie beside the picture, which ImageMagick shows as further pictures.
    ///
    /// Source: Adobe Photoshop TIFF Technical Notes, 2002, "ImageSourceData".
    private static func checkLayers(
        _ entries: [UInt8], at entry: Int, in file: InputFile, _ numbers: TIFFNumbers
    ) throws(DecodingFailure) {
        let count = numbers.number(entries, at: entry + 4, size: numbers.offsetSize)
        let start = numbers.number(entries, at: entry + 4 + numbers.offsetSize, size: numbers.offsetSize)
        guard start <= file.byteCount else { throw malformed("an entry outside of the file") }
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
            throw DecodingFailure(.severalPictures, format: .tiff, detail: "layers lie beside the picture")
        }
    }

    /// "Adobe Photoshop Document Data Block" and a zero.
    private static let sourceSignatureSize = 36
    private static let mostSourceBlocks = 1000
    private static let imageSourceData = 37_724

    /// The file as one whose first and only directory is this one.
    ///
    /// libtiff reads every directory before the one that it is asked for, so a file of many pages would be read again and
    /// again.
    ///
    /// Colours that are multiplied by opacity read as others, since libvips would divide them by it: where opacity is 0
    /// nothing would be left of colours that other programs show.
    var part: FilePart {
        var part = FilePart(replacements: [
            (numbers.startPosition, numbers.bytes(start, count: numbers.offsetSize)),
            (nextPosition, numbers.bytes(0, count: numbers.offsetSize)),
        ])
        if isPremultiplied {
            part.replacements.append(
                (extraSamplesPosition, numbers.bytes(Self.unassociatedAlpha, count: extraSamplesSize)))
        }
        return part
    }

    /// Checks that an entry that changes pixels has a type that all programs read: libtiff leaves out some that others obey.
    private static func checkType(_ type: Int, of tag: Int) throws(DecodingFailure) {
        let types: Set<Int>
        switch tag {
        case colourMap: types = [3]
        case stripOffsets, tileOffsets, 279, 325: types = [1, 3, 4, 13, 16]
        case 256...259, 262, 263, 266, 274, 277, 278, 284, 290...293, 317, 321...323, 332, 334, 338, 339, 512...521,
            530, 531:
            types = [1, 3, 4]
        default: return
        }
        guard types.contains(type) else {
            throw DecodingFailure(.ambiguousRendering, format: .tiff, detail: "an entry of an unusual type")
        }
    }

    static func malformed(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .tiff, detail: detail)
    }

    /// The most entries of a directory that libtiff reads.
    private static let mostEntries = 4096
    private static let mostBelow = 4096
    private static let mostSamples = 4096
    private static let associatedAlpha = 1
    private static let unassociatedAlpha = 2
    private static let samplesPerPixel = 277
    private static let planarConfiguration = 284
    private static let bitsPerSample = 258
    private static let stripLengths = 279
    private static let tileLengths = 325
    private static let deflateCompressions: Set<Int> = [8, 32_946]
    private static let mostPieces = 1 << 20
    private static let palette = 3
    private static let stripOffsets = 273
    private static let tileOffsets = 324
    private static let compression = 259
    private static let jpegCompression = 7
    private static let photometric = 262
    private static let predictor = 317
    private static let colourMap = 320
    /// LZW, two numbers for Deflate, LZMA and Zstandard.
    private static let compressionsWithPredictor: Set<Int> = [5, 8, 32_946, 34_925, 50_000]
    private static let yCbCr = 6
    /// White is zero, black is zero, RGB, palette, inks.
    private static let photometricsInPlanes: Set<Int> = [0, 1, 2, 3, 5]
    private static let labPhotometrics: Set<Int> = [8, 9, 10]
    private static let newSubfileType = 254
    private static let extraSamples = 338
    private static let subIFDs = 330
}

/// The strips or tiles that a picture is made of, and how many it needs.
private struct TIFFPieces {
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

/// The numbers of a TIFF file: their order of bytes, and the size of counts and offsets.
struct TIFFNumbers {
    let isBig: Bool
    private let isLittle: Bool

    init(header: [UInt8]) {
        isLittle = header.first == 0x49
        isBig = header.count > 3 && (isLittle ? header[2] : header[3]) == 43
    }

    var countSize: Int { isBig ? 8 : 2 }
    var offsetSize: Int { isBig ? 8 : 4 }
    /// Where the header says where the first directory begins.
    var startPosition: Int { isBig ? 8 : 4 }

    /// The number of some bytes; 0 where they are not there, and the largest one where it is larger.
    func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        var value: UInt64 = 0
        for place in 0..<size {
            value = value << 8 | UInt64(bytes[offset + (isLittle ? size - 1 - place : place)])
        }
        return Int(clamping: value)
    }

    func bytes(_ number: Int, count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// How many bytes each whole number of an entry has; nil for a type that is none.
    func valueSize(of entries: [UInt8], at entry: Int) -> Int? {
        [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8][number(entries, at: entry + 2, size: 2)]
    }

    /// The whole numbers of an entry, which lie in it or elsewhere in the file.
    ///
    /// - Throws: `tooManyPictures` for more than `most`, `malformed` for values that are no numbers or not there.
    func values(
        of entries: [UInt8], at entry: Int, in file: InputFile, most: Int
    ) throws(DecodingFailure) -> [Int] {
        let size = valueSize(of: entries, at: entry)
        let count = number(entries, at: entry + 4, size: offsetSize)
        guard let size else { throw TIFFDirectory.malformed("an entry of an unusual type") }
        guard count <= most else {
            throw DecodingFailure(.tooManyPictures, format: .tiff, value: UInt64(count), bound: UInt64(most))
        }
        let field = entry + 4 + offsetSize
        if count * size <= offsetSize {
            return (0..<count).map { number(entries, at: field + $0 * size, size: size) }
        }
        let bytes = try file.bytes(at: number(entries, at: field, size: offsetSize), count: count * size)
        guard bytes.count == count * size else { throw TIFFDirectory.malformed("an entry outside of the file") }
        return (0..<count).map { number(bytes, at: $0 * size, size: size) }
    }
}

/// All directories of a TIFF file, each found once, also those below others.
enum TIFFDirectories {
    /// - Throws: `tooManyPictures`, `malformed` for a directory that cannot be read.
    static func all(in file: InputFile) throws(DecodingFailure) -> [TIFFDirectory] {
        let header = try file.bytes(at: 0, count: 16)
        let numbers = TIFFNumbers(header: header)
        var waiting = [numbers.number(header, at: numbers.startPosition, size: numbers.offsetSize)]
        var known: Set<Int> = []
        var directories: [TIFFDirectory] = []
        while let start = waiting.popLast() {
            // A directory that leads back to another one ends the list, as in every reader.
            guard known.insert(start).inserted else { continue }
            guard directories.count < mostDirectories else {
                throw DecodingFailure(
                    .tooManyPictures, format: .tiff, value: UInt64(directories.count + 1),
                    bound: UInt64(mostDirectories))
            }
            let directory = try TIFFDirectory(file, numbers, at: start)
            directories.append(directory)
            waiting += directory.below.reversed()
            if let next = directory.next { waiting.append(next) }
        }
        return directories
    }

    /// More than scanners and cameras write; programs differ in how many they count.
    static let mostDirectories = 10_000
}
