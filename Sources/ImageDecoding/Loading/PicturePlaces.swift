// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import ViewerAgreement

/// The places of all pictures in a file, found by its structure before any decoding.
///
/// A file of several pictures is never judged by one of them, because the sender would choose it. Animations in GIF and
/// WebP have no places for their pictures, because each picture is drawn over the one before it.
struct PicturePlaces {
    private(set) var places: [PictureLoader.Place] = []
    /// The sequence or video that the file holds beside its pictures; nil if there is none.
    ///
    /// The video decoder handles it, because libvips shows only the sequence's still picture.
    private(set) var sequence: SequencePlace?
    /// The meaning of the colours of an animated PNG; nil if browsers show its frames as FFmpeg does.
    private(set) var animation: ColourMeaning?
    /// A picture beside the places that other programs show, as in camera files; nil if the places are all.
    private(set) var rest: Disagreement?
    /// Whether the file must not be judged by one picture, even if it has only one place.
    private var isAlwaysSeveral = false

    /// - Parameters:
    ///   - limits: the limits of a picture whose JPEG is restored; other pictures are checked when they are loaded.
    ///   - memory: the place for that JPEG, or for a picture in the text of an SVG file.
    /// - Throws: an error in the structure of the file, or `tooManyPictures`.
    init(_ file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits, _ memory: UnpackedFile)
        throws(DecodingFailure)
    {
        switch format {
        case .jpeg:
            let structure = try JPEGStructure(file)
            places = structure.pictures.map { .start($0) }
            sequence = structure.video.map { .part(UInt64($0)..<UInt64(file.byteCount)) }
        case .png:
            let chunks = try PNGChunks(file)
            let meaning = try Self.meaning(ofPNG: chunks)
            if chunks.isAnimated {
                sequence = .wholeFile
                try chunks.checkAnimation(in: file)
                let areDisputed = try chunks.areFramesDisputed(in: file)
                if areDisputed || meaning.namesColours { (animation, sequence) = (meaning, .otherDrawing) }
            }
            places = [try Self.place(ofPNG: chunks, meaning, in: file)]
        case .tiff, .camera:
            if let camera = try CameraFile(file, format) {
                addPreviews(of: camera)
            } else {
                let directories = try TIFFDirectories.all(in: file)
                places = directories.map { .directory($0) }
                isAlwaysSeveral = directories.contains(where: \.isReducedVersion)
            }
        case .heic, .avif:
            let items = try PictureItems(file)
            try items.checkOtherBoxes(in: file)
            if items.hasSequence {
                sequence =
                    items.embeddedVideo.map { .part(UInt64($0.lowerBound)..<UInt64($0.upperBound)) } ?? .wholeFile
            }
            places = try items.places(in: file)
        case .webp:
            isAlwaysSeveral = try VipsPicture.open(file, with: .webp).pageCount != 1
            let chunks = try WebPChunks(file)
            places = [.webp(chunks.part, isLossy: chunks.isLossy)]
            try TrailingMedia.check(file, from: TrailingMedia.endOfWebP(file), format)
        case .gif: isAlwaysSeveral = true
        case .jpegXL:
            let info = try JPEGXLInfo(file)
            isAlwaysSeveral = info.isAnimated
            places = [.codestream(info)]
            if info.isMadeOfJPEG, !info.isAnimated {
                try limits.checkPicture(width: info.width, height: info.height, isStreamed: false)
                let jpeg = try memory.restore(from: file)
                let structure = try JPEGStructure(jpeg)
                guard structure.video == nil else { throw DecodingFailure(.dataOfJPEG, .jpegXL) }
                places += structure.pictures.map { .inside(jpeg, .jpeg, .start($0)) }
            }
        case .jpeg2000:
            let structure = try JPEG2000Structure(file)
            places = [.jpeg2000(structure)]
        case .svg:
            let drawing = try SVGDrawing(file)
            places = drawing.windows.map { .drawing($0) }
            if let picture = drawing.picture { places = [try Self.place(of: picture, in: memory)] }
        case .bmp:
            let header = try BitmapHeader(file)
            try TrailingMedia.checkBitmap(file, header)
            places = [.bitmap(header)]
        case .photoshop:
            let structure = try PhotoshopStructure(file)
            // Pillow shows a set bit as white.
            for isNegative in structure.colours == .bitmap ? [false, true] : [false] {
                places.append(.photoshop(structure, isNegative: isNegative))
            }
            places += structure.layers.map { .layer(structure, $0) }
            for place in structure.thumbnails {
                let part = file.part(place)
                let jpeg = try JPEGStructure(part)
                guard jpeg.video == nil else { throw DecodingFailure(.dataOfJPEG, .photoshop) }
                places += jpeg.pictures.map { .inside(part, .jpeg, .start($0)) }
            }
        case .icon:
            places = try IconEntries(file).pictures.map { picture throws(DecodingFailure) in
                guard picture.isPNG else {
                    return .inside(picture.file, .bmp, .bitmap(try BitmapHeader(ofIcon: picture.file)))
                }
                return try Self.place(ofPNGInside: picture.file)
            }
        case .targa, .netpbm, .qoi, .pcx, .sgi, .dds: sequence = .wholeFile
        case .video: break
        }
    }

