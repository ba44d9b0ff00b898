// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import DecoderService
internal import ViewerAgreement

/// Decodes one picture of a file with the loader of its format, at full size, and averages its renderings.
///
/// Only the main picture's own data are used. Thumbnails, previews and pyramid levels are never read, because the
/// sender chooses them.
struct PictureLoader {
    let file: InputFile
    let format: MediaFormat
    let limits: AnalysisLimits
    let target: ReductionTarget

    /// Where a picture lies in a file, and the facts about it that its loader needs.
    indirect enum Place {
        /// A picture of a HEIF or AVIF file by its number, nil for the only one, and the tiles that it may be made of.
        case item(
            Int?, FilePart, ColourMeaning, tileSizes: [(width: Int, height: Int)], rows: TileRows?,
            layer: PictureItems.Layer?)
        /// A picture of a TIFF file, by its image file directory.
        case directory(TIFFDirectory)
        /// A JPEG picture, by the position of its first byte in the file.
        case start(Int)
        /// A JPEG preview in a camera file by its first byte, and the orientation that it has without one of its own.
        case preview(Int, orientation: Int)
        /// The only picture of a PNG file, and whether its end is missing.
        case only(ColourMeaning, isCut: Bool)
        /// The only picture of a WebP file.
        case webp(FilePart?, isLossy: Bool)
        /// The only picture of a JPEG XL file.
        case codestream(JPEGXLInfo)
        /// An SVG picture in a window of one shape.
        case drawing(SVGDrawing.Window)
        /// The only picture of a JPEG 2000 file.
        case jpeg2000(JPEG2000Structure)
        /// A picture in a file of another format that lies in this file, or that this file was made of.
        case inside(InputFile, MediaFormat, Place)
        /// The merged picture of a Photoshop file, or its negative.
        case photoshop(PhotoshopStructure, isNegative: Bool)
        /// A layer of a Photoshop file.
        case layer(PhotoshopStructure, PhotoshopLayer)
        /// The picture of a BMP file, or of an icon.
        case bitmap(BitmapHeader)
    }

