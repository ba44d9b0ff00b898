// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// One image file directory of a TIFF file: a picture, and the positions of the next directory and of subdirectories.
///
/// Camera files are TIFF files too. Many have a thumbnail in the first directory and the picture in a subdirectory.
/// Source: TIFF revision 6.0, sections 2 and 8; BigTIFF; DNG specification, chapter 2.
package struct TIFFDirectory {
    /// The position of the directory in the file, in bytes.
    package let start: Int
    /// The place of the colour profile in the file.
    package private(set) var profile: Range<Int>?
    /// Whether libvips reads the pixels wrongly, and libtiff has to convert them.
    package private(set) var needsConversion = false
    package private(set) var isReducedVersion = false
    /// The positions of the image file directories below this one (SubIFDs) in the file, in bytes.
    private(set) var below: [Int] = []
    /// The position of the next image file directory in the file, in bytes; nil if there is none.
    private(set) var next: Int?
    /// Whether colours are multiplied by opacity already.
    package private(set) var isPremultiplied = false
    /// The colours of a palette whose numbers are followed by opacity: red, green and blue of each; nil for others.
    package private(set) var paletteBesideOpacity: [UInt8]?
    private let numbers: TIFFNumbers
    private let nextPosition: Int
    private var photometricPosition = 0
    private var extraSamplesPosition = 0
    private var extraSamplesSize = 2

    /// Whether there are more strips or tiles than the picture needs; some viewers show these too, over the others.
    package let hasSurplusPieces: Bool
    private let pieces: TIFFPieces
    /// The strips or tiles compressed with zlib; empty for other compressions.
    private var deflate = TIFFDeflate()
    /// The number of bits of a pixel in one strip or tile; samples in separate planes are not added.
    private let bitsPerPixel: Int

    /// Returns whether all strips or tiles compressed with zlib are whole; programs show damaged data differently.
    ///
    /// - Throws: `unreadable`, `outOfMemory`.
    package func hasWholePieces(in file: InputFile) throws(DecodingFailure) -> Bool {
        try deflate.areWhole(in: file) { pieces.byteCount(of: $0, bitsPerPixel: bitsPerPixel) }
    }

    /// - Throws: `malformed` if it ends early or has too many entries for libtiff; `tooManyPictures`,
    ///   `ambiguousRendering`.
    package init(_ file: InputFile, _ numbers: TIFFNumbers, at start: Int) throws(DecodingFailure) {
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
        var format = TIFFPixelFormat()
        var places: Set<Int> = []
        var pieces = TIFFPieces()
        var lastTag = -1
        var (hasGreyResponse, isRaw) = (false, false)
        var palette: [Int] = []
        func value(at offset: Int) throws(DecodingFailure) -> Int? {
            try numbers.values(of: bytes, at: offset, in: file, most: 1).first
        }
        for offset in stride(from: 0, to: count * entrySize, by: entrySize) {
            let tag = numbers.number(bytes, at: offset, size: 2)
            // If entries are out of order, libtiff ignores an entry that depends on a later one, such as a palette
            // before the number of bits. Pillow obeys it. If an entry occurs twice, a program may use either.
            guard tag > lastTag else { throw DecodingFailure(.unorderedEntries, .tiff) }
            lastTag = tag
            try Self.checkType(numbers.number(bytes, at: offset + 2, size: 2), of: tag)
            switch tag {
            case Self.stripOffsets, Self.tileOffsets:
                places.insert(tag)
                pieces.count = numbers.number(bytes, at: offset + 4, size: numbers.offsetSize)
                // Tags are in order, so the compression is known here. The number of planes is not known yet.
                guard format.isDeflated else { break }
                deflate.offsets = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostPieces)
            case Self.stripLengths, Self.tileLengths:
                guard format.isDeflated else { break }
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
            case TIFFLayers.tag: try TIFFLayers.check(bytes, at: offset, in: file, numbers)
            case Self.samplesPerPixel: format.sampleCount = try value(at: offset)
            case Self.photometric:
                format.photometric = try value(at: offset)
                photometricPosition = start + numbers.countSize + offset + 4 + numbers.offsetSize
            case Self.bitsPerSample:
                let values = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostSamples)
                if !values.isEmpty { format.depths = values }
            case Self.compression: format.compression = try value(at: offset)
            case Self.predictor: format.predictor = try value(at: offset)
            case Self.planarConfiguration: format.hasPlanes = try value(at: offset) == 2
            case Self.fillOrder: format.isReversed = try value(at: offset) == 2
            case Self.colourMap:
                format.hasPalette = true
                guard format.isPaletteWithOpacity else { break }
                palette = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostColours)
            case let tag where Self.ownLevels.contains(tag): format.hasOwnLevels = true
            case Self.sharedColours:
                format.sharedColours = try numbers.values(of: bytes, at: offset, in: file, most: 2)
            case Self.coefficients, Self.blackAndWhite:
                // Pillow writes the ordinary levels, which change nothing.
                let usual = tag == Self.coefficients ? Self.usualCoefficients : Self.usualLevels
                if try numbers.fractions(of: bytes, at: offset, in: file, most: usual.count) != usual {
                    format.hasOwnColours = true
                }
            case Self.colourProfile:
                let place = numbers.number(bytes, at: offset + 4 + numbers.offsetSize, size: numbers.offsetSize)
                profile = place..<(place + numbers.number(bytes, at: offset + 4, size: numbers.offsetSize))
            case Self.greyResponse: hasGreyResponse = true
            case Self.rawVersion: isRaw = true
            case Self.subIFDs: below = try numbers.values(of: bytes, at: offset, in: file, most: Self.mostBelow)
            default: break
            }
        }
        guard places.count < 2 else { throw DecodingFailure(.stripsAndTiles, .tiff) }
        hasSurplusPieces = !pieces.fit(format.planeCount)
        self.pieces = pieces
        bitsPerPixel = format.bitsPerPixel
        format.hasOwnLevels = format.hasOwnLevels || hasGreyResponse && isRaw
        try format.check()
        needsConversion = format.isPlainYCbCr
        if format.isPaletteWithOpacity { paletteBesideOpacity = try Self.colours(of: palette) }
        let isEnded = bytes.count < count * entrySize + numbers.offsetSize
        let following = isEnded ? 0 : numbers.number(bytes, at: count * entrySize, size: numbers.offsetSize)
        next = following == 0 ? nil : following
    }

    /// Returns the colours of a palette of levels of 16 bits, first all levels of red.
    private static func colours(of levels: [Int]) throws(DecodingFailure) -> [UInt8] {
        // libtiff takes a palette of low levels for one of 8 bits.
        guard levels.count == mostColours, levels.contains(where: { $0 > 255 }) else {
            throw DecodingFailure(.paletteWithOpacity, .tiff)
        }
        return (0..<256).flatMap { index in (0..<3).map { UInt8(levels[256 * $0 + index] >> 8) } }
    }

    /// The byte changes with which libvips reads the picture of this image file directory, as if it were the only one.
    ///
    /// libtiff reads every directory before the requested one, so it would read a file of many pages again and again.
    ///
    /// Colours that are multiplied by opacity are declared as unmultiplied, because libvips would divide them by
    /// opacity. At opacity 0, that would lose colours that other programs show.
    package var part: FilePart {
        var part = FilePart(replacements: [
            (numbers.startPosition, numbers.bytes(start, count: numbers.offsetSize)),
            (nextPosition, numbers.bytes(0, count: numbers.offsetSize)),
        ])
        if paletteBesideOpacity != nil {
            // libvips reads grey with opacity, but no palette with it.
            part.replacements.append((photometricPosition, numbers.bytes(1, count: 2)))
        }
        if isPremultiplied {
            part.replacements.append(
                (extraSamplesPosition, numbers.bytes(Self.unassociatedAlpha, count: extraSamplesSize)))
        }
        return part
    }

    /// Checks that an entry that changes pixels has a type that all programs read; libtiff ignores some other types.
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
        guard types.contains(type) else { throw DecodingFailure(.unusualEntry, .tiff) }
    }

    static func malformed(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .tiff, detail: detail)
    }

    /// The largest number of entries of an image file directory that libtiff reads.
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
    private static let mostPieces = 1 << 20
    /// The number of levels in a palette of 256 colours.
    private static let mostColours = 768
    private static let stripOffsets = 273
    private static let tileOffsets = 324
    private static let compression = 259
    private static let photometric = 262
    private static let predictor = 317
    private static let colourMap = 320
    private static let fillOrder = 266
    private static let greyResponse = 291
    private static let rawVersion = 50_706
    private static let colourProfile = 34_675
    private static let (coefficients, sharedColours, blackAndWhite) = (529, 530, 532)
    /// The tags that give levels another meaning: a table of levels, and the levels of black and of white.
    private static let ownLevels: Set<Int> = [50_712, 50_714, 50_717]
    /// The coefficients of red, green and blue, and the levels of black and white; those without tags.
    ///
    /// Source: TIFF revision 6.0, section 21, for samples of 8 bits.
    private static let usualCoefficients = [0.299, 0.587, 0.114]
    private static let usualLevels: [Double] = [0, 255, 128, 255, 128, 255]
    private static let newSubfileType = 254
    private static let extraSamples = 338
    private static let subIFDs = 330
}
