// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CHeifShims
internal import CVips
internal import DecoderService
internal import ViewerAgreement

/// The picture of a file that the app itself displays: the primary one by the standard of the format.
///
/// Structures that other programs read differently are no error here, because the pixels that are given out are judged.
/// Where a structure cannot be understood, the library that decodes the format decides alone.
struct PrimaryPicture {
    let file: InputFile
    let format: MediaFormat
    let limits: AnalysisLimits
    /// The place for a picture in the text of another file.
    let memory: UnpackedFile

    /// A picture whose rows have not been decoded yet.
    struct Opened {
        var picture: VipsPicture
        var meaning = ColourMeaning()
        /// The EXIF orientation; nil for that of the picture.
        var orientation: Int?
        /// The start of the JPEG data in the file, whose rows libjpeg-turbo decodes; nil for pictures of libvips.
        var jpeg: (file: InputFile, start: Int)?
        /// Whether parts of the picture are known to be missing.
        var isDamaged = false
    }

    /// - Returns: nil if only the video decoder decodes the picture.
    func open() throws(DecodingFailure) -> Opened? {
        switch format {
        case .jpeg: return try Self.openJPEG(file, from: 0)
        case .png: return try openPNG(file)
        case .tiff, .camera: return try openTIFF()
        case .heic, .avif: return try openItem()
        case .webp:
            let part = (try? WebPChunks(file))?.part
            guard try VipsPicture.open(file, with: .webp).pageCount == 1 else {
                return Opened(picture: try checked(try VipsPicture.open(file, part, with: .webpPages(0..<1))))
            }
            return Opened(picture: try checked(try VipsPicture.open(file, part, with: .webp)))
        case .gif: return Opened(picture: try checked(try VipsPicture.open(file, with: .gifPages(0..<1))))
        case .jpegXL: return try openJPEGXL()
        case .svg: return try openDrawing()
        case .photoshop:
            let structure = try PhotoshopStructure(file)
            let picture = try PhotoshopPixels(file, structure).merged(limits)
            return Opened(picture: picture, meaning: try meaning(profile: structure.profile))
        case .icon: return try openIcon()
        case .bmp:
            let header = try BitmapHeader(file)
            return Opened(
                picture: try BitmapFile(file, header, limits, .whole).picture(),
                meaning: try meaning(profile: header.profile))
        case .jpeg2000:
            let structure = try JPEG2000Structure(file)
            let picture = try checked(try VipsPicture.open(file, with: .jpeg2000))
            return Opened(
                picture: try picture.widened(fromBits: structure.depth),
                meaning: ColourMeaning(
                    embeddedProfile: structure.profile, isPremultiplied: structure.isPremultiplied))
        case .targa, .netpbm, .qoi, .pcx, .sgi, .dds, .video: return nil
        }
    }

    private func meaning(profile place: Range<Int>?) throws(DecodingFailure) -> ColourMeaning {
        guard let place else { return ColourMeaning() }
        return ColourMeaning(
            hasProfile: true, embeddedProfile: try file.bytes(at: place.lowerBound, count: place.count))
    }