    func load(_ place: Place) throws(DecodingFailure) -> RenderedPicture {
        // Damage that libraries reported for an earlier file is dropped.
        _ = VipsPicture.takeDamage()
        switch (format, place) {
        case (.jpeg, .start(let start)): return try loadJPEG(from: start)
        case (.tiff, .preview(let start, let orientation)), (.camera, .preview(let start, let orientation)):
            let loader = PictureLoader(file: file, format: .jpeg, limits: limits, target: target)
            return try loader.loadJPEG(from: start, orientationIfMissing: orientation)
        case (.webp, .webp(let part, let isLossy)): return try loadWebP(part, isLossy: isLossy)
        case (.png, .only(let meaning, let isCut)):
            do throws(DecodingFailure) {
                return try load(.png, isStreamed: true, meaning)
            } catch {
                guard isCut, error.reason == .malformed else { throw error }
            }
            // The rows that are there are decoded. A file that only lacks its last chunk is whole.
            var picture = try load(.cutPNG, isStreamed: true, meaning)
            picture.isDamaged = true
            return picture
        case (.tiff, .directory(let directory)):
            let meaning = ColourMeaning(isPremultiplied: directory.isPremultiplied)
            var picture =
                if let palette = directory.paletteBesideOpacity {
                    try loadTIFF(directory.part, coloursOfGrey: palette, meaning)
                } else {
                    try loadTIFF(directory, meaning)
                }
            // This follows the check of limits, because each limit has its own message.
            guard !directory.hasSurplusPieces else { throw DecodingFailure(.surplusPieces) }
            if try !directory.hasWholePieces(in: file) { picture.isDamaged = true }
            return picture
        case (.heic, .item(let number, let part, let meaning, let tileSizes, let rows, let layer)),
            (.avif, .item(let number, let part, let meaning, let tileSizes, let rows, let layer)):
            if let rows, rows.width * rows.height > limits.maximumPixelCount {
                return try loadRows(rows, part, meaning)
            }
            return try loadItem(number, part, meaning, tileSizes: tileSizes, layer)
        case (.jpegXL, .codestream(let info)):
            // libvips may decode the whole file to open it, so the limits are checked before.
            try limits.checkPicture(width: info.width, height: info.height, isStreamed: false)
            return try load(.jpegXL, isStreamed: false, ColourMeaning(isPremultiplied: info.isPremultiplied))
        case (.jpeg2000, .jpeg2000(let structure)):
            try limits.checkPicture(width: structure.width, height: structure.height, isStreamed: false)
            let meaning = ColourMeaning(
                embeddedProfile: structure.profile, isPremultiplied: structure.isPremultiplied)
            let picture = try VipsPicture.open(file, with: .jpeg2000)
            return try averaged(try picture.widened(fromBits: structure.depth), meaning)
        case (.photoshop, .photoshop(let structure, let isNegative)):
            let pixels = PhotoshopPixels(file, structure)
            let picture = try pixels.merged(limits)
            guard isNegative else { return try averaged(picture, try meaning(of: structure)) }
            return try averaged(try picture.scaled(by: -1, plus: 255).rounded(to: VIPS_FORMAT_UCHAR))
        case (.photoshop, .layer(let structure, let layer)):
            let pixels = PhotoshopPixels(file, structure)
            return try averaged(try pixels.layer(layer, limits), try meaning(of: structure))
        case (.svg, .drawing(let window)):
            let part = FilePart(start: file.byteCount, insertion: (0, window.document))
            let picture = try VipsPicture.open(file, part, with: .svg(scale: window.scale))
            try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: false)
            return try averaged(picture)
        case (_, .inside(let file, let format, let place)):
            return try PictureLoader(file: file, format: format, limits: limits, target: target).load(place)
        case (.bmp, .bitmap(let header)):
            let bitmap = try BitmapFile(file, header, limits, target)
            guard let place = header.profile else { return try bitmap.rendered() }
            try limits.checkPicture(width: header.width, height: header.height, isStreamed: false)
            let profile = try file.bytes(at: place.lowerBound, count: place.count)
            let picture = try VipsPicture.inMemory(try bitmap.pixels(), width: header.width, height: header.height)
            return try averaged(
                try picture.interpreted(as: VIPS_INTERPRETATION_sRGB),
                ColourMeaning(hasProfile: true, embeddedProfile: profile))
        default: throw DecodingFailure(.internalError, detail: "a place in a file of another format")
        }
    }

    func load(
        _ loader: VipsPicture.Loader, _ part: FilePart? = nil, isStreamed: Bool,
        _ meaning: ColourMeaning = ColourMeaning()
    ) throws(DecodingFailure) -> RenderedPicture {
        let picture = try VipsPicture.open(file, part, with: loader)
        try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: isStreamed)
        return try averaged(picture, meaning)
    }

    private func meaning(of structure: PhotoshopStructure) throws(DecodingFailure) -> ColourMeaning {
        guard let place = structure.profile else { return ColourMeaning() }
        let profile = try file.bytes(at: place.lowerBound, count: place.count)
        return ColourMeaning(hasProfile: true, embeddedProfile: profile)
    }

    /// Decodes all renderings of a picture that libvips reads, and averages them.
    func averaged(
        _ picture: VipsPicture, _ meaning: ColourMeaning = ColourMeaning(), isDamaged: Bool = false
    ) throws(DecodingFailure) -> RenderedPicture {
        let views = try views(of: picture, meaning)
        return try upright(views, of: picture, isDamaged: VipsPicture.takeDamage() || isDamaged)
    }

    /// Returns the averages of all renderings of a picture that libvips reads.
    func views(of picture: VipsPicture, _ meaning: ColourMeaning) throws(DecodingFailure) -> ViewAverages.Averages {
        let renderings = try meaning.renderings(of: picture)
        let averages = try averages(
            of: picture, bandCount: renderings.bandCount, isPremultiplied: meaning.isPremultiplied)
        try unsafe renderings.forEachRow { unsafe averages.add($0) }
        return try averages.finish()
    }

    func averages(
        of picture: VipsPicture, bandCount: Int, isPremultiplied: Bool
    ) throws(DecodingFailure) -> ViewAverages {
        try ViewAverages(
            width: picture.width, height: picture.height, bandCount: bandCount, isPremultiplied: isPremultiplied,
            factors: factors(for: picture))
    }

    /// Returns the whole factors by which the pixels of a picture are averaged.
    func factors(for picture: VipsPicture) -> (horizontal: Int, vertical: Int) {
        factors(width: picture.width, height: picture.height, orientation: picture.orientation)
    }

    func factors(width: Int, height: Int, orientation: Int) -> (horizontal: Int, vertical: Int) {
        target.turned(forOrientation: orientation)
            .averagingFactors(
                width: width, height: height, samplesPerSide: format == .jpeg ? Self.samplesPerSideOfJPEG : 4)
    }

    /// For large photographs, more would cost a tenth of the processor time for a small gain (docs/performance.md).
    private static let samplesPerSideOfJPEG = 2

    /// - Parameter orientation: the EXIF orientation; nil for that of the picture.
    func upright(
        _ averages: ViewAverages.Averages, of picture: VipsPicture, orientation: Int? = nil, isDamaged: Bool
    ) throws(DecodingFailure) -> RenderedPicture {
        try upright(
            averages, width: picture.width, height: picture.height, orientation: orientation ?? picture.orientation,
            isDamaged: isDamaged)
    }

    /// - Parameters:
    ///   - width: the width of the picture before it is turned, in pixels.
    ///   - height: the height of the picture before it is turned, in pixels.
    ///   - orientation: the EXIF orientation.
    func upright(
        _ averages: ViewAverages.Averages, width: Int, height: Int, orientation: Int, isDamaged: Bool
    ) throws(DecodingFailure) -> RenderedPicture {
        var averaged = averages
        let isQuarterTurn = orientation >= 5
        if orientation > 1 {
            averaged.views = try averaged.views.map { view throws(DecodingFailure) in
                try VipsPicture.inMemory(view, width: averaged.width, height: averaged.height)
                    .upright(orientation).pixels()
            }
        }
        var rendered = RenderedPicture(
            views: averaged.views,
            width: isQuarterTurn ? averaged.height : averaged.width,
            height: isQuarterTurn ? averaged.width : averaged.height,
            originalWidth: isQuarterTurn ? height : width, originalHeight: isQuarterTurn ? width : height)
        rendered.isDamaged = isDamaged
        return rendered
    }
}