    private mutating func addPreviews(of camera: CameraFile) {
        places = camera.directories.map { .directory($0) }
        places += camera.jpegs.map { .preview($0, orientation: camera.orientation) }
        rest = .rawPicture
    }

    private static func place(
        ofPNG chunks: PNGChunks, _ meaning: ColourMeaning, in file: InputFile
    ) throws(DecodingFailure) -> PictureLoader.Place {
        try TrailingMedia.check(file, from: chunks.end, .png)
        return .only(meaning, isCut: try chunks.isCut(in: file))
    }

    /// Returns the place of a PNG picture, which is a file of its own within another.
    private static func place(ofPNGInside file: InputFile) throws(DecodingFailure) -> PictureLoader.Place {
        let chunks = try PNGChunks(file)
        guard !chunks.isAnimated else { throw DecodingFailure(.inseparablePictures) }
        return .inside(file, .png, try place(ofPNG: chunks, meaning(ofPNG: chunks), in: file))
    }

    /// Returns the place of the only picture of an SVG file.
    ///
    /// - Throws: `ambiguousRendering` if programs turn or stretch it differently.
    private static func place(
        of picture: SVGPicture, in memory: UnpackedFile
    ) throws(DecodingFailure) -> PictureLoader.Place {
        let file = try memory.hold(picture.bytes)
        guard try FormatSniffer.format(of: file.prefix()) == picture.format else {
            throw DecodingFailure(.linkOutside, .svg)
        }
        let header = try VipsPicture.open(file, with: picture.format == .png ? .png : .jpeg)
        // librsvg does not turn pictures, and browsers do.
        guard header.orientation == 1 else { throw DecodingFailure(.unusualPart("image-orientation"), .svg) }
        // Qt shows single pixels of a picture that it makes smaller.
        guard Double(header.width) <= mostReduction * picture.shownSize.width,
            Double(header.height) <= mostReduction * picture.shownSize.height
        else { throw DecodingFailure(.reducedPicture, .svg) }
        let stretch = picture.shape * Double(header.height) / Double(header.width)
        guard abs(stretch - 1) < SVGStructure.mostStretch else {
            throw DecodingFailure(.unusualPart("preserveAspectRatio"), .svg)
        }
        guard picture.format == .jpeg else { return try place(ofPNGInside: file) }
        let structure = try JPEGStructure(file)
        guard structure.pictures == [0], structure.video == nil else { throw DecodingFailure(.inseparablePictures) }
        return .inside(file, .jpeg, .start(0))
    }

    /// How much smaller a picture may be shown, as rounding of editors makes it.
    private static let mostReduction = 1.1
    private static func meaning(ofPNG chunks: PNGChunks) throws(DecodingFailure) -> ColourMeaning {
        ColourMeaning(try PNGColour(chunks))
    }

    /// The place of the only picture; nil if the file holds, or can hold, several.
    var onlyPlace: PictureLoader.Place? {
        places.count == 1 && !isAlwaysSeveral && sequence == nil && rest == nil ? places[0] : nil
    }
}
