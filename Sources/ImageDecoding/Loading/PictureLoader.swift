// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import HelperService

/// Opens a picture with the loader of its format and reduces it while it is decoded.
///
/// Only the main picture's own data is used: the JPEG and WebP decoders' scaling, and averages of decoded pixels.
/// Thumbnails, previews and pyramid levels are chosen by the sender and are never looked at.
struct PictureLoader {
    let file: InputFile
    let format: MediaFormat
    let limits: AnalysisLimits
    let target: ReductionTarget
    /// The number of the picture in a file with several; nil for a file that must have one only.
    var page: Int?

    struct LoadedPicture {
        /// Reduced, in memory and upright.
        let picture: VipsPicture
        let originalWidth: Int
        let originalHeight: Int
        let isDamaged: Bool
    }

    /// Loads the picture; nil where the file holds, or can hold, several, and no page was named.
    func load() throws(DecodingFailure) -> LoadedPicture? {
        // What was said of an earlier file.
        _ = VipsPicture.takeDamage()
        guard let opened = try open() else { return nil }
        let reduced = try Self.averaged(opened.picture, target: opened.target)
        // Rows come from the decoder in their stored order only, and turning needs any order.
        let turned = try reduced.inMemory().upright()
        let isQuarterTurn = opened.orientation >= 5
        return LoadedPicture(
            picture: turned,
            originalWidth: isQuarterTurn ? opened.height : opened.width,
            originalHeight: isQuarterTurn ? opened.width : opened.height,
            isDamaged: VipsPicture.takeDamage() || opened.isDamaged)
    }

    private struct OpenedPicture {
        let picture: VipsPicture
        let width: Int
        let height: Int
        let orientation: Int
        let target: ReductionTarget
        var isDamaged = false
    }

    private func open() throws(DecodingFailure) -> OpenedPicture? {
        switch format {
        case .jpeg: try openJPEG()
        case .webp: try openWebP()
        case .png: try open(.png, isStreamed: true)
        case .tiff: try openTIFF()
        case .heic, .avif: try openHEIF()
        case .jpegXL: try openJPEGXL()
        case .bmp, .gif, .video: throw DecodingFailure(.internalError, detail: "libvips is not used for this format")
        }
    }

    private func open(_ loader: VipsPicture.Loader, isStreamed: Bool) throws(DecodingFailure) -> OpenedPicture? {
        let picture = try VipsPicture.open(file, with: loader)
        try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: isStreamed)
        guard page != nil || picture.pageCount == 1 else { return nil }
        let orientation = picture.orientation
        return OpenedPicture(
            picture: picture, width: picture.width, height: picture.height, orientation: orientation,
            target: target.turned(forOrientation: orientation))
    }

    private func openJPEG() throws(DecodingFailure) -> OpenedPicture? {
        guard let whole = try open(.jpeg, isStreamed: true) else { return nil }
        let denominator = whole.target.jpegDenominator(width: whole.width, height: whole.height)
        let (picture, isDamaged) = try whole.picture.decodedAsJPEG(file, denominator: denominator)
        return OpenedPicture(
            picture: picture, width: whole.width, height: whole.height, orientation: whole.orientation,
            target: whole.target, isDamaged: isDamaged)
    }

    private func openWebP() throws(DecodingFailure) -> OpenedPicture? {
        guard let whole = try open(.webp(scale: 1), isStreamed: false) else { return nil }
        let factors = whole.target.averagingFactors(width: whole.width, height: whole.height)
        let factor = min(factors.horizontal, factors.vertical)
        // libwebp would mix the hidden colours of transparent pixels into their neighbours.
        guard factor > 1, !whole.picture.hasAlpha else { return whole }
        let scaled = try VipsPicture.open(file, with: .webp(scale: 1 / Double(factor)))
        return OpenedPicture(
            picture: scaled, width: whole.width, height: whole.height, orientation: whole.orientation,
            target: whole.target)
    }

    private func openTIFF() throws(DecodingFailure) -> OpenedPicture? {
        let directory = try TIFFDirectory(file)
        // Directories below others are not counted as pages, and are not looked at.
        guard !directory.hasDirectoriesBelow, page != nil || !directory.isReducedVersion else { return nil }
        return try open(.tiff(page: page ?? 0), isStreamed: true)
    }

    private func openHEIF() throws(DecodingFailure) -> OpenedPicture? {
        if page == nil, try SeveralPictures.hasTrack(file) { return nil }
        return try open(.heif(page: page), isStreamed: false)
    }

    private func openJPEGXL() throws(DecodingFailure) -> OpenedPicture? {
        let info = try JPEGXLInfo(file)
        guard !info.isAnimated else { return nil }
        // Before libvips opens the file, since it may decode all of it to do so.
        try limits.checkPicture(width: info.width, height: info.height, isStreamed: false)
        return try open(.jpegXL, isStreamed: false)
    }

    /// Averages whole pixels; colours are weighted by their opacity, so that invisible ones do not show.
    static func averaged(_ picture: VipsPicture, target: ReductionTarget) throws(DecodingFailure) -> VipsPicture {
        let factors = target.averagingFactors(width: picture.width, height: picture.height)
        guard factors.horizontal > 1 || factors.vertical > 1 else { return picture }
        let (horizontal, vertical) = factors
        guard picture.hasAlpha, !picture.isPackedLab else {
            return try picture.shrunk(horizontal: horizontal, vertical: vertical)
        }
        let opaque = picture.opaqueAlpha
        return try picture.premultiplied(opaque: opaque)
            .shrunk(horizontal: horizontal, vertical: vertical)
            .unpremultiplied(opaque: opaque)
            .rounded(to: picture.format)
            .interpreted(as: picture.interpretation)
    }
}
