// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
package import HelperProtocol
package import HelperService

/// Decodes pictures with libvips, in a process of its own.
package struct ImageDecoder: MediaDecoder {
    /// Enough for the reduced pixels of a photograph, and little against the memory of the library itself.
    package static let largestReusedBlock = 4 << 20

    /// Starts libvips.
    ///
    /// Call it once, at the start of the process.
    ///
    /// - Throws: `internalError` where libvips cannot start.
    package init(program: String) throws(DecodingFailure) {
        guard unsafe program.withCString({ unsafe CVipsShims_start($0) }) == 0 else {
            throw VipsPicture.failure(.internalError)
        }
        // Now, since nothing can be loaded once the process is closed. Where one is not installed, its format says so.
        _ = unsafe CVipsShims_load_plugin("heif", "VipsForeignLoadHeif")
        _ = unsafe CVipsShims_load_plugin("jxl", "VipsForeignLoadJxl")
        vips_error_clear()
    }

    package var library: String { "libvips \(vips_version(0)).\(vips_version(1)).\(vips_version(2))" }

    package func picture(
        in file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> FileAnswer<RenderedPicture> {
        // Before the size, for which videos have a limit of their own.
        guard format != .video else { return .content(.video) }
        try request.limits.check(file)
        guard var picture = try decode(file, format, request.limits, request.target) else {
            return .content(.severalPictures)
        }
        if request.findsTestPatterns {
            // Once more, with enough pixels to read a code a fifth of the shorter side in size.
            guard let large = try decode(file, format, request.limits, .forTestPatterns) else {
                return .content(.severalPictures)
            }
            picture.testPatterns = try large.foundTestPatterns()
        }
        return .value(picture)
    }

    /// Decodes the picture; nil where the file holds, or can hold, several.
    private func decode(
        _ file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) -> RenderedPicture? {
        switch format {
        case .gif: return nil
        case .bmp:
            let bitmapFile = try BitmapFile(file, limits, target)
            let bitmap = try bitmapFile.decoded()
            return RenderedPicture(
                views: BackgroundComposer.views(of: bitmap.pixels, bandCount: bitmap.bandCount),
                width: bitmap.width, height: bitmap.height,
                originalWidth: bitmapFile.width, originalHeight: bitmapFile.height)
        case .png where try SeveralPictures.isAnimatedPNG(file): return nil
        default: break
        }
        return try Self.load(PictureLoader(file: file, format: format, limits: limits, target: target))
    }

    private static func load(_ loader: PictureLoader) throws(DecodingFailure) -> RenderedPicture? {
        guard let loaded = try loader.load() else { return nil }
        var picture = try rendered(
            loaded.picture, originalWidth: loaded.originalWidth, originalHeight: loaded.originalHeight)
        picture.isDamaged = loaded.isDamaged
        return picture
    }

    /// The views of a picture that is reduced and upright.
    static func rendered(
        _ picture: VipsPicture, originalWidth: Int, originalHeight: Int
    ) throws(DecodingFailure) -> RenderedPicture {
        let converted = try picture.convertedToSRGB()
        return RenderedPicture(
            views: BackgroundComposer.views(of: try converted.pixels(), bandCount: converted.bandCount),
            width: converted.width, height: converted.height, originalWidth: originalWidth,
            originalHeight: originalHeight)
    }

    package func openMedia(
        _ file: InputFile, _ format: MediaFormat, _ request: MediaRequest
    ) throws(DecodingFailure) -> FileAnswer<any MediaSession> {
        guard format != .video else { return .content(.video) }
        try request.limits.check(file)
        switch format {
        case .gif, .webp: return .value(try AnimationSession(file, format, request))
        case .tiff, .heic, .avif, .png: return .value(try PagesSession(file, format, request, decoder: self))
        case .jpegXL: throw DecodingFailure(.severalPictures)
        case .jpeg, .bmp, .video: return .content(.pictures)
        }
    }

    /// Decodes one picture of a file with several, and looks for the test pattern in it where that is wished.
    func page(
        _ page: Int?, of file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> RenderedPicture {
        var picture = try loadedPage(page, of: file, format, request.limits, request.target)
        if request.findsTestPatterns {
            picture.testPatterns = try loadedPage(page, of: file, format, request.limits, .forTestPatterns)
                .foundTestPatterns()
        }
        return picture
    }

    private func loadedPage(
        _ page: Int?, of file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) -> RenderedPicture {
        let loader = PictureLoader(file: file, format: format, limits: limits, target: target, page: page)
        guard let picture = try Self.load(loader) else { throw DecodingFailure(.severalPictures) }
        return picture
    }
}

extension ImageRequest {
    /// How far pictures may be reduced.
    var target: ReductionTarget {
        ReductionTarget(minimumWidth: max(1, Int(minimumWidth)), minimumHeight: max(1, Int(minimumHeight)))
    }
}

extension ReductionTarget {
    /// Enough pixels to read a code a fifth of the shorter side in size.
    static let forTestPatterns = ReductionTarget(minimumWidth: 1024, minimumHeight: 1024, keepsProportions: true)
}