    private func checked(_ picture: VipsPicture, isStreamed: Bool = false) throws(DecodingFailure) -> VipsPicture {
        try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: isStreamed)
        return picture
    }

    // MARK: Formats

    private static func openJPEG(
        _ file: InputFile, from start: Int, orientation: Int = 1
    ) throws(DecodingFailure) -> Opened {
        let header = try VipsPicture.open(file, start == 0 ? nil : FilePart(start: start), with: .jpeg)
        return Opened(
            picture: header, orientation: header.orientation == 1 ? orientation : header.orientation,
            jpeg: (file, start))
    }

    private func openPNG(_ file: InputFile) throws(DecodingFailure) -> Opened {
        let chunks = try? PNGChunks(file)
        let colour = chunks.flatMap { try? PNGColour($0) }
        let isCut = (try? chunks?.isCut(in: file)) ?? false
        let picture = try checked(
            try VipsPicture.open(file, with: isCut ? .cutPNG : .png), isStreamed: true)
        guard let colour else { return Opened(picture: picture, isDamaged: isCut) }
        return Opened(picture: picture, meaning: ColourMeaning(colour), isDamaged: isCut)
    }

    /// Opens the first picture of a TIFF file that is no reduced version, or the largest preview of a camera file.
    private func openTIFF() throws(DecodingFailure) -> Opened {
        if let camera = try CameraFile(file, format), let preview = try largestPreview(of: camera) { return preview }
        guard let directories = try? TIFFDirectories.all(in: file),
            let directory = directories.first(where: { !$0.isReducedVersion }) ?? directories.first
        else { return Opened(picture: try checked(try VipsPicture.open(file, with: .tiff), isStreamed: true)) }
        let loader = PictureLoader(file: file, format: .tiff, limits: limits, target: .whole)
        var opened = try loader.openTIFF(directory)
        opened.isDamaged = try !directory.hasWholePieces(in: file)
        return opened
    }

    private func largestPreview(of camera: CameraFile) throws(DecodingFailure) -> Opened? {
        var largest: Opened?
        for start in camera.jpegs {
            guard let preview = try? Self.openJPEG(file, from: start, orientation: camera.orientation) else { continue }
            let isLarger = largest.map { $0.picture.width < preview.picture.width } ?? true
            if isLarger { largest = preview }
        }
        return largest
    }

    /// Opens the primary item of a HEIF or AVIF file.
    private func openItem() throws(DecodingFailure) -> Opened? {
        let items = try? PictureItems(file)
        if let items, !items.hasPictures { return nil }
        let picture = try checked(try VipsPicture.open(file, items?.primaryPart, with: .heif(page: nil)))
        CHeifShims_begin(
            CHeifShims_smooth, Int32(picture.width), Int32(picture.height),
            CHeifShims_Layer(number: -1, point: 0, width: Int32(picture.width), height: Int32(picture.height)))
        let profiles = items?.colours.compactMap { RGBProfile.profiles(for: $0) }.first ?? []
        return Opened(
            picture: picture,
            meaning: ColourMeaning(
                impliedProfiles: profiles.map(\.bytes), isPremultiplied: items?.isPremultiplied ?? false))
    }

    private func openJPEGXL() throws(DecodingFailure) -> Opened {
        let info = try JPEGXLInfo(file, displayedBy: .ours)
        // libvips may decode the whole file to open it, so the limits are checked before.
        try limits.checkPicture(width: info.width, height: info.height, isStreamed: false)
        let meaning = ColourMeaning(isPremultiplied: info.isPremultiplied)
        guard info.isAnimated else {
            return Opened(picture: try VipsPicture.open(file, with: .jpegXL), meaning: meaning)
        }
        guard let first = try JPEGXLAnimation(file, limits).next() else {
            throw DecodingFailure(.malformed, format: .jpegXL, detail: "no frame")
        }
        return Opened(picture: first, meaning: meaning)
    }

    /// Opens the largest picture of an icon.
    private func openIcon() throws(DecodingFailure) -> Opened {
        var largest: Opened?
        var failure = DecodingFailure(.malformed, format: .icon, detail: "no picture")
        for picture in try IconEntries(file).pictures {
            do throws(DecodingFailure) {
                let opened =
                    picture.isPNG
                    ? try openPNG(picture.file)
                    : Opened(
                        picture: try BitmapFile(
                            picture.file, try BitmapHeader(ofIcon: picture.file), limits, .whole
                        ).picture())
                if largest.map({ $0.picture.width < opened.picture.width }) ?? true { largest = opened }
            } catch {
                failure = error
            }
        }
        guard let largest else { throw failure }
        return largest
    }

    /// Opens a drawing at the size that it asks for, or a picture that is all of it.
    private func openDrawing() throws(DecodingFailure) -> Opened {
        if let drawing = try? SVGDrawing(file) {
            if let picture = drawing.picture {
                let inner = try memory.hold(picture.bytes)
                return picture.format == .png ? try openPNG(inner) : try Self.openJPEG(inner, from: 0)
            }
            if let window = drawing.windows.first {
                let part = FilePart(start: file.byteCount, insertion: (0, window.document))
                return Opened(picture: try checked(try VipsPicture.open(file, part, with: .svg(scale: window.scale))))
            }
        }
        return Opened(picture: try checked(try VipsPicture.open(file, with: .svg(scale: 1))))
    }
}
